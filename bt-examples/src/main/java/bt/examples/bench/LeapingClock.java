package bt.examples.bench;

import bt.base.Clock;
import java.time.Duration;

/** The machine's clock, and as far ahead of it as it has leapt. Any thread. */
final class LeapingClock implements Clock {
    private volatile long aheadNanos;

    /** One thread. */
    @SuppressWarnings("NonAtomicVolatileUpdate")
    void leap(Duration by) {
        aheadNanos += by.toNanos();
    }

    @Override
    public long micros() {
        return Clock.system().micros() + aheadNanos / 1_000;
    }

    @Override
    public long nanos() {
        return Clock.system().nanos() + aheadNanos;
    }
}
