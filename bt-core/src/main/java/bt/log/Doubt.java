package bt.log;

import bt.base.Clock;

/**
 * How long a batch may yet be in no segment for certain. Time in which nobody could have written counts apart: it is
 * shared by all servers, and none of them is better off for having ended. One thread.
 */
final class Doubt {
    private final LogOptions options;
    private final Clock clock;
    private final long begunMillis;
    private long doubtfulMillis;

    Doubt(LogOptions options, Clock clock) {
        this.options = options;
        this.clock = clock;
        this.begunMillis = nowMillis();
        this.doubtfulMillis = begunMillis;
    }

    /** At most zero when it is over. */
    long leftMillis(boolean nobodyCouldWrite) {
        return nobodyCouldWrite
                ? begunMillis + options.standstillMillis() - nowMillis()
                : doubtfulMillis + options.settleMillis() - nowMillis();
    }

    /** Until now nobody could write. */
    void passed() {
        doubtfulMillis = nowMillis();
    }

    private long nowMillis() {
        return clock.nanos() / 1_000_000;
    }
}
