package bt.tabletserver;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How many writes wait for a commit thread, and how many bytes they hold, by the host that they came from. A host may have as
 * much waiting as there is room left: one alone half of it, two a third each, so that there is always some for another. Any
 * thread.
 */
final class QueueRoom {
    /** So much of the bytes may wait when those are counted of whom nothing else does. */
    private static final int OVERFLOW = 4;

    private final int maxWrites;
    private final long maxBytes;
    private final ReentrantLock lock = new ReentrantLock();

    /** Of those of whom something waits. */
    @GuardedBy("lock") private final Map<String, Held> hosts = new HashMap<>();

    @GuardedBy("lock") private final Held all = new Held();

    /** One host may fill half of it. */
    QueueRoom(int maxWrites, long maxBytes) {
        this.maxWrites = maxWrites;
        this.maxBytes = maxBytes;
    }

    private static final class Held {
        private int writes;
        private long bytes;

        private void add(int moreWrites, long moreBytes) {
            writes += moreWrites;
            bytes += moreBytes;
        }
    }

    /** How many of the first of these, which one host sent, find room; they have it then. The largest write fits where none waits. */
    int enter(List<WriteEntry> entries) {
        if (entries.isEmpty()) {
            return 0;
        }
        String host = entries.get(0).caller().host();
        lock.lock();
        try {
            Held own = hosts.computeIfAbsent(host, first -> new Held());
            int entered = 0;
            while (entered < entries.size() && mayTakeOneMore(own)) {
                long bytes = entries.get(entered).bytes();
                own.add(1, bytes);
                all.add(1, bytes);
                entered++;
            }
            removeIfEmpty(host, own);
            return entered;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Of what is large one write may fill all: who has none waiting has one in all the same. But not of any number of hosts: an append
     * of a byte is one in flight, and here the value that it makes.
     */
    @GuardedBy("lock") private boolean mayTakeOneMore(Held own) {
        return own.writes == 0
                ? all.writes < maxWrites && all.bytes < OVERFLOW * maxBytes
                : own.writes < maxWrites - all.writes && own.bytes < maxBytes - all.bytes;
    }

    /** They wait no more. */
    void leave(List<? extends CommitEntry> entries) {
        if (entries.isEmpty()) {
            return;
        }
        lock.lock();
        try {
            String host = "";
            for (CommitEntry entry : entries) {
                if (entry instanceof WriteEntry write) {
                    // Mostly the same as before: no text is made for that.
                    host = write.caller().isFrom(host) ? host : write.caller().host();
                    leave(host, write.bytes());
                }
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock") private void leave(String host, long bytes) {
        Held own = requireNonNull(hosts.get(host), "nothing of it waits");
        own.add(-1, -bytes);
        all.add(-1, -bytes);
        removeIfEmpty(host, own);
    }

    @GuardedBy("lock") private void removeIfEmpty(String host, Held own) {
        if (own.writes == 0) {
            hosts.remove(host);
        }
    }
}
