package bt.protocol;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.Limits;
import bt.model.RowRange;
import bt.model.TableSchema;
import java.util.List;

/**
 * Rows that somebody names one by one, each by a row key: those of a read, and those whose tablets are moved or merged. Ranges of a
 * read may begin and end anywhere. Servers look at what they are asked for, clients at all of a scan before it begins, for its
 * rows may be those of several servers, and at what would otherwise be tried again as if it could be done later.
 */
public final class NamedRows {
    private NamedRows() {}

    /** REJECTED, with the name of their table, where one of them is of no row key, as a write to it is. */
    public static void check(TableSchema table, List<RowRange> rows) throws RejectedException {
        int most = table.maxRowBytes();
        for (RowRange range : rows) {
            Bytes row = range.start();
            if (range.isOneRow()) {
                check(table.name(), row, most);
            }
        }
    }

    /** REJECTED where it is no row key; it need not be one of the table's. */
    public static void check(String table, Bytes row) throws RejectedException {
        check(table, row, Limits.ROW_BYTES);
    }

    /** REJECTED where one of them is no row key, or the first comes after the last. */
    public static void checkSpan(String table, Bytes first, Bytes last) throws RejectedException {
        check(table, first);
        check(table, last);
        if (first.compareTo(last) > 0) {
            throw new RejectedException("table " + table + ": rows from " + first.brief() + " to " + last.brief()
                    + ": the first comes after the last; exchange them");
        }
    }

    private static void check(String table, Bytes row, int most) throws RejectedException {
        if (row.isEmpty() || row.length() > most) {
            throw new RejectedException("table " + table + ": a row key of " + row.length()
                    + " bytes: name one of 1 to " + most + " bytes");
        }
    }
}
