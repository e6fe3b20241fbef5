package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.OverloadedException;
import bt.base.UnavailableException;
import bt.model.TabletId;
import bt.protocol.Caller;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * The splits that somebody asks for, in turns of the hosts that ask. One at a time is begun, and what waits is no job of its tablet
 * yet: whatever else splits and hand-overs have to do, and a tablet's flush, stands behind one of them at most, however many are
 * asked for. Of each tablet one waits for its turn. When nobody waits for it any more it is not begun, and the next who asks has
 * its place. Any thread.
 */
final class AskedSplits {
    /** A split, or what comes before it, takes as long. */
    private static final long COME_BACK_MILLIS = 1_000;

    private final FewAtOnce turns;
    private final Clock clock;

    /** One for all that are refused, without a stack: they may be very many. */
    private final BigtableException waitsAlready =
            new OverloadedException("another split of this tablet waits for its turn already", COME_BACK_MILLIS).bare();

    private final ReentrantLock lock = new ReentrantLock();

    /** Each of them has a turn, or fails, once. */
    @GuardedBy("lock") private final Map<TabletId, Asked> waiting = new HashMap<>();

    AskedSplits(FewAtOnce turns, Clock clock) {
        this.turns = turns;
        this.clock = clock;
    }

    /** What to split behind, taken when the work begins. */
    @FunctionalInterface
    interface Wish {
        /** Fails when nobody wants it any more. */
        SplitRow begin() throws BigtableException;
    }

    /** One that has its turn: until when it needs a thread, or keeps others from theirs, which never fails, and how it ends. */
    record Splitting(CompletableFuture<Void> busy, CompletableFuture<Bytes> row) {}

    /** Ends as {@code split} does, which returns at once and may begin later; OVERLOADED where another waits for its turn. */
    CompletableFuture<Bytes> ask(Caller caller, TabletId id, SplitRow where, Function<Wish, Splitting> split) {
        Asked asked = new Asked(caller, where, new CompletableFuture<>());
        Asked before;
        Optional<UnavailableException> over;
        lock.lock();
        try {
            before = waiting.get(id);
            over = before == null ? Optional.empty() : before.caller.whyOver(clock.nanos());
            if (before != null && over.isEmpty()) {
                return CompletableFuture.failedFuture(waitsAlready);
            }
            waiting.put(id, asked);
        } finally {
            lock.unlock();
        }
        if (before != null) {
            over.ifPresent(before.done::completeExceptionally);
        } else {
            CompletableFuture<?> unused = turns.begin(caller.host(), () -> begin(take(id), split))
                    .whenComplete((done, refused) -> {
                        if (refused != null) {
                            take(id).done.completeExceptionally(refused);
                        }
                    });
        }
        return asked.done;
    }

    private CompletableFuture<Void> begin(Asked asked, Function<Wish, Splitting> split) {
        Optional<UnavailableException> over = asked.caller.whyOver(clock.nanos());
        if (over.isPresent()) {
            asked.done.completeExceptionally(over.get());
            return CompletableFuture.completedFuture(null);
        }
        Splitting begun = split.apply(() -> {
            // Jobs of the tablet may have come before it.
            asked.caller.checkWaits(clock.nanos());
            return asked.where;
        });
        CompletableFuture<?> unused = begun.row.whenComplete((row, failure) -> {
            if (failure == null) {
                asked.done.complete(row);
            } else {
                asked.done.completeExceptionally(failure);
            }
        });
        return begun.busy;
    }

    private Asked take(TabletId id) {
        lock.lock();
        try {
            return Objects.requireNonNull(waiting.remove(id));
        } finally {
            lock.unlock();
        }
    }

    private record Asked(Caller caller, SplitRow where, CompletableFuture<Bytes> done) {}
}
