package bt.client;

import bt.base.BigtableException;
import bt.base.Deadline;
import bt.base.OverloadedException;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.client.PaceWindow.Waiter;
import bt.protocol.Address;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What each server takes of the batches of one client, learned from its push-back as TCP learns a path: after an
 * OVERLOADED nothing is sent before the time that the server named, and then half as much as was on its way; each time
 * that so much was taken, {@value PaceWindow#STEP} writes more. So all clients of a server come to share it, and none sends again and again
 * what is refused. Who finds no room is woken when it has some, and not before: with a writer's threads in the dozens, each request that
 * ends would wake them all for the one that can go on. Any thread.
 */
final class AdaptivePace implements Pace {
    private final Scheduler scheduler;
    private final ReentrantLock lock = new ReentrantLock();

    /** Those that push back, or did lately, those that have something of ours, and those that somebody waits for. */
    @GuardedBy("lock") private final Map<Address, PaceWindow> windows = new HashMap<>();

    AdaptivePace(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    @Override
    public Optional<Grant> take(Address to, int wanted) {
        long now = scheduler.clock().nanos();
        lock.lock();
        try {
            return window(to, now).take(wanted, now);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void end(Grant grant, int taken, Optional<PushBack> pushBack) {
        change(grant.to(), (window, now) -> window.end(grant, taken, pushBack, now));
    }

    @Override
    public Grant await(Address to, int wanted, Deadline deadline) throws OverloadedException, InterruptedException {
        Waiter waiter = enter(to, wanted);
        try {
            Look look = look(to, waiter);
            while (look.grant().isEmpty()) {
                awaitNews(to, look, deadline);
                look = look(to, waiter);
            }
            return look.grant().get();
        } catch (OverloadedException | InterruptedException | RuntimeException | Error givenUp) {
            change(to, (window, now) -> window.leave(waiter, now));
            throw givenUp;
        }
    }

    /** What somebody who waits sees of the window. */
    private record Look(Optional<Grant> grant, CompletableFuture<Boolean> news, long pauseNanos) {}

    private Waiter enter(Address to, int wanted) {
        lock.lock();
        try {
            return window(to, scheduler.clock().nanos()).enter(wanted);
        } finally {
            lock.unlock();
        }
    }

    /** After a pause that the server asked for nobody else may come to serve those who wait. */
    private Look look(Address to, Waiter waiter) {
        long now = scheduler.clock().nanos();
        List<CompletableFuture<Boolean>> news;
        Look look;
        lock.lock();
        try {
            PaceWindow window = window(to, now);
            news = window.serve(now);
            look = new Look(waiter.grant(), waiter.news(), window.pauseNanos(now));
        } finally {
            lock.unlock();
        }
        tell(news);
        return look;
    }

    private void awaitNews(Address to, Look look, Deadline deadline) throws OverloadedException, InterruptedException {
        long pauseMillis = TimeUnit.NANOSECONDS.toMillis(look.pauseNanos()) + 1;
        boolean isPause = look.pauseNanos() > 0;
        if (deadline.isOver() || (isPause && pauseMillis >= deadline.leftMillis())) {
            throw new OverloadedException(to + ": takes no more writes for now", Math.max(0, pauseMillis));
        }
        try {
            scheduler.await(look.news(), isPause ? pauseMillis : Math.max(1, deadline.leftMillis()));
        } catch (UnavailableException late) {
            // The pause is over, or the caller looks at its deadline next.
        } catch (BigtableException impossible) {
            throw new AssertionError("nothing fails this future", impossible);
        }
    }

    /** What happens to a window, at that time, and for whom that is news. */
    @FunctionalInterface
    private interface Change {
        List<CompletableFuture<Boolean>> of(PaceWindow window, long now);
    }

    private void change(Address to, Change change) {
        long now = scheduler.clock().nanos();
        List<CompletableFuture<Boolean>> news;
        lock.lock();
        try {
            news = change.of(window(to, now), now);
        } finally {
            lock.unlock();
        }
        tell(news);
    }

    /** With no lock held, which those who are told take next. */
    private static void tell(List<CompletableFuture<Boolean>> news) {
        news.forEach(each -> each.complete(true));
    }

    @GuardedBy("lock") private PaceWindow window(Address to, long now) {
        PaceWindow known = windows.get(to);
        if (known != null) {
            return known;
        }
        windows.values().removeIf(window -> window.isForgotten(now));
        PaceWindow fresh = new PaceWindow(to, now);
        windows.put(to, fresh);
        return fresh;
    }
}
