package bt.model;

/**
 * A table that was dropped and may come back; when that was, in microseconds since 1970 by the master's clock. The
 * paper has no such thing: its tables are deleted (section 3).
 */
public record DroppedTable(TableSchema schema, long droppedMicros) {}
