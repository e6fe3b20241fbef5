package bt.tablet;

import java.util.Arrays;

/**
 * The limit of N versions of one column, as it was applied with every write: after each the column held the N with the
 * newest timestamps of what it had held before and what was written, and nothing that fell out came back, whatever was
 * deleted later. So a version counts against older ones from its write until it is deleted or falls out itself, and what
 * this class finds out by looking at all puts at once is what anybody would have found who dropped what fell out at any
 * time in between (see docs/ARCHITECTURE.md).
 *
 * <p>Puts come in the order of keys: timestamp descending, sequence descending. It keeps for how long each of them held a
 * place: from its sequence, until the deletion that took it, or for ever. Those that fell out need no record: at that
 * moment N newer ones were there, so everything older that was there too fell out with them at the latest. One thread.
 */
final class VersionLimit {
    private final int limit;

    /** Places held: sequences from, included, to, excluded. At most the limit's number at a time. */
    private long[] from = new long[4];

    private long[] to = new long[4];
    private int size;

    /** The places of versions with newer timestamps than {@link #timestamp}; those after are of that one. */
    private int newer;

    private boolean begun;
    private long timestamp;

    /** The put shown last, which overwrote the next one if that has the same timestamp; and whether it has a place. */
    private long overwriter;

    private boolean overwriterHasPlace;

    VersionLimit(int limit) {
        this.limit = limit;
    }

    void beginColumn() {
        size = 0;
        begun = false;
    }

    /** Whether the put has fallen out, before it was deleted or overwritten. */
    boolean add(long putTimestamp, long sequence, long deletedAt) {
        boolean sameVersion = begun && putTimestamp == timestamp;
        if (!sameVersion) {
            begun = true;
            timestamp = putTimestamp;
            newer = size;
        }
        boolean overwritten = sameVersion && overwriter < deletedAt;
        long end = overwritten ? overwriter : deletedAt;
        boolean fell = isFullWithin(sequence, end);
        if (!fell && !overwritten) {
            hold(sequence, end);
        } else if (!fell && overwriterHasPlace) {
            // The version kept its place when it was overwritten: it has had it since this put.
            from[size - 1] = sequence;
        }
        overwriterHasPlace = !fell && (!overwritten || overwriterHasPlace);
        overwriter = sequence;
        return fell;
    }

    /** True when every version with an older timestamp has fallen out. */
    boolean isReachedForGood() {
        int forGood = 0;
        for (int i = 0; i < size; i++) {
            forGood += to[i] == Deletions.NEVER ? 1 : 0;
        }
        return forGood >= limit;
    }

    /** Whether all places were taken by newer versions at some time from {@code start} until before {@code end}. */
    private boolean isFullWithin(long start, long end) {
        if (newer < limit) {
            return false;
        }
        // The most places are taken just before one of them is given up.
        if (taken(end - 1) >= limit) {
            return true;
        }
        for (int i = 0; i < newer; i++) {
            if (to[i] > start && to[i] < end && taken(to[i] - 1) >= limit) {
                return true;
            }
        }
        return false;
    }

    private int taken(long at) {
        int taken = 0;
        for (int i = 0; i < newer; i++) {
            taken += from[i] <= at && at < to[i] ? 1 : 0;
        }
        return taken;
    }

    private void hold(long start, long end) {
        if (size == from.length) {
            from = Arrays.copyOf(from, 2 * size);
            to = Arrays.copyOf(to, 2 * size);
        }
        from[size] = start;
        to[size] = end;
        size++;
    }
}
