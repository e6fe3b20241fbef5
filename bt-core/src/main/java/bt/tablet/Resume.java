package bt.tablet;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.RejectedException;
import bt.model.CellKey;
import java.util.List;

/**
 * Where a row that was too large for a page goes on: after this cell key, at the sequence and time of its first page, the
 * parts of the filter that count with what they had counted of the row before this key's column. What was met before the
 * key goes with it ({@link Halt}); where that is empty, the page walks again through what the key's column had before it.
 */
public record Resume(Bytes afterKey, long sequence, long nowMicros, List<Integer> counted, Bytes met) {
    /** For a sequence: the latest there is, and the time of then. */
    public static final long LATEST = Long.MAX_VALUE;

    public Resume {
        counted = List.copyOf(counted);
    }

    /** With a filter that counts nothing, from the beginning of the key's column. */
    Resume(Bytes afterKey, long sequence, long nowMicros) {
        this(afterKey, sequence, nowMicros, List.of(), Bytes.EMPTY);
    }

    /** Whether the walk goes on where it stood. */
    boolean hasMet() {
        return !met.isEmpty();
    }

    boolean isOfLatest() {
        return sequence == LATEST;
    }

    /** REJECTED when it is no key of the row: it came from a client. */
    CellKey decodeAfterKey(Bytes row) throws RejectedException {
        try {
            CellKey key = CellKey.decode(afterKey);
            if (key.row().equals(row)) {
                return key;
            }
        } catch (CorruptionException e) {
            throw (RejectedException) new RejectedException(
                            "the read cannot go on after " + afterKey, "read the row again from its beginning")
                    .causedBy(e);
        }
        throw new RejectedException(
                "the read of row " + row.brief() + " cannot go on after " + afterKey,
                "read the row again from its beginning");
    }
}
