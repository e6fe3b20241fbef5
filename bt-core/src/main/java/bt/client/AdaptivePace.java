package bt.client;

import bt.base.BigtableException;
import bt.base.Deadline;
import bt.base.OverloadedException;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.model.TabletId;
import bt.protocol.Address;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What each server takes of the batches of one client, learned from its push-back as TCP learns a path: after an
 * OVERLOADED nothing is sent before the time that the server named, and then half as much as was on its way; each time
 * that so much was taken, {@value #STEP} writes more. So all clients of a server come to share it, and none sends again and again
 * what is refused. Any thread.
 */
final class AdaptivePace implements Pace {
    /** Two batches of a commit thread: what is on its way beyond that waits in the server, where it is remembered as open. */
    static final int MOST_WRITES = 4_000;

    static final int STEP = 10;

    /** A tablet that was refused alone is no sign for its server for so long. */
    private static final long CROWDED_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** Of a server that had nothing of us for so long it is not remembered what it took. */
    private static final long MEMORY_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Scheduler scheduler;
    private final ReentrantLock lock = new ReentrantLock();

    /** Those that push back, or did lately, and those that have something of ours. */
    @GuardedBy("lock") private final Map<Address, Window> windows = new HashMap<>();

    /** Completed, and replaced, whenever a request ends. */
    @GuardedBy("lock") private CompletableFuture<Boolean> ended = new CompletableFuture<>();

    AdaptivePace(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** What one server takes; guarded by the lock. */
    private static final class Window {
        private double most = MOST_WRITES;
        private int underWay;
        private long notBefore;
        private long lastEnd;

        /** Tablets that have too much to do where their server has not, and until when that is believed. */
        private final Map<TabletId, Long> crowded = new HashMap<>();

        /** Counts its narrowings: of requests that went out before one, none narrows it again. */
        private long era;

        Window(long now) {
            notBefore = now;
            lastEnd = now;
        }

        /** One write goes always: an answer is how it is learned that there is room again. */
        int room(long now) {
            if (now - notBefore < 0) {
                return 0;
            }
            return Math.max((int) most, 1) - underWay;
        }

        void widen(int taken) {
            most = Math.min(MOST_WRITES, most + (double) STEP * taken / most);
        }

        void narrow(Grant refused, int taken, long until) {
            if (refused.era() == era) {
                most = Math.max(Math.max(1, taken), Math.min(most, underWay) / 2);
                era++;
            }
            notBefore = until - notBefore > 0 ? until : notBefore;
        }

        /** Whether one tablet alone refuses: others were taken beside it, now or lately. Then its writes alone come later. */
        boolean isOfTablet(PushBack pushBack, long now) {
            crowded.values().removeIf(until -> now - until > 0);
            if (pushBack.tablets().size() != 1) {
                return false;
            }
            TabletId tablet = pushBack.tablets().iterator().next();
            if (!pushBack.othersTaken() && !crowded.containsKey(tablet)) {
                return false;
            }
            crowded.put(tablet, now + CROWDED_NANOS);
            return true;
        }

        boolean isForgotten(long now) {
            return underWay == 0 && now - lastEnd > MEMORY_NANOS;
        }
    }

    @Override
    public Optional<Grant> take(Address to, int wanted) {
        long now = scheduler.clock().nanos();
        lock.lock();
        try {
            Window window = window(to, now);
            int writes = Math.min(wanted, window.room(now));
            if (writes <= 0) {
                return Optional.empty();
            }
            window.underWay += writes;
            return Optional.of(new Grant(to, writes, window.era));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void end(Grant grant, int taken, Optional<PushBack> pushBack) {
        long now = scheduler.clock().nanos();
        CompletableFuture<Boolean> change;
        lock.lock();
        try {
            Window window = window(grant.to(), now);
            if (pushBack.isEmpty() || window.isOfTablet(pushBack.get(), now)) {
                window.widen(taken);
            } else {
                window.narrow(
                        grant,
                        taken,
                        now
                                + TimeUnit.MILLISECONDS.toNanos(
                                        pushBack.get().worst().retryAfterMillis()));
            }
            window.underWay -= grant.writes();
            window.lastEnd = now;
            change = ended;
            ended = new CompletableFuture<>();
        } finally {
            lock.unlock();
        }
        change.complete(true);
    }

    @Override
    public void await(Address to, Deadline deadline) throws OverloadedException, InterruptedException {
        while (true) {
            CompletableFuture<Boolean> change;
            long pauseNanos;
            long now = scheduler.clock().nanos();
            lock.lock();
            try {
                Window window = window(to, now);
                if (window.room(now) > 0) {
                    return;
                }
                pauseNanos = window.notBefore - now;
                change = ended;
            } finally {
                lock.unlock();
            }
            long pauseMillis = TimeUnit.NANOSECONDS.toMillis(pauseNanos) + 1;
            if (deadline.isOver() || (pauseNanos > 0 && pauseMillis >= deadline.leftMillis())) {
                throw new OverloadedException(to + ": takes no more writes for now", Math.max(0, pauseMillis));
            }
            if (pauseNanos > 0) {
                scheduler.pause(pauseMillis);
            } else {
                awaitEnd(change, deadline);
            }
        }
    }

    private void awaitEnd(CompletableFuture<Boolean> change, Deadline deadline) throws InterruptedException {
        try {
            scheduler.await(change, Math.max(1, deadline.leftMillis()));
        } catch (UnavailableException late) {
            // The caller looks at its deadline next.
        } catch (BigtableException impossible) {
            throw new AssertionError("nothing fails this future", impossible);
        }
    }

    @GuardedBy("lock") private Window window(Address to, long now) {
        Window known = windows.get(to);
        if (known != null) {
            return known;
        }
        windows.values().removeIf(window -> window.isForgotten(now));
        Window fresh = new Window(now);
        windows.put(to, fresh);
        return fresh;
    }
}
