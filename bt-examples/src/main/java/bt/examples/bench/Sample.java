package bt.examples.bench;

import org.HdrHistogram.Histogram;

/** What was done in one measured round: operations, what they used, how long each took in nanoseconds where that was asked. */
record Sample(long ops, Usage usage, Histogram latencies) {
    double opsPerSecond() {
        return ops * 1e9 / usage.nanos();
    }
}
