package bt.client;

import bt.base.Bytes;
import bt.model.Filter;
import bt.model.RowRange;
import bt.protocol.PageBounds;
import java.util.List;

/**
 * What a scanner reads: which rows, what of them, and how much at a time (section 3 of the paper: limiting the rows,
 * columns and timestamps). The filter runs in the tablet servers. The bounds of a page say how often a server is asked,
 * not how much is read in all.
 */
public record Scan(RowRange range, Filter filter, PageBounds page) {
    /** The whole table. */
    public static Scan all() {
        return of(RowRange.ALL);
    }

    /** Rows from the range's start, included, to its end, excluded. */
    public static Scan of(RowRange range) {
        return new Scan(range, Filter.ALL, PageBounds.DEFAULT);
    }

    /** One row: {@code Lookup} in figure 3 of the paper. */
    public static Scan row(String row) {
        return of(RowRange.row(Bytes.utf8(row)));
    }

    /** Only what the filter lets pass; a row of which nothing passes is not returned. */
    public Scan filtered(Filter wanted) {
        return new Scan(range, wanted, page);
    }

    /** Only cells of this family: {@code FetchColumnFamily} in figure 3 of the paper. */
    public Scan family(String family) {
        return filtered(new Filter.Families(List.of(family)));
    }

    /** At most so many rows, and about so many bytes, at a time. */
    public Scan pages(int rows, int bytes) {
        return pages(new PageBounds(rows, PageBounds.DEFAULT.cells(), bytes));
    }

    /** At most this much at a time. */
    public Scan pages(PageBounds bounds) {
        return new Scan(range, filter, bounds);
    }
}
