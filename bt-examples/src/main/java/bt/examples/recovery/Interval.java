package bt.examples.recovery;

/** A stretch of monotonic time, in nanoseconds. */
record Interval(long beginNanos, long endNanos) {
    long millis() {
        return (endNanos - beginNanos) / 1_000_000;
    }
}
