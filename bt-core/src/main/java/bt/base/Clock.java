package bt.base;

/** The kinds of time. The only place that asks the machine for any. */
public interface Clock {
    /** Wall clock, microseconds since 1970. May jump. */
    long micros();

    /** Monotonic nanoseconds from an arbitrary origin: for leases and deadlines. */
    long nanos();

    /** Nanoseconds that the calling thread has been at work; none where time is only told. */
    default long cpuNanos() {
        return 0;
    }

    /** This one, with a wall clock that is so much ahead of its own; or behind, where that is negative. */
    default Clock ahead(long micros) {
        Clock right = this;
        return new Clock() {
            @Override
            public long micros() {
                return right.micros() + micros;
            }

            @Override
            public long nanos() {
                return right.nanos();
            }

            @Override
            public long cpuNanos() {
                return right.cpuNanos();
            }
        };
    }

    /** The machine's. */
    static Clock system() {
        return SystemClock.INSTANCE;
    }
}
