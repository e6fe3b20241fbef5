package bt.base;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One answer for all who ask at a time: however many they are, one is being put together and one waits for that. It is not put
 * together before the last of them has asked. Any thread.
 */
public final class SharedAnswer<T> {
    /** What nobody has begun to put together. */
    private final AtomicReference<@Nullable CompletableFuture<T>> next = new AtomicReference<>();

    /** Has the answer put together by whoever runs what it is given first: who asks after that gets another. */
    public CompletableFuture<T> ask(Function<Runnable, CompletableFuture<T>> maker) {
        CompletableFuture<T> mine = new CompletableFuture<>();
        CompletableFuture<T> before = next.compareAndExchange(null, mine);
        if (before != null) {
            return before.copy();
        }
        // A copy for each, who may cancel it.
        CompletableFuture<T> copy = mine.copy();
        CompletableFuture<?> unused = maker.apply(() -> next.set(null)).whenComplete((answer, failure) -> {
            // Where it was refused nobody has begun.
            next.compareAndSet(mine, null);
            if (failure == null) {
                mine.complete(answer);
            } else {
                mine.completeExceptionally(failure);
            }
        });
        return copy;
    }
}
