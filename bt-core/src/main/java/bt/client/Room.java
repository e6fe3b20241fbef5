package bt.client;

import bt.base.BigtableException;
import bt.base.Scheduler;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * The writes that a batch writer holds, bounded by number and bytes; one write always fits when there is none. Who waits
 * until it is empty waits for those that are in it, not for those that come meanwhile. Any thread.
 */
final class Room {
    /** Beyond the wait for a number, and that for all attempts at a write: if nothing ends then, nothing will. */
    private static final long NO_PROGRESS_MILLIS = 10_000;

    private final Scheduler scheduler;
    private final int maxWrites;
    private final LongSupplier maxBytes;
    private final long longestWaitMillis;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private int writes;

    @GuardedBy("lock") private long bytes;

    /** How many wait that are larger than the room: they enter when it is empty, so nobody enters before them. */
    @GuardedBy("lock") private int large;

    /** Ends with each who begins to wait until it is empty. */
    @GuardedBy("lock") private long era;

    /** How many writes of each era are still here. */
    @GuardedBy("lock") private final TreeMap<Long, Integer> eras = new TreeMap<>();

    /** Completed, and replaced, whenever something leaves. */
    @GuardedBy("lock") private CompletableFuture<Boolean> left = new CompletableFuture<>();

    Room(Scheduler scheduler, ClientOptions options, LongSupplier maxBytes) {
        this(
                scheduler,
                options.batchMutations(),
                maxBytes,
                2 * options.operationTimeout().toMillis() + NO_PROGRESS_MILLIS);
    }

    /** The bytes may change at any time. Who waits sees it when something leaves: of an empty room nobody waits for more. */
    Room(Scheduler scheduler, int maxWrites, LongSupplier maxBytes, long longestWaitMillis) {
        this.scheduler = scheduler;
        this.maxWrites = maxWrites;
        this.maxBytes = maxBytes;
        this.longestWaitMillis = longestWaitMillis;
    }

    /** What one write takes, and since when. It is left once, however often somebody says so. */
    static final class Place {
        private final long era;
        private final long bytes;

        /** Guarded by the room's lock. */
        private boolean left;

        private Place(long era, long bytes) {
            this.era = era;
            this.bytes = bytes;
        }

        long bytes() {
            return bytes;
        }
    }

    /** Waits until there is room. */
    Place enter(long size) throws BigtableException, InterruptedException {
        boolean isLarge = false;
        try {
            while (true) {
                CompletableFuture<Boolean> change;
                lock.lock();
                try {
                    long most = maxBytes.getAsLong();
                    // The room may have shrunk while it waited.
                    if (!isLarge && size > most) {
                        isLarge = true;
                        large++;
                    }
                    boolean fits = writes == 0 || (writes < maxWrites && bytes + size <= most);
                    if (fits && (isLarge || large == 0)) {
                        return take(size);
                    }
                    change = left;
                } finally {
                    lock.unlock();
                }
                scheduler.await(change, longestWaitMillis);
            }
        } finally {
            if (isLarge) {
                countLess();
            }
        }
    }

    @GuardedBy("lock") private Place take(long size) {
        writes++;
        bytes += size;
        eras.merge(era, 1, Integer::sum);
        return new Place(era, size);
    }

    /** One that was larger than the room waits no more: who waited for it looks again. */
    private void countLess() {
        CompletableFuture<Boolean> change;
        lock.lock();
        try {
            large--;
            change = left;
            left = new CompletableFuture<>();
        } finally {
            lock.unlock();
        }
        change.complete(true);
    }

    /** All of them at once. */
    void leave(List<Place> places) {
        CompletableFuture<Boolean> change;
        lock.lock();
        try {
            for (Place place : places) {
                if (!place.left) {
                    place.left = true;
                    writes--;
                    bytes -= place.bytes;
                    eras.computeIfPresent(place.era, (same, count) -> count == 1 ? null : count - 1);
                }
            }
            change = left;
            left = new CompletableFuture<>();
        } finally {
            lock.unlock();
        }
        change.complete(true);
    }

    /** Waits until all that is here now has left. */
    void awaitEmpty() throws BigtableException, InterruptedException {
        long mine = nextEra();
        while (true) {
            CompletableFuture<Boolean> change;
            lock.lock();
            try {
                if (eras.isEmpty() || eras.firstKey() > mine) {
                    return;
                }
                change = left;
            } finally {
                lock.unlock();
            }
            scheduler.await(change, longestWaitMillis);
        }
    }

    private long nextEra() {
        lock.lock();
        try {
            return era++;
        } finally {
            lock.unlock();
        }
    }
}
