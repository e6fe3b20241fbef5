package bt.client;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many bytes each batch writer of one client may hold: together as much as four that are full, in equal shares, or what
 * waits in many would be copied from one garbage collection to the next. A share is a writer's own: nobody waits for what
 * another holds. It shrinks when another is opened, and what is held beyond it then stays until it is written. Any thread.
 */
final class BatchShares {
    private static final int FULL = 4;

    /** A few requests: with less, a writer would wait for answers more than it would gather. */
    private static final long LEAST_BYTES = 1 << 20;

    private final long mostBytes;
    private final AtomicInteger writers = new AtomicInteger();

    /** Of what one may hold, however few there are. */
    BatchShares(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    void opened() {
        writers.incrementAndGet();
    }

    void closed() {
        writers.decrementAndGet();
    }

    /** What each of them may hold now. */
    long bytesOfEach() {
        long equal = FULL * mostBytes / Math.max(1, writers.get());
        return Math.min(mostBytes, Math.max(LEAST_BYTES, equal));
    }
}
