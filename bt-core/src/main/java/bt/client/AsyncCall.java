package bt.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A call that nobody waits for, and the bytes that are held for it until it ends. The application has {@link #told}, which
 * it may cancel or complete as it likes: the call goes on to its end all the same. Any thread.
 */
final class AsyncCall<T> extends CompletableFuture<T> {
    private static final long ENDED = -1;

    private final CompletableFuture<T> told = new CompletableFuture<>();
    private final long number;
    private final AtomicLong held;

    /** @param number greater than those of all that began before */
    AsyncCall(long number, long bytes) {
        this.number = number;
        held = new AtomicLong(bytes);
    }

    long number() {
        return number;
    }

    /** The application's. */
    CompletableFuture<T> told() {
        return told;
    }

    /** Tells the application what the call ended with, which has no place any more: who hears of it may begin another. */
    void tell(T value, @Nullable Throwable failure) {
        if (failure == null) {
            told.complete(value);
        } else {
            told.completeExceptionally(failure);
        }
    }

    /** So many more are held, or fewer; false where it has ended, and they are nobody's. */
    boolean hold(long bytes) {
        return held.getAndUpdate(before -> before == ENDED ? ENDED : before + bytes) != ENDED;
    }

    /** What was held; asked for once. */
    long end() {
        return held.getAndSet(ENDED);
    }
}
