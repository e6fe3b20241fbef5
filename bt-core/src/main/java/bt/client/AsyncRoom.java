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
 * has ended: so they never wait for each other alone, and what is taken passes the bound by what one call needs. Those that
 * wait are served in the order in which they came, and no call begins before them: what ends is theirs. A page that is
 * asked for ahead counts as a call; once it has come it gives way to one, and where nobody has taken it for {@link
 * #STALE_NANOS} to another such page. None gives way in vain. Any thread.
 */
final class AsyncRoom {
    /** To whom there is no room: about what a request takes. */
    private static final long RETRY_AFTER_MILLIS = 10;

    /** No call has that number. */
    private static final long NONE = -1;

    /** Nor does one that waits have that place in the queue. */
    private static final long NO_TURN = -1;

    /** For so long nobody has come for a page that is given up for another: who reads on comes sooner, mostly. */
    static final long STALE_NANOS = 10_000_000_000L;

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

    /** The places in the queue of those that wait; they rise. */
    @GuardedBy("lock") private final NavigableSet<Long> waiting = new TreeSet<>();

    @GuardedBy("lock") private long turns;

    /** With their bytes, which are among those of the calls. */
    @GuardedBy("lock") private final AheadPages ahead = new AheadPages();

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
            long wanted = calls == 0 ? atMost(callBytes) : callBytes;
            if (!waiting.isEmpty() || !makeRoom(1, wanted, 0)) {
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
        long turn = NO_TURN;
        try {
            while (true) {
                CompletableFuture<Boolean> next;
                lock.lock();
                try {
                    growing.add(number);
                    exempt = exempt == NONE ? number : exempt;
                    boolean isExempt = exempt == number;
                    boolean isNext = waiting.isEmpty() || waiting.first() == turn;
                    boolean fits = isNext && makeRoom(0, isExempt ? atMost(moreBytes) : moreBytes, 0);
                    if (fits || isExempt) {
                        bytes += moreBytes;
                        return;
                    }
                    turn = turn == NO_TURN ? queue() : turn;
                    next = change;
                } finally {
                    lock.unlock();
                }
                await(next, deadline);
            }
        } finally {
            if (turn != NO_TURN) {
                leaveQueue(turn);
            }
        }
    }

    /** A page that nobody wants yet is to be asked for, by a call that has begun; false where there is no room to keep it. */
    boolean enterAhead(AheadPage page, long pageBytes) {
        lock.lock();
        try {
            if (!waiting.isEmpty() || !makeRoom(1, pageBytes, STALE_NANOS)) {
                return false;
            }
            ahead.add(page, pageBytes);
            bytes += pageBytes;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** It has come, with so many bytes: who needs its room may have that from now on. */
    void comeAhead(AheadPage page, long pageBytes) {
        lock.lock();
        try {
            bytes += ahead.come(page, pageBytes, scheduler.clock().nanos());
        } finally {
            lock.unlock();
        }
        tellChange();
    }

    /** It is a call's from now on, with the bytes that are returned. */
    long takeOver(AheadPage page) {
        lock.lock();
        try {
            return ahead.remove(page);
        } finally {
            lock.unlock();
        }
    }

    /** It will not come. */
    void leaveAhead(AheadPage page) {
        lock.lock();
        try {
            bytes -= ahead.remove(page);
        } finally {
            lock.unlock();
        }
        tellChange();
    }

    /** Of what goes on in any case: as much as there can be room for. */
    @GuardedBy("lock") private long atMost(long moreBytes) {
        return Math.min(moreBytes, mostBytes - bytes + ahead.comeBytes());
    }

    /**
     * Whether there is room for so much more. As many pages give way to it as it takes that came ahead so long ago, the first
     * first; none where all of them are not enough.
     */
    @GuardedBy("lock") private boolean makeRoom(int moreCalls, long moreBytes, long leastAgeNanos) {
        int tooMany = calls + ahead.count() + moreCalls - mostCalls;
        long tooManyBytes = bytes + moreBytes - mostBytes;
        if (!ahead.haveCome(tooMany, tooManyBytes, scheduler.clock().nanos() - leastAgeNanos)) {
            return false;
        }
        for (int given = 0; given < tooMany || bytes + moreBytes > mostBytes; given++) {
            bytes -= ahead.giveUpFirst();
        }
        return true;
    }

    @GuardedBy("lock") private long queue() {
        waiting.add(turns);
        return turns++;
    }

    /** Who is served, or has waited long enough: the next may find room now. */
    private void leaveQueue(long turn) {
        lock.lock();
        try {
            waiting.remove(turn);
        } finally {
            lock.unlock();
        }
        tellChange();
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
            String before = waiting.isEmpty() ? "" : ", and " + waiting.size() + " of them wait for more";
            String pages = ahead.count() == 0 ? "" : ", " + ahead.count() + " of them for pages of scans ahead";
            return new OverloadedException(
                    "asynchronous calls of this client: " + (calls + ahead.count()) + " with " + bytes
                            + " bytes are under way, of " + mostCalls + " and " + mostBytes + pages + before
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
