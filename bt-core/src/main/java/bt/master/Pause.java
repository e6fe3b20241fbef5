package bt.master;

/** Before what has failed is tried again: twice as long each time, ten minutes at most. */
record Pause(long nanos, long untilNanos) {
    private static final long LONGEST_NANOS = 600_000_000_000L;

    static final Pause NONE = new Pause(0, 0);

    /** After another failure. */
    Pause longer(long firstNanos, long nowNanos) {
        long next = nanos == 0 ? firstNanos : Math.min(2 * nanos, LONGEST_NANOS);
        return new Pause(next, nowNanos + next);
    }

    boolean isOver(long nowNanos) {
        return nanos == 0 || nowNanos - untilNanos >= 0;
    }
}
