package bt.tabletserver;

import static bt.base.Check.checkArgument;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Turns;
import bt.base.UnavailableException;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Work on other threads, of which so much is under way at once and the rest waits here, in {@link Turns} of whoever it is for: what
 * else these threads have to do stands behind no more of it than that. Any thread.
 */
final class FewAtOnce {
    private final int mostAtOnce;
    private final Turns<Pending> waiting;

    /** One for all that are refused, without a stack: they may be very many. */
    private final BigtableException full;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private int underWay;

    FewAtOnce(int mostAtOnce, int mostWaiting) {
        checkArgument(mostAtOnce > 0, "%d at once", mostAtOnce);
        this.mostAtOnce = mostAtOnce;
        this.waiting = new Turns<>(mostWaiting);
        this.full = new UnavailableException(
                        "too many of " + mostWaiting + " places are taken here", Outcome.NOT_APPLIED)
                .bare();
    }

    /**
     * Begins it when its turn has come; {@code work} returns at once and throws nothing. Ends as the work does, or UNAVAILABLE at
     * once when too much waits.
     */
    CompletableFuture<Void> begin(String whose, Supplier<CompletableFuture<Void>> work) {
        Pending pending = new Pending(work, new CompletableFuture<>());
        if (!waiting.add(whose, pending)) {
            return CompletableFuture.failedFuture(full);
        }
        beginWaiting();
        return pending.done;
    }

    private void beginWaiting() {
        for (Optional<Pending> next = next(); next.isPresent(); next = next()) {
            Pending begun = next.get();
            CompletableFuture<Void> work = begun.work.get();
            // Much that ends as it begins must not come to lie on the stack.
            boolean hasEnded = work.isDone();
            CompletableFuture<?> unused = work.handle((done, failure) -> {
                end(begun, failure);
                if (!hasEnded) {
                    beginWaiting();
                }
                return hasEnded;
            });
        }
    }

    private Optional<Pending> next() {
        lock.lock();
        try {
            Optional<Pending> next = underWay < mostAtOnce ? waiting.take() : Optional.empty();
            underWay += next.isPresent() ? 1 : 0;
            return next;
        } finally {
            lock.unlock();
        }
    }

    private void end(Pending ended, @Nullable Throwable failure) {
        lock.lock();
        try {
            underWay--;
        } finally {
            lock.unlock();
        }
        if (failure == null) {
            ended.done.complete(null);
        } else {
            ended.done.completeExceptionally(failure);
        }
    }

    private record Pending(Supplier<CompletableFuture<Void>> work, CompletableFuture<Void> done) {}
}
