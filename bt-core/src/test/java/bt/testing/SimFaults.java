package bt.testing;

import static bt.base.Check.checkArgument;

/**
 * How bad the way to something is: how long it takes, and which share of messages is lost going, lost coming back, or so
 * late that whoever sent it has given up. Shares are of one.
 *
 * @param requestsTwice of which a copy arrives later
 * @param answersOld that take seconds, in which others may change what was read
 */
public record SimFaults(
        long minMicros,
        long maxMicros,
        double requestsLost,
        double answersLost,
        double requestsLate,
        double requestsTwice,
        double answersOld) {
    public static final SimFaults NONE = new SimFaults(100, 1_000, 0, 0, 0);
    /** How late a copy or an old answer may be. */
    static final long OLD_MICROS = 2_500_000;

    /** Nothing comes twice, no answer is old. */
    public SimFaults(long minMicros, long maxMicros, double requestsLost, double answersLost, double requestsLate) {
        this(minMicros, maxMicros, requestsLost, answersLost, requestsLate, 0, 0);
    }

    public SimFaults {
        checkArgument(minMicros > 0 && maxMicros > minMicros, "a way of %d to %d us", minMicros, maxMicros);
        checkArgument(
                requestsLost >= 0
                        && answersLost >= 0
                        && requestsLate >= 0
                        && requestsTwice >= 0
                        && answersOld >= 0
                        && requestsLost + answersLost + requestsLate + requestsTwice + answersOld <= 1,
                "shares of %f, %f, %f, %f and %f",
                requestsLost,
                answersLost,
                requestsLate,
                requestsTwice,
                answersOld);
    }

    /** The same, and of so many requests a copy, and so many answers old. */
    public SimFaults and(double twice, double old) {
        return new SimFaults(minMicros, maxMicros, requestsLost, answersLost, requestsLate, twice, old);
    }
}
