package bt.model;

import bt.base.Bytes;

/**
 * One version of one column of one row. The timestamp is in microseconds unless the client chose its own. The label is
 * what a {@link Filter.Label} gave it on the way out, empty mostly; none is stored. Section 2 of the paper.
 */
public record Cell(Bytes row, ColumnKey column, long timestamp, Bytes value, String label) {
    public Cell(Bytes row, ColumnKey column, long timestamp, Bytes value) {
        this(row, column, timestamp, value, "");
    }

    /** Bytes of its row key, qualifier and value. */
    public long bytes() {
        return (long) row.length() + column.qualifier().length() + value.length();
    }
}
