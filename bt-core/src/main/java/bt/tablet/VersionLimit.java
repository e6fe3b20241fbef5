package bt.tablet;

import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;

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
    private final Places places = new Places();

    /** How many hold their place for ever. */
    private int forGood;

    private boolean begun;
    private long timestamp;

    /** The put shown last, which overwrote the next one if that has the same timestamp; and whether it has a place. */
    private long overwriter;

    private boolean overwriterHasPlace;

    VersionLimit(int limit) {
        this.limit = limit;
    }

    void beginColumn() {
        places.clear();
        forGood = 0;
        begun = false;
    }

    /** Whether the put has fallen out, before it was deleted or overwritten. */
    boolean add(long putTimestamp, long sequence, long deletedAt) {
        boolean sameVersion = begun && putTimestamp == timestamp;
        begun = true;
        timestamp = putTimestamp;
        boolean overwritten = sameVersion && overwriter < deletedAt;
        long end = overwritten ? overwriter : deletedAt;
        // Puts of the same timestamp hold no place meanwhile: the later one was written at this one's end at the
        // earliest.
        boolean fell = places.mostWithin(sequence, end) >= limit;
        boolean hasPlace = !fell && (!overwritten || overwriterHasPlace);
        if (hasPlace) {
            // A version that was overwritten kept its place: it has had it since this put.
            places.take(sequence, end);
            forGood += end == Deletions.NEVER ? 1 : 0;
        }
        overwriterHasPlace = hasPlace;
        overwriter = sequence;
        return fell;
    }

    /** What {@link #restore} needs, which may be as long as the column has had versions. */
    void save(Output out) {
        out.varint(forGood).u8(begun ? 1 : 0);
        if (begun) {
            out.u64(timestamp).varint(overwriter).u8(overwriterHasPlace ? 1 : 0);
            places.save(out);
        }
    }

    /** Goes on in the column as another did that was saved. */
    void restore(Input in) throws CorruptionException {
        beginColumn();
        forGood = in.length("places held for good", Integer.MAX_VALUE);
        begun = in.u8("whether the column has begun") == 1;
        if (begun) {
            timestamp = in.u64("timestamp");
            overwriter = in.varint("sequence");
            overwriterHasPlace = in.u8("whether it has a place") == 1;
            places.restore(in);
        }
    }

    /** True when every version with an older timestamp has fallen out. */
    boolean isReachedForGood() {
        return forGood >= limit;
    }
}
