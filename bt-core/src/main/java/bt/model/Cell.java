package bt.model;

import bt.base.Bytes;

/** One version of one column of one row. The timestamp is in microseconds unless the client chose its own. */
public record Cell(Bytes row, ColumnKey column, long timestamp, Bytes value) {}
