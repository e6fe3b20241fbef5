package bt.client;

import bt.client.Pace.Grant;
import bt.client.Pace.PushBack;
import bt.model.TabletId;
import bt.protocol.Address;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What one server takes of a client's batches, what it has of them, and who waits for room. Guarded by the lock of its {@link AdaptivePace}. */
final class PaceWindow {
    /** Two batches of a commit thread: what is on its way beyond that waits in the server, where it is remembered as open. */
    static final int MOST_WRITES = 4_000;

    static final int STEP = 10;

    /**
     * Of the window so much has to be free before somebody who wants more than is free sends anything: a request costs both ends the
     * same whether it has one write or a hundred, and room that is cut small stays small.
     */
    private static final int LEAST_PART = 4;

    /** A tablet that was refused alone is no sign for its server for so long. */
    private static final long CROWDED_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** Of a server that had nothing of us for so long it is not remembered what it took. */
    private static final long MEMORY_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Address server;
    private double most = MOST_WRITES;
    private int underWay;
    private long notBefore;
    private long lastEnd;

    /** Tablets that have too much to do where their server has not, and until when that is believed. */
    private final Map<TabletId, Long> crowded = new HashMap<>();

    /** Counts its narrowings: of requests that went out before one, none narrows it again. */
    private long era;

    /** The longest first. */
    private final Deque<Waiter> waiters = new ArrayDeque<>();

    PaceWindow(Address server, long now) {
        this.server = server;
        notBefore = now;
        lastEnd = now;
    }

    /** Somebody who waits for room, and whom it is told when there is news for it. */
    static final class Waiter {
        private final int wanted;
        private @Nullable Grant grant;
        private CompletableFuture<Boolean> news = new CompletableFuture<>();

        private Waiter(int wanted) {
            this.wanted = wanted;
        }

        Optional<Grant> grant() {
            return Optional.ofNullable(grant);
        }

        CompletableFuture<Boolean> news() {
            return news;
        }
    }

    /** Nothing while others wait. */
    Optional<Grant> take(int wanted, long now) {
        return waiters.isEmpty() && hasRoomFor(wanted, now) ? Optional.of(grant(wanted, now)) : Optional.empty();
    }

    Waiter enter(int wanted) {
        Waiter waiter = new Waiter(wanted);
        waiters.add(waiter);
        return waiter;
    }

    /** It waits no more; what it was granted, and has no use for, is free again. What {@link #serve} returns. */
    List<CompletableFuture<Boolean>> leave(Waiter waiter, long now) {
        waiters.remove(waiter);
        waiter.grant().ifPresent(unused -> underWay -= unused.writes());
        return serve(now);
    }

    /** Grants what there is room for to who has waited longest; to be completed, with no lock held, for them to see it. */
    List<CompletableFuture<Boolean>> serve(long now) {
        List<CompletableFuture<Boolean>> news = new ArrayList<>();
        while (!waiters.isEmpty() && hasRoomFor(waiters.element().wanted, now)) {
            Waiter next = waiters.remove();
            next.grant = grant(next.wanted, now);
            news.add(next.news);
        }
        return news;
    }

    /** A request has ended, of which the server took so much, and pushed back or not; what {@link #serve} returns. */
    List<CompletableFuture<Boolean>> end(Grant grant, int taken, Optional<PushBack> pushBack, long now) {
        underWay -= grant.writes();
        lastEnd = now;
        if (pushBack.isEmpty() || isOfTablet(pushBack.get(), now)) {
            most = Math.min(MOST_WRITES, most + (double) STEP * taken / most);
            return serve(now);
        }
        narrow(
                grant,
                taken,
                now + TimeUnit.MILLISECONDS.toNanos(pushBack.get().worst().retryAfterMillis()));
        // When they may go on has changed for all of them.
        List<CompletableFuture<Boolean>> news = new ArrayList<>();
        for (Waiter waiter : waiters) {
            news.add(waiter.news);
            waiter.news = new CompletableFuture<>();
        }
        return news;
    }

    /** Until it is sent anything; not positive where it may be now. */
    long pauseNanos(long now) {
        return notBefore - now;
    }

    boolean isForgotten(long now) {
        return underWay == 0 && waiters.isEmpty() && now - lastEnd > MEMORY_NANOS;
    }

    private Grant grant(int wanted, long now) {
        int writes = Math.min(wanted, room(now));
        underWay += writes;
        return new Grant(server, writes, era);
    }

    private boolean hasRoomFor(int wanted, long now) {
        return room(now) >= Math.min(wanted, Math.max(1, (int) most / LEAST_PART));
    }

    /** One write goes always: an answer is how it is learned that there is room again. */
    private int room(long now) {
        return pauseNanos(now) > 0 ? 0 : Math.max((int) most, 1) - underWay;
    }

    private void narrow(Grant refused, int taken, long until) {
        if (refused.era() == era) {
            int sent = underWay + refused.writes();
            most = Math.max(Math.max(1, taken), Math.min(most, sent) / 2);
            era++;
        }
        notBefore = until - notBefore > 0 ? until : notBefore;
    }

    /** Whether one tablet alone refuses: others were taken beside it, now or lately. Then its writes alone come later. */
    private boolean isOfTablet(PushBack pushBack, long now) {
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
}
