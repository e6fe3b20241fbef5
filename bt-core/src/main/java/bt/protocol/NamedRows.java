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
        for (RowRange range : rows) {
            if (!isKey(range.start(), table.maxRowBytes()) && range.isOneRow()) {
                check(table, range.start());
            }
        }
    }

    /** REJECTED where it is no row key of the table; there need be no such row. */
    public static void check(TableSchema table, Bytes row) throws RejectedException {
        check(table.name(), row, table.maxRowBytes());
    }

    /** REJECTED where one of them is no row key, or the first comes after the last. */
    public static void checkSpan(String table, Bytes first, Bytes last) throws RejectedException {
        check(table, first, Limits.ROW_BYTES);
        check(table, last, Limits.ROW_BYTES);
        if (first.compareTo(last) > 0) {
            throw new RejectedException(
                    "table " + table + ": rows from " + first.brief() + " to " + last.brief()
                            + ": the first comes after the last",
                    "exchange them");
        }
    }

    private static void check(String table, Bytes row, int most) throws RejectedException {
        if (!isKey(row, most)) {
            throw new RejectedException(
                    "table " + table + ": a row key of " + row.length() + " bytes",
                    "name one of 1 to " + most + " bytes");
        }
    }

    private static boolean isKey(Bytes row, int most) {
        return !row.isEmpty() && row.length() <= most;
    }
}
