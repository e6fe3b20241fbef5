package bt.model;

import bt.base.ByteRange;
import bt.base.Bytes;
import java.util.Optional;

/**
 * Rows from {@code start}, included, to {@code end}, excluded; no end means to the last row. Section 2 of the paper:
 * rows are kept in order, so that a range of them is read from few machines.
 */
public record RowRange(Bytes start, Optional<Bytes> end) {
    /** Every row. */
    public static final RowRange ALL = new RowRange(Bytes.EMPTY, Optional.empty());

    /** From one row, included, to another, excluded; empty where that does not come later. */
    public static RowRange of(Bytes start, Bytes end) {
        return new RowRange(start, Optional.of(end));
    }

    private static RowRange of(ByteRange rows) {
        return new RowRange(rows.from(), rows.to());
    }

    /** Both included. */
    public static RowRange closed(Bytes first, Bytes last) {
        return of(first, last.successor());
    }

    /** From this row, included, to the last. */
    public static RowRange from(Bytes start) {
        return new RowRange(start, Optional.empty());
    }

    /** From this row, excluded, to the last. */
    public static RowRange after(Bytes row) {
        return from(row.successor());
    }

    /** From the first row to this one, excluded. */
    public static RowRange before(Bytes end) {
        return of(Bytes.EMPTY, end);
    }

    /** From the first row to this one, included. */
    public static RowRange upTo(Bytes last) {
        return before(last.successor());
    }

    /**
     * One row alone: from it, included, to its {@link Bytes#successor}, excluded. That it is a row key, of 1 to 65,536
     * bytes, is judged where it is read.
     */
    public static RowRange row(Bytes row) {
        return of(row, row.successor());
    }

    /** Every row that begins with {@code prefix}. */
    public static RowRange prefix(Bytes prefix) {
        return of(ByteRange.prefix(prefix));
    }

    /** Whether the row lies in the range. */
    public boolean contains(Bytes row) {
        return row.compareTo(start) >= 0 && (end.isEmpty() || row.compareTo(end.get()) < 0);
    }

    /** Whether it ends where it begins, or before. */
    public boolean isEmpty() {
        return end.isPresent() && end.get().compareTo(start) <= 0;
    }

    /** Whether it is {@link #row}'s of its first row: nothing else can be in it. */
    public boolean isOneRow() {
        return end.isPresent() && end.get().isSuccessorOf(start);
    }

    /** What lies in both; may be empty. */
    public RowRange intersect(RowRange that) {
        Bytes from = start.compareTo(that.start) >= 0 ? start : that.start;
        Optional<Bytes> to = end.isEmpty()
                ? that.end
                : that.end.isEmpty() || end.get().compareTo(that.end.get()) <= 0 ? end : that.end;
        // Mostly one lies in the other, and every read asks.
        return from.equals(start) && to.equals(end) ? this : new RowRange(from, to);
    }
}
