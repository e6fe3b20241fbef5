package bt.base;

import java.util.concurrent.CompletableFuture;

/** What {@link CompletableFuture} leaves out. */
public final class Futures {
    private Futures() {}

    /** Has the second end as the first does, if nothing else ends it before. */
    public static <T> void pass(CompletableFuture<T> from, CompletableFuture<T> to) {
        CompletableFuture<?> unused = from.whenComplete((value, failure) -> {
            if (failure == null) {
                to.complete(value);
            } else {
                to.completeExceptionally(failure);
            }
        });
    }
}
