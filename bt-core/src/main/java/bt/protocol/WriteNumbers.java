package bt.protocol;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Gives the writes of one client their names. A server remembers what became of a write until it hears that all up to it
 * are closed, and of all clients together no more than fits into its memory: whoever has many open uses {@link #tryOpen}.
 * Any thread.
 */
public final class WriteNumbers {
    /** How far a write may be ahead of the oldest that is still open: of three such clients with short keys a server remembers all. */
    public static final int SPAN = 1 << 16;

    private final long client;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private final OpenNumbers numbers = new OpenNumbers();

    /** The client's id is drawn at random once: two clients of one id would take each other's writes for retries. */
    public WriteNumbers(long client) {
        this.client = client;
    }

    /** Opens a write, for who has few open at a time. */
    public WriteId open() {
        lock.lock();
        try {
            return next();
        } finally {
            lock.unlock();
        }
    }

    /** Opens a write; empty while it would be too far ahead of the oldest that is still open. */
    public Optional<WriteId> tryOpen() {
        lock.lock();
        try {
            return numbers.last() - numbers.lowest() < SPAN - 1 ? Optional.of(next()) : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** Number and lowest open number are drawn together, or a number could be forgotten while open. */
    @GuardedBy("lock") private WriteId next() {
        long number = numbers.open();
        return new WriteId(client, number, numbers.lowest());
    }

    /** The write has its answer, or will never be sent again. */
    public void close(WriteId id) {
        close(List.of(id));
    }

    /** The same of several. */
    public void close(List<WriteId> ids) {
        lock.lock();
        try {
            ids.forEach(id -> numbers.close(id.number()));
        } finally {
            lock.unlock();
        }
    }
}
