package bt.client;

import bt.base.BigtableException;
import bt.base.Scheduler;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The writes that a batch writer holds, bounded by number and bytes; one write always fits when there is none. Any thread.
 */
final class Room {
    /** Longer than all attempts at a write together: if nothing ends within it, nothing will. */
    private static final long NO_PROGRESS_MILLIS = 120_000;

    private final Scheduler scheduler;
    private final int maxWrites;
    private final long maxBytes;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private int writes;

    @GuardedBy("lock") private long bytes;

    /** Completed, and replaced, whenever something leaves. */
    @GuardedBy("lock") private CompletableFuture<Boolean> left = new CompletableFuture<>();

    Room(Scheduler scheduler, int maxWrites, long maxBytes) {
        this.scheduler = scheduler;
        this.maxWrites = maxWrites;
        this.maxBytes = maxBytes;
    }

    /** Waits until there is room. */
    void enter(long size) throws BigtableException, InterruptedException {
        while (true) {
            CompletableFuture<Boolean> change;
            lock.lock();
            try {
                if (writes == 0 || (writes < maxWrites && bytes + size <= maxBytes)) {
                    writes++;
                    bytes += size;
                    return;
                }
                change = left;
            } finally {
                lock.unlock();
            }
            scheduler.await(change, NO_PROGRESS_MILLIS);
        }
    }

    void leave(int count, long size) {
        CompletableFuture<Boolean> change;
        lock.lock();
        try {
            writes -= count;
            bytes -= size;
            change = left;
            left = new CompletableFuture<>();
        } finally {
            lock.unlock();
        }
        change.complete(true);
    }

    /** Waits until all that is here now has left. */
    void awaitEmpty() throws BigtableException, InterruptedException {
        while (true) {
            CompletableFuture<Boolean> change;
            lock.lock();
            try {
                if (writes == 0) {
                    return;
                }
                change = left;
            } finally {
                lock.unlock();
            }
            scheduler.await(change, NO_PROGRESS_MILLIS);
        }
    }
}
