package bt.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** A call that nobody waits for, and the bytes that are held for it until it ends. Any thread. */
final class AsyncCall<T> extends CompletableFuture<T> {
    private static final long ENDED = -1;

    private final AtomicLong held;

    AsyncCall(long bytes) {
        held = new AtomicLong(bytes);
    }

    /** More are held; false where it has ended, and they are nobody's. */
    boolean hold(long bytes) {
        return held.getAndUpdate(before -> before == ENDED ? ENDED : before + bytes) != ENDED;
    }

    /** What was held; asked for once. */
    long end() {
        return held.getAndSet(ENDED);
    }
}
