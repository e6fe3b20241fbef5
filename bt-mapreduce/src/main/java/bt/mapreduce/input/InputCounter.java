package bt.mapreduce.input;

/** What a job that reads a table counts. */
public enum InputCounter {
    /** Rows that mappers got. */
    ROWS,
    /** Cells in those rows. */
    CELLS,
    /** Cells that the tablet servers showed to the scan's filter. */
    CELLS_SEEN
}
