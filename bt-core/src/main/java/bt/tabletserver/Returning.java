package bt.tabletserver;

/**
 * Whether the next batch waits for those who were answered just now. Callers who wait for their answers come back with
 * their next writes at once: few of them, taken as they come, fall into two groups that take turns, in batches half as
 * large, each of which costs a flush. So a small batch waits for them, no longer than a flush takes, and for a while not
 * again when they did not come. Owned by the commit thread.
 */
final class Returning {
    /** A batch of so many waits for nobody: what a flush costs is little for each of them. */
    static final int ENOUGH = 64;

    private static final long LEAST_MICROS = 50;
    private static final long MOST_MICROS = 1_000;

    /** In vain so often in turn: 2 to the power of this batches go without waiting. */
    private static final int MOST_MISSES = 6;

    private int misses;
    private int without;

    /** How many writes the next batch should have before it is sent, where so many are there and so many were answered. */
    int wanted(int here, int answered) {
        if (here >= ENOUGH) {
            return here;
        }
        if (without > 0) {
            without--;
            return here;
        }
        return Math.min(ENOUGH, here + answered);
    }

    /** For how long, where the last flush took so long. */
    static long micros(long flushMicros) {
        return Math.max(LEAST_MICROS, Math.min(MOST_MICROS, flushMicros));
    }

    /** So many there were at the end of the wait. */
    void came(int here, int wanted) {
        misses = here >= wanted - wanted / 4 ? 0 : Math.min(MOST_MISSES, misses + 1);
        without = (1 << misses) - 1;
    }
}
