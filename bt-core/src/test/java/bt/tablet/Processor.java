package bt.tablet;

import bt.base.Clock;

/** A thread's processor time, and no other. */
final class Processor implements Clock {
    long nanos;

    @Override
    public long micros() {
        return 0;
    }

    @Override
    public long nanos() {
        return 0;
    }

    @Override
    public long cpuNanos() {
        return nanos;
    }
}
