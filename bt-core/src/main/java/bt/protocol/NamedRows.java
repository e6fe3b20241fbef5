package bt.protocol;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.Limits;
import bt.model.RowRange;
import java.util.List;

/**
 * The rows of a read that are named one by one: each by a row key. Ranges may begin and end anywhere. Servers look at what
 * they are asked for, clients at all of a scan before it begins, for its rows may be those of several servers.
 */
public final class NamedRows {
    private NamedRows() {}

    /** REJECTED, with the name of their table, where one of them is of no row key, as a write to it is. */
    public static void check(String table, List<RowRange> rows) throws RejectedException {
        for (RowRange range : rows) {
            Bytes row = range.start();
            if ((row.isEmpty() || row.length() > Limits.ROW_BYTES) && range.isOneRow()) {
                throw new RejectedException("table " + table + ": a row key of " + row.length()
                        + " bytes: name one of 1 to " + Limits.ROW_BYTES + " bytes");
            }
        }
    }
}
