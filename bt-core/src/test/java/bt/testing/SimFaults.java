package bt.testing;

import static bt.base.Check.checkArgument;

/**
 * How bad the way to something is: how long it takes, and which share of messages is lost going, lost coming back, or so
 * late that whoever sent it has given up. Shares are of one.
 */
public record SimFaults(long minMicros, long maxMicros, double requestsLost, double answersLost, double requestsLate) {
    public static final SimFaults NONE = new SimFaults(100, 1_000, 0, 0, 0);

    public SimFaults {
        checkArgument(minMicros > 0 && maxMicros > minMicros, "a way of %d to %d us", minMicros, maxMicros);
        checkArgument(
                requestsLost >= 0
                        && answersLost >= 0
                        && requestsLate >= 0
                        && requestsLost + answersLost + requestsLate <= 1,
                "shares of %f, %f and %f",
                requestsLost,
                answersLost,
                requestsLate);
    }
}
