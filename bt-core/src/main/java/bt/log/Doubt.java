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

    /** Whose fault it is that there is no segment for the batch. */
    enum Cause {
        /** Nobody has said anything yet. */
        OURS,
        /** The file system cannot be reached, from here at least. */
        UNKNOWN,
        /** The file system takes nothing from anybody. */
        STORE
    }

    /** At most zero when it is over. */
    long leftMillis(Cause cause) {
        return switch (cause) {
            case OURS -> doubtfulMillis + options.settleMillis() - nowMillis();
            case UNKNOWN -> begunMillis + options.outageMillis() - nowMillis();
            case STORE -> begunMillis + options.standstillMillis() - nowMillis();
        };
    }

    /** Until now nobody could write. */
    void passed() {
        doubtfulMillis = nowMillis();
    }

    private long nowMillis() {
        return clock.nanos() / 1_000_000;
    }
}
