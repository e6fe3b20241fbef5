package bt.tabletserver;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.Limits;
import bt.model.RowRange;
import bt.model.RowSet;

/** The rows of a read that are named one by one: each by a row key. Ranges may begin and end anywhere. */
final class NamedRows {
    private NamedRows() {}

    /** REJECTED where one of them is of no row key, as a write to it is. */
    static void check(RowSet rows) throws RejectedException {
        for (RowRange range : rows.ranges()) {
            Bytes row = range.start();
            if ((row.isEmpty() || row.length() > Limits.ROW_BYTES) && range.isOneRow()) {
                throw new RejectedException(
                        "a row key of " + row.length() + " bytes: name one of 1 to " + Limits.ROW_BYTES);
            }
        }
    }
}
