package bt.client;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Deadline;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * The writes that a batch writer holds, bounded by number and bytes; one write always fits when there is none. Who has
 * waited longest for room enters first: small writes would leave none for a large one. Who waits until it is empty waits
 * for those that are in it, not for those that come meanwhile. Any thread.
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

    /** Those that wait for room, in the order in which they came. */
    @GuardedBy("lock") private final Deque<Object> line = new ArrayDeque<>();

    /** Ends with each who begins to wait until it is empty. */
    @GuardedBy("lock") private long era;

    /** How many writes of each era are still here. */
    @GuardedBy("lock") private final TreeMap<Long, Integer> eras = new TreeMap<>();

    /** Completed, and replaced, whenever something leaves, the line too. */
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

    /**
     * Waits until there is room, and nobody who came before waits for it; UNAVAILABLE and NOT_APPLIED when that takes too
     * long.
     */
    Place enter(long size) throws BigtableException, InterruptedException {
        Object ticket = new Object();
        lock.lock();
        try {
            if (line.isEmpty() && fits(size)) {
                return take(size);
            }
            line.addLast(ticket);
        } finally {
            lock.unlock();
        }
        try {
            return awaitTurn(ticket, size);
        } finally {
            leaveLine(ticket);
        }
    }

    private Place awaitTurn(Object ticket, long size) throws BigtableException, InterruptedException {
        Deadline deadline = Deadline.after(scheduler.clock(), longestWaitMillis);
        while (true) {
            CompletableFuture<Boolean> change;
            lock.lock();
            try {
                if (line.getFirst() == ticket && fits(size)) {
                    return take(size);
                }
                change = left;
            } finally {
                lock.unlock();
            }
            try {
                scheduler.await(change, deadline.leftMillis());
            } catch (UnavailableException late) {
                throw tooLate("there was no room for a mutation of " + size + " bytes", Outcome.NOT_APPLIED, late);
            }
        }
    }

    /** The room may have shrunk since somebody looked. */
    @GuardedBy("lock") private boolean fits(long size) {
        return writes == 0 || (writes < maxWrites && bytes + size <= maxBytes.getAsLong());
    }

    /** Whoever is first now looks again. */
    private void leaveLine(Object ticket) {
        CompletableFuture<Boolean> change;
        lock.lock();
        try {
            line.remove(ticket);
            change = left;
            left = new CompletableFuture<>();
        } finally {
            lock.unlock();
        }
        change.complete(true);
    }

    private UnavailableException tooLate(String what, Outcome outcome, UnavailableException late) {
        String message;
        lock.lock();
        try {
            message =
                    what + " in " + longestWaitMillis + " ms: " + writes + " with " + bytes + " bytes are on their way";
        } finally {
            lock.unlock();
        }
        UnavailableException failure = new UnavailableException(message, outcome);
        failure.initCause(late);
        return failure;
    }

    @GuardedBy("lock") private Place take(long size) {
        writes++;
        bytes += size;
        eras.merge(era, 1, Integer::sum);
        return new Place(era, size);
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

    /** Waits until all that is here now has left; UNAVAILABLE and UNKNOWN when nothing leaves for too long. */
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
            try {
                scheduler.await(change, longestWaitMillis);
            } catch (UnavailableException late) {
                throw tooLate("no mutation has ended", Outcome.UNKNOWN, late);
            }
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
