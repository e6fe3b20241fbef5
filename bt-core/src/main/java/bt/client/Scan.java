package bt.client;

import bt.base.Bytes;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.RowRange;
import bt.model.RowSet;
import bt.model.RowWalk;
import bt.model.Selection;
import bt.protocol.PageBounds;
import java.util.List;

/**
 * What a scanner reads: which rows and in which order, what of them, how much at a time, and how much in all (section 3
 * of the paper: limiting the rows, columns and timestamps). What is said of the cells of rows adds up in any order: each
 * method narrows what those before it left. The filter runs in the tablet servers. The bounds of a page say how often a
 * server is asked, not how much is read.
 */
public record Scan(RowWalk walk, Selection selection, PageBounds page, ReadLimits limits) {
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
        return new Scan(new RowWalk(rows, false), Selection.ALL, PageBounds.DEFAULT, ReadLimits.NONE);
    }

    /** One row: {@code Lookup} in figure 3 of the paper. */
    public static Scan row(String row) {
        return of(RowRange.row(Bytes.utf8(row)));
    }

    /** The same by a key of any bytes. */
    public static Scan row(Bytes row) {
        return of(RowRange.row(row));
    }

    /** All rows whose keys begin with these bytes. */
    public static Scan prefix(Bytes prefix) {
        return of(RowRange.prefix(prefix));
    }

    /** What of the rows lies in the range. */
    public Scan within(RowRange range) {
        return new Scan(walk.within(range), selection, page, limits);
    }

    /** These rows instead, in the same order. */
    public Scan over(RowSet rows) {
        return new Scan(new RowWalk(rows, walk.reversed()), selection, page, limits);
    }

    /** From the last row to the first; the cells of each row in their order. Of a reversed one the other way. */
    public Scan reversed() {
        return new Scan(new RowWalk(walk.rows(), !walk.reversed()), selection, page, limits);
    }

    /** Of what passes so far only what this filter lets pass too; a row of which nothing passes is not returned. */
    public Scan filtered(Filter wanted) {
        return selecting(selection.passing(wanted));
    }

    /** Of what passes so far only cells of this family: {@code FetchColumnFamily} in figure 3 of the paper. */
    public Scan family(String family) {
        return families(family);
    }

    /** Of what passes so far only cells of these families; IllegalArgumentException where none is named. */
    public Scan families(String... families) {
        return filtered(new Filter.Families(List.of(families)));
    }

    /** Of what passes so far only cells of this column. */
    public Scan column(ColumnKey column) {
        return columns(column);
    }

    /** Of what passes so far only cells of these columns; IllegalArgumentException where none is named. */
    public Scan columns(ColumnKey... columns) {
        return filtered(new Filter.Columns(List.of(columns)));
    }

    /**
     * Of all that passes {@link #filtered} and {@link #families} the newest so many versions of each column; of several
     * numbers the smallest.
     */
    public Scan versions(int most) {
        return selecting(selection.versions(most));
    }

    /** Of the versions that are left the first so many cells of each row. */
    public Scan cellsPerRow(int most) {
        return selecting(selection.then(new Filter.First(most)));
    }

    /**
     * As of a time: filters and numbers are asked of the versions up to it, and of each column there is the one that was
     * the newest then, if timestamps are times, or as many as {@link #versions} says. What was deleted since, or has
     * become garbage, is not there.
     *
     * @param timestamp included; in microseconds, where servers give timestamps
     */
    public Scan asOf(long timestamp) {
        return selecting(selection.asOf(timestamp));
    }

    /** What of the cells of its rows is read, as one filter. */
    public Filter filter() {
        return selection.filter();
    }

    /** Ends with the row that reaches one of these. */
    public Scan limited(ReadLimits most) {
        return new Scan(walk, selection, page, most);
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
        return new Scan(walk, selection, bounds, limits);
    }

    private Scan selecting(Selection more) {
        return new Scan(walk, more, page, limits);
    }
}
