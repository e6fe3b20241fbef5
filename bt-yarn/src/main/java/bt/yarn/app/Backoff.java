package bt.yarn.app;

import bt.base.Clock;

/** How long a role rests after a process of it died: not at all after a long life, twice as long after every short one. */
record Backoff(int shortLives, long readyNanos) {
    static final long SHORT_LIFE_MILLIS = 30_000;
    private static final long FIRST_REST_MILLIS = 500;
    private static final int MOST_DOUBLINGS = 7;

    static Backoff none(Clock clock) {
        return new Backoff(0, clock.nanos());
    }

    Backoff died(long startedNanos, Clock clock) {
        long now = clock.nanos();
        if (now - startedNanos > SHORT_LIFE_MILLIS * 1_000_000) {
            return new Backoff(0, now);
        }
        long restMillis = FIRST_REST_MILLIS << Math.min(shortLives, MOST_DOUBLINGS);
        return new Backoff(shortLives + 1, now + restMillis * 1_000_000);
    }

    boolean isResting(Clock clock) {
        return readyNanos - clock.nanos() > 0;
    }
}
