package bt.client;

import static bt.base.Check.checkState;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Rows or cells of a scan, some at a time: those that have come together, about a page. One call at a time, from any
 * thread. Nothing has to be closed: between two calls servers hold nothing for it, and the client the pages that were asked
 * for ahead, one, or of a scan of several ranges as many as {@link ClientOptions#scanRequests}. Each counts as a call of
 * the client, and is asked for where there is room for one more; once it has come it gives way to calls that need its room,
 * after ten seconds to pages of others that are asked for ahead, too, and is asked for again when it is wanted. The paper
 * has no such thing.
 */
public final class AsyncScanner<T> {
    private final AsyncCalls calls;
    private final Supplier<String> subject;
    private final AsyncCalls.Reading<List<T>> next;
    private final AtomicBoolean asked = new AtomicBoolean();

    AsyncScanner(AsyncCalls calls, Supplier<String> subject, AsyncCalls.Reading<List<T>> next) {
        this.calls = calls;
        this.subject = subject;
        this.next = next;
    }

    /**
     * The next ones; none after the last. After a failure it may be called again and goes on where it stood; what a call that
     * was cancelled would have told is passed over.
     *
     * @throws IllegalStateException while the call before is under way
     */
    public CompletableFuture<List<T>> next() {
        checkState(asked.compareAndSet(false, true), "the scanner was asked again before it has answered");
        CompletableFuture<List<T>> call = new CompletableFuture<>();
        CompletableFuture<?> unused = calls.read(subject, 0, next).whenComplete((some, failure) -> {
            // Before the caller hears of it, who may ask again at once.
            asked.set(false);
            if (failure == null) {
                call.complete(some);
            } else {
                call.completeExceptionally(failure);
            }
        });
        return call;
    }
}
