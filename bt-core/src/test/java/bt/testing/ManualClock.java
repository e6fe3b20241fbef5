package bt.testing;

import bt.base.Clock;

/** A clock that stands still until the test moves it. Any thread. */
public final class ManualClock implements Clock {
    private volatile long micros;

    public ManualClock(long micros) {
        this.micros = micros;
    }

    public void set(long newMicros) {
        micros = newMicros;
    }

    @Override
    public long micros() {
        return micros;
    }

    @Override
    public long nanos() {
        return micros * 1000;
    }
}
