package bt.tablet;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;
import bt.base.RejectedException;
import bt.model.CellKey;
import bt.model.Limits;
import java.util.Optional;

/**
 * What a page that ends inside a row has for the one that goes on there, so that this one need not look again at what was
 * before: where the walk stood, what it had met that bears on what comes after, what the filter had counted. Goes to the
 * client and back as bytes that a tablet alone reads.
 */
final class Halt {
    /** Of a count, as a varint. */
    private static final int MOST_COUNT_BYTES = 5;

    /** What a walk has met, and a count for each part of a filter: no page has more for the next one. */
    private static final int MOST_MET_BYTES = VersionFilter.MAX_MET_BYTES + Limits.FILTER_PARTS * MOST_COUNT_BYTES;

    private Halt() {}

    /**
     * Of a walk behind {@code lastKey}, which is empty where it is the key that the page goes on after; empty where what was
     * met is too much to go with a page. {@code rowSeen} says whether the filter was shown a cell of the row.
     */
    static Optional<Bytes> encode(boolean rowSeen, Bytes lastKey, VersionFilter versions, PageFilter filter) {
        return versions.met().map(met -> {
            Output out = new Output();
            out.u8(rowSeen ? 1 : 0).bytes(lastKey).raw(met);
            filter.save(versions.row(), versions.columnInside(), out);
            return out.toBytes();
        });
    }

    /**
     * Puts the walk and the filter where the last page ended; whether the row was seen. REJECTED where the bytes are of no
     * such page of this row.
     */
    static boolean goOn(Resume resume, Bytes row, VersionFilter versions, PageFilter filter) throws RejectedException {
        Input in = Input.of("what the last page met", resume.met());
        try {
            boolean rowSeen = in.u8("whether the row was seen") == 1;
            Bytes lastKey = in.bytes("last key");
            if (!lastKey.isEmpty() && !CellKey.decode(lastKey).row().equals(row)) {
                throw in.corrupt("a key of another row");
            }
            // In memory it may be seventy times as much, and a request may be of many megabytes.
            if (in.remaining() > MOST_MET_BYTES) {
                throw in.corrupt("more than a page has for the next one");
            }
            versions.goOnAfter(lastKey.isEmpty() ? resume.afterKey() : lastKey, in);
            filter.goOn(versions.row(), versions.columnInside(), in);
            in.end("what was met");
            return rowSeen;
        } catch (CorruptionException foreign) {
            throw (RejectedException) new RejectedException(
                            "the read of row " + row.brief() + " cannot go on inside it",
                            "read the row again from its beginning")
                    .causedBy(foreign);
        }
    }
}
