package bt.protocol;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;

/** Gives the writes of one client their names. Any thread. */
public final class WriteNumbers {
    private final long client;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private final TreeSet<Long> open = new TreeSet<>();

    @GuardedBy("lock") private long last;

    /** The client's id is drawn at random once: two clients of one id would take each other's writes for retries. */
    public WriteNumbers(long client) {
        this.client = client;
    }

    /** Opens a write. Number and lowest open number are drawn together, or a number could be forgotten while open. */
    public WriteId open() {
        lock.lock();
        try {
            open.add(++last);
            return new WriteId(client, last, open.first());
        } finally {
            lock.unlock();
        }
    }

    /** The write has its answer, or will never be sent again. */
    public void close(WriteId id) {
        lock.lock();
        try {
            open.remove(id.number());
        } finally {
            lock.unlock();
        }
    }
}
