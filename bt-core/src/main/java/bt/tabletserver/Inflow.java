package bt.tabletserver;

/**
 * How fast memtables fill, by the second: as much as in the last one, and no less than half of what was said before it, so that a
 * second without writes is not taken for their end. Looked at by one thread, read by any.
 */
final class Inflow {
    private static final double NANOS_PER_SECOND = 1e9;

    private long sinceNanos;
    private long bytesThen;
    private volatile long bytesPerSecond;

    Inflow(long nowNanos) {
        sinceNanos = nowNanos;
    }

    /** So many bytes have come so far. */
    void look(long bytes, long nowNanos) {
        long elapsed = nowNanos - sinceNanos;
        if (elapsed >= NANOS_PER_SECOND) {
            long latest = Math.round((bytes - bytesThen) * NANOS_PER_SECOND / elapsed);
            bytesPerSecond = Math.max(latest, bytesPerSecond / 2);
            sinceNanos = nowNanos;
            bytesThen = bytes;
        }
    }

    /** Any thread. */
    long bytesPerSecond() {
        return bytesPerSecond;
    }
}
