package bt.tablet;

import java.util.Optional;

/** For how long what has failed is left alone: ten seconds, each time twice as long, ten minutes at most. */
public record Rest(long untilNanos, long nanos) {
    private static final long FIRST_NANOS = 10_000_000_000L;
    private static final long LONGEST_NANOS = 600_000_000_000L;

    /** After another failure. */
    public static Rest after(Optional<Rest> before, long nowNanos) {
        long nanos = before.map(rest -> Math.min(2 * rest.nanos, LONGEST_NANOS)).orElse(FIRST_NANOS);
        return new Rest(nowNanos + nanos, nanos);
    }

    public boolean isOver(long nowNanos) {
        return untilNanos - nowNanos <= 0;
    }
}
