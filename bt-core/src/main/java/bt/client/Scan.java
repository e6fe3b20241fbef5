package bt.client;

import bt.base.Bytes;
import bt.model.Filter;
import bt.model.RowRange;
import bt.model.RowSet;
import bt.model.RowWalk;
import bt.protocol.PageBounds;
import java.util.List;

/**
 * What a scanner reads: which rows and in which order, what of them, how much at a time, and how much in all (section 3
 * of the paper: limiting the rows, columns and timestamps). The filter runs in the tablet servers. The bounds of a page
 * say how often a server is asked, not how much is read.
 */
public record Scan(RowWalk walk, Filter filter, PageBounds page, ReadLimits limits) {
    /** The whole table. */
    public static Scan all() {
        return of(RowSet.ALL);
    }

    /** The rows of one range, upwards, with everything in them. */
    public static Scan of(RowRange range) {
        return of(RowSet.of(range));
    }

    /** Single rows and ranges, each once however often it is named; those of one tablet are asked for together. */
    public static Scan of(RowSet rows) {
        return new Scan(new RowWalk(rows, false), Filter.ALL, PageBounds.DEFAULT, ReadLimits.NONE);
    }

    /** One row: {@code Lookup} in figure 3 of the paper. */
    public static Scan row(String row) {
        return of(RowRange.row(Bytes.utf8(row)));
    }

    /** What of the rows lies in the range. */
    public Scan within(RowRange range) {
        return new Scan(walk.within(range), filter, page, limits);
    }

    /** From the last row to the first; the cells of each row in their order. Of a reversed one the other way. */
    public Scan reversed() {
        return new Scan(new RowWalk(walk.rows(), !walk.reversed()), filter, page, limits);
    }

    /** Only what the filter lets pass, and no other filter; a row of which nothing passes is not returned. */
    public Scan filtered(Filter wanted) {
        return new Scan(walk, wanted, page, limits);
    }

    /** Only cells of this family: {@code FetchColumnFamily} in figure 3 of the paper. */
    public Scan family(String family) {
        return filtered(new Filter.Families(List.of(family)));
    }

    /** Of what passes so far, the newest so many versions of each column. */
    public Scan versions(int most) {
        return passing(new Filter.Latest(most));
    }

    /** Of what passes so far, the first so many cells of each row. */
    public Scan cellsPerRow(int most) {
        return passing(new Filter.First(most));
    }

    /**
     * As of a time: of what passes so far, of each column the version that was the newest then, if timestamps are times.
     * What was deleted since, or has become garbage, is not there.
     *
     * @param timestamp included; in microseconds, where servers give timestamps
     */
    public Scan asOf(long timestamp) {
        return passing(new Filter.Times(Long.MIN_VALUE, timestamp)).versions(1);
    }

    /** Ends with the row that reaches one of these. */
    public Scan limited(ReadLimits most) {
        return new Scan(walk, filter, page, most);
    }

    /** Ends after so many rows. */
    public Scan limit(long rows) {
        return limited(limits.rows(rows));
    }

    /** At most so many rows, and about so many bytes, at a time. */
    public Scan pages(int rows, int bytes) {
        return pages(new PageBounds(rows, PageBounds.DEFAULT.cells(), bytes));
    }

    /** At most this much at a time. */
    public Scan pages(PageBounds bounds) {
        return new Scan(walk, filter, bounds, limits);
    }

    private Scan passing(Filter more) {
        return filtered(filter.equals(Filter.ALL) ? more : new Filter.Chain(List.of(filter, more)));
    }
}
