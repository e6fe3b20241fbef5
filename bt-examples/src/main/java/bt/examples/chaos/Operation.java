package bt.examples.chaos;

/**
 * One thing that a client did to a register, in monotonic nanoseconds of this process. A write whose outcome is unknown, and
 * which may happen at any later time too, is not known.
 */
record Operation(boolean isWrite, long value, long beginNanos, long endNanos, boolean isKnown) {
    /** When it must have happened by. */
    long latestNanos() {
        return isKnown ? endNanos : Long.MAX_VALUE;
    }
}
