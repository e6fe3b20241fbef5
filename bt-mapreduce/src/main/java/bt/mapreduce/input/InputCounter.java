package bt.mapreduce.input;

/** What a job that reads a table counts. The paper has no such counters. */
public enum InputCounter {
    /** Rows that mappers got, whole or cell by cell. */
    ROWS,
    /** Cells in those rows. */
    CELLS,
    /** Cells that the tablet servers showed to the scan's filter. */
    CELLS_SEEN,
    /**
     * How often a row that is read cell by cell went on in the row as it was by then, because a compaction had overtaken its
     * reading: its cells are of two moments.
     */
    TWO_MOMENTS
}
