package bt.tablet;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.model.CellKey;
import bt.model.KeyParts;
import bt.model.RowRange;
import bt.sstable.Cursor;
import bt.sstable.ReadWork;
import java.util.Optional;

/**
 * The rows of a range from the last to the first: each of which there is any change, seen or not. Between two of them
 * whoever asks may go through the changes of the row. One thread.
 */
final class RowsDownwards {
    private final RowRange rows;
    private final Cursor changes;
    private final KeyParts parts = new KeyParts();

    RowsDownwards(RowRange rows, Cursor changes) {
        this.rows = rows;
        this.changes = changes;
    }

    /** Of all rows. */
    Cursor changes() {
        return changes;
    }

    Optional<Bytes> last() throws BigtableException {
        return rows.end().isPresent() ? before(rows.end().get()) : found(changes.seekToLast());
    }

    /** The last row below this one. */
    Optional<Bytes> before(Bytes row) throws BigtableException {
        return found(changes.seekBefore(CellKey.rowPrefix(row)));
    }

    private Optional<Bytes> found(boolean standing) throws BigtableException {
        ReadWork.ofThread().step();
        if (!standing) {
            return Optional.empty();
        }
        parts.find(changes.key());
        return Optional.of(parts.row()).filter(rows::contains);
    }
}
