package bt.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A call that nobody waits for, and the bytes that are held for it until it ends. The application has {@link #told}, which
 * it may cancel or complete as it likes: the call goes on to its end all the same. Any thread.
 */
final class AsyncCall<T> extends CompletableFuture<T> {
    private static final long ENDED = -1;

    private final CompletableFuture<T> told = new CompletableFuture<>();
    private final Supplier<String> subject;
    private final long number;
    private final AtomicLong held;
    private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.UNSENT);

    /** How far it is: when its client is closed, that says what becomes of it. */
    enum Stage {
        /** No server has anything of it that changes something. */
        UNSENT,
        /** A server may have applied it. */
        SENT,
        /** A thread that may wait is at it, and when that is interrupted it says itself what became of it. */
        AT_WORK,
        /** Its client is closed. */
        STOPPED
    }

    /** @param number greater than those of all that began before */
    AsyncCall(Supplier<String> subject, long number, long bytes) {
        this.subject = subject;
        this.number = number;
        held = new AtomicLong(bytes);
    }

    String subject() {
        return subject.get();
    }

    /** That is how far it is from now on; false where its client is closed: then no thread begins with it, and nothing is sent. */
    boolean is(Stage now) {
        return stage.updateAndGet(before -> before == Stage.STOPPED ? before : now) != Stage.STOPPED;
    }

    /** Its client is closed; how far it was. A thread that is at it goes on to its end. */
    Stage stop() {
        return stage.getAndUpdate(now -> now == Stage.AT_WORK ? now : Stage.STOPPED);
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
