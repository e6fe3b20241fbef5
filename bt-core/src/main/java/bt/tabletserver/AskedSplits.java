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
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The splits that somebody asks for. Of each tablet one waits for its turn among what splits and hand-overs have to do, however
 * often it is asked for; beside it one may be under way. When nobody waits for it any more it is not begun, and the next who asks
 * has its place. Any thread.
 */
final class AskedSplits {
    /** A split, or what comes before it, takes as long. */
    private static final long COME_BACK_MILLIS = 1_000;

    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();

    /** Each of them is begun, or fails, by one piece of work. */
    @GuardedBy("lock") private final Map<TabletId, Asked> waiting = new HashMap<>();

    AskedSplits(Clock clock) {
        this.clock = clock;
    }

    /** What to split behind, taken when the work begins. */
    @FunctionalInterface
    interface Wish {
        /** Fails when nobody wants it any more. */
        SplitRow begin() throws BigtableException;
    }

    /** Ends as {@code split} does, which returns at once and may begin later; OVERLOADED where another waits for its turn. */
    CompletableFuture<Bytes> ask(
            Caller caller, TabletId id, SplitRow where, Function<Wish, CompletableFuture<Bytes>> split) {
        Asked asked = new Asked(caller, where, new CompletableFuture<>());
        Asked before;
        Optional<UnavailableException> over;
        lock.lock();
        try {
            before = waiting.get(id);
            over = before == null ? Optional.empty() : before.caller.whyOver(clock.nanos());
            if (before != null && over.isEmpty()) {
                return CompletableFuture.failedFuture(new OverloadedException(
                        id.inWords() + ": another split of it waits for its turn already", COME_BACK_MILLIS));
            }
            waiting.put(id, asked);
        } finally {
            lock.unlock();
        }
        if (before != null) {
            over.ifPresent(before.done::completeExceptionally);
        } else {
            begin(id, split);
        }
        return asked.done;
    }

    private void begin(TabletId id, Function<Wish, CompletableFuture<Bytes>> split) {
        AtomicReference<@Nullable Asked> begun = new AtomicReference<>();
        Wish wish = () -> {
            Asked asked = take(id);
            begun.set(asked);
            asked.caller.checkWaits(clock.nanos());
            return asked.where;
        };
        CompletableFuture<?> unused = split.apply(wish).whenComplete((row, failure) -> {
            Asked taken = begun.get();
            Asked asked = taken == null ? take(id) : taken;
            if (failure == null) {
                asked.done.complete(row);
            } else {
                asked.done.completeExceptionally(failure);
            }
        });
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
