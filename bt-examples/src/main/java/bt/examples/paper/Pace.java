package bt.examples.paper;

/**
 * How a caller goes through its rows.
 *
 * @param step of so many rows one is looked at
 * @param nanosBetween between the beginnings of two operations; 0: one begins when the one before has ended
 */
record Pace(int step, long nanosBetween) {
    private static final double NANOS_PER_SECOND = 1e9;

    /** Every row, as fast as it can. */
    static final Pace FULL = new Pace(1, 0);

    static Pace ofStep(int step) {
        return new Pace(step, 0);
    }

    /** Every row, so many a second. */
    static Pace ofRate(double perSecond) {
        return new Pace(1, Math.max(1, Math.round(NANOS_PER_SECOND / perSecond)));
    }
}
