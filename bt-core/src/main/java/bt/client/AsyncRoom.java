package bt.client;

import bt.base.BigtableException;
import bt.base.Deadline;
import bt.base.OverloadedException;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What the asynchronous calls of a client take, bounded by their number and by bytes; one call always fits when there is
 * none. A call that has begun and needs more waits for that, all but one of those that do, which is then another when it
 * has ended: so they never wait for each other alone, and what is taken passes the bound by what one call needs. Any thread.
 */
final class AsyncRoom {
    /** To whom there is no room: about what a request takes. */
    private static final long RETRY_AFTER_MILLIS = 10;

    /** No call has that number. */
    private static final long NONE = -1;

    private final Scheduler scheduler;
    private final int mostCalls;
    /** Of requests and answers, those too that are still to come. */
    private final long mostBytes;

    private final long longestWaitMillis;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private int calls;

    @GuardedBy("lock") private long bytes;

    /** Those that have asked for more since they began, by their numbers, until they end. */
    @GuardedBy("lock") private final NavigableSet<Long> growing = new TreeSet<>();

    /** The one of them that does not wait. */
    @GuardedBy("lock") private long exempt = NONE;

    /** Completed, and replaced, when one that waits may find room. */
    @GuardedBy("lock") private CompletableFuture<Boolean> change = new CompletableFuture<>();

    AsyncRoom(Scheduler scheduler, ClientOptions options) {
        this.scheduler = scheduler;
        this.mostCalls = options.asyncCalls();
        this.mostBytes = options.asyncBytes();
        this.longestWaitMillis = options.operationTimeout().toMillis();
    }

    /** A call of so many bytes begins; or why it does not. */
    Optional<OverloadedException> enter(long callBytes) {
        lock.lock();
        try {
            if (calls >= mostCalls || (calls > 0 && bytes + callBytes > mostBytes)) {
                return Optional.of(full());
            }
            calls++;
            bytes += callBytes;
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** A call that has begun takes so many bytes more, as soon as there is room for them. */
    void awaitMore(long number, long moreBytes) throws BigtableException, InterruptedException {
        Deadline deadline = Deadline.after(scheduler.clock(), longestWaitMillis);
        while (true) {
            CompletableFuture<Boolean> next;
            lock.lock();
            try {
                growing.add(number);
                exempt = exempt == NONE ? number : exempt;
                if (bytes + moreBytes <= mostBytes || exempt == number) {
                    bytes += moreBytes;
                    return;
                }
                next = change;
            } finally {
                lock.unlock();
            }
            await(next, deadline);
        }
    }

    private void await(CompletableFuture<Boolean> next, Deadline deadline)
            throws BigtableException, InterruptedException {
        try {
            scheduler.await(next, deadline.leftMillis());
        } catch (UnavailableException late) {
            throw full().causedBy(late);
        }
    }

    private OverloadedException full() {
        lock.lock();
        try {
            return new OverloadedException(
                    calls + " calls with " + bytes + " bytes are under way, of " + mostCalls + " and " + mostBytes
                            + ": wait until some have ended",
                    RETRY_AFTER_MILLIS);
        } finally {
            lock.unlock();
        }
    }

    /** Calls that are under way take so many bytes more than was thought, or fewer. */
    void add(long moreBytes) {
        lock.lock();
        try {
            bytes += moreBytes;
        } finally {
            lock.unlock();
        }
        if (moreBytes < 0) {
            tellChange();
        }
    }

    /** A call ends, with all that it takes by now. */
    void leave(long number, long callBytes) {
        lock.lock();
        try {
            calls--;
            bytes -= callBytes;
            growing.remove(number);
            if (exempt == number) {
                exempt = growing.isEmpty() ? NONE : growing.first();
            }
        } finally {
            lock.unlock();
        }
        tellChange();
    }

    private void tellChange() {
        CompletableFuture<Boolean> told;
        lock.lock();
        try {
            if (growing.isEmpty()) {
                return;
            }
            told = change;
            change = new CompletableFuture<>();
        } finally {
            lock.unlock();
        }
        told.complete(true);
    }
}
