package bt.tabletserver;

import static java.util.Objects.requireNonNull;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Futures;
import bt.base.OverloadedException;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.model.TabletId;
import bt.protocol.Caller;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The splits that somebody asks for, in turns of the hosts that ask. One at a time is begun, and what waits is no job of its tablet
 * yet: whatever else splits and hand-overs have to do, and a tablet's flush, stands behind one of them at most, however many are
 * asked for. Of each tablet one waits for its turn, in the turn of whichever host that asked for it has one first. When nobody waits
 * for it any more it is not begun, and the next who asks has its place. Any thread.
 */
final class AskedSplits {
    /** A split, or what comes before it, takes as long. */
    private static final long COME_BACK_MILLIS = 1_000;

    /** For what its tablet has to do before, which may wait for METADATA: then others have their turn. */
    private static final long BEGIN_MILLIS = 10_000;

    private final FewAtOnce turns;
    private final Scheduler scheduler;

    /** One for all that are refused, without a stack: they may be very many. */
    private final BigtableException waitsAlready =
            new OverloadedException("another split of this tablet waits for its turn already", COME_BACK_MILLIS).bare();

    private final ReentrantLock lock = new ReentrantLock();

    /** Those of which one waits, or for which hosts have turns. */
    @GuardedBy("lock") private final Map<TabletId, AskedTablet> tablets = new HashMap<>();

    AskedSplits(FewAtOnce turns, Scheduler scheduler) {
        this.turns = turns;
        this.scheduler = scheduler;
    }

    /** What to split behind, taken when the work begins. */
    @FunctionalInterface
    interface Wish {
        /** Fails when nobody wants it any more. */
        SplitRow begin() throws BigtableException;
    }

    /** One that has its turn: until when it needs a thread, or keeps others from theirs, which never fails, and how it ends. */
    record Splitting(CompletableFuture<Void> busy, CompletableFuture<Bytes> row) {}

    /** Under the lock. */
    private static final class AskedTablet {
        /** Its host is in line. */
        private @Nullable Asked waiting;

        /** The hosts that have a turn for it each. */
        private final Set<String> inLine = new HashSet<>();
    }

    private record Asked(
            Caller caller, SplitRow where, Function<Wish, Splitting> split, CompletableFuture<Bytes> done) {}

    /** Ends as {@code split} does, which returns at once and may begin later; OVERLOADED where another waits for its turn. */
    CompletableFuture<Bytes> ask(Caller caller, TabletId id, SplitRow where, Function<Wish, Splitting> split) {
        Asked asked = new Asked(caller, where, split, new CompletableFuture<>());
        Asked before;
        Optional<UnavailableException> over;
        boolean isNew;
        lock.lock();
        try {
            AskedTablet tablet = tablets.computeIfAbsent(id, first -> new AskedTablet());
            before = tablet.waiting;
            over = before == null
                    ? Optional.empty()
                    : before.caller.whyOver(scheduler.clock().nanos());
            if (before != null && over.isEmpty()) {
                return CompletableFuture.failedFuture(waitsAlready);
            }
            tablet.waiting = asked;
            isNew = tablet.inLine.add(caller.host());
        } finally {
            lock.unlock();
        }
        if (before != null) {
            over.ifPresent(before.done::completeExceptionally);
        }
        if (isNew) {
            standInLine(id, caller.host());
        }
        return asked.done;
    }

    private void standInLine(TabletId id, String host) {
        CompletableFuture<?> unused = turns.begin(
                        host, () -> take(id, host).map(this::begin).orElseGet(AskedSplits::nothing))
                .whenComplete((done, refused) -> {
                    if (refused != null) {
                        refuse(id, host, refused);
                    }
                });
    }

    private static CompletableFuture<Void> nothing() {
        return CompletableFuture.completedFuture(null);
    }

    /** The host has its turn: nothing is left to do where another had it first. */
    private Optional<Asked> take(TabletId id, String host) {
        lock.lock();
        try {
            AskedTablet tablet = requireNonNull(tablets.get(id));
            tablet.inLine.remove(host);
            Optional<Asked> taken = Optional.ofNullable(tablet.waiting);
            tablet.waiting = null;
            forgetIfIdle(id, tablet);
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** Its host has no place for a turn: another host's, which has one, goes on waiting for that. */
    private void refuse(TabletId id, String host, Throwable why) {
        Asked refused = null;
        lock.lock();
        try {
            AskedTablet tablet = requireNonNull(tablets.get(id));
            tablet.inLine.remove(host);
            if (tablet.waiting != null && tablet.waiting.caller.isFrom(host)) {
                refused = tablet.waiting;
                tablet.waiting = null;
            }
            forgetIfIdle(id, tablet);
        } finally {
            lock.unlock();
        }
        if (refused != null) {
            refused.done.completeExceptionally(why);
        }
    }

    @GuardedBy("lock") private void forgetIfIdle(TabletId id, AskedTablet tablet) {
        if (tablet.waiting == null && tablet.inLine.isEmpty()) {
            tablets.remove(id);
        }
    }

    /** Completes when the next may have its turn. */
    private CompletableFuture<Void> begin(Asked asked) {
        Optional<UnavailableException> over =
                asked.caller.whyOver(scheduler.clock().nanos());
        if (over.isPresent()) {
            asked.done.completeExceptionally(over.get());
            return nothing();
        }
        AtomicBoolean isBegun = new AtomicBoolean();
        Splitting split = asked.split.apply(() -> {
            isBegun.set(true);
            // Jobs of the tablet may have come before it.
            asked.caller.checkWaits(scheduler.clock().nanos());
            return asked.where;
        });
        Futures.pass(split.row, asked.done);
        CompletableFuture<Void> turn = split.busy.copy();
        if (!turn.isDone()) {
            scheduler.after(BEGIN_MILLIS, () -> {
                if (!isBegun.get()) {
                    turn.complete(null);
                }
            });
        }
        return turn;
    }
}
