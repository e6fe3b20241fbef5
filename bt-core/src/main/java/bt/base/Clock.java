package bt.base;

/** The two kinds of time. The only place that asks the machine for either. */
public interface Clock {
    /** Wall clock, microseconds since 1970. May jump. */
    long micros();

    /** Monotonic nanoseconds from an arbitrary origin: for leases and deadlines. */
    long nanos();

    /** The machine's. */
    static Clock system() {
        return SystemClock.INSTANCE;
    }
}
