package bt.tablet;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.RejectedException;
import bt.model.CellKey;

/** Where a row that was too large for a page goes on: after this cell key, at the sequence and time of its first page. */
public record Resume(Bytes afterKey, long sequence, long nowMicros) {
    /** REJECTED when it is no cell's key of the row: it came from a client. */
    CellKey decodeAfterKey(Bytes row) throws RejectedException {
        try {
            CellKey key = CellKey.decode(afterKey);
            if (key.row().equals(row) && key.kind() == CellKey.Kind.PUT) {
                return key;
            }
        } catch (CorruptionException e) {
            throw (RejectedException) new RejectedException("the read cannot go on after " + afterKey).causedBy(e);
        }
        throw new RejectedException("the read of row " + row + " cannot go on after " + afterKey);
    }
}
