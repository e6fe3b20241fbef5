package bt.mapreduce.tool;

/** What {@link LinkCheck} counts, as counters of its job. */
public enum LinkCount {
    /** Rows of the table. */
    ROWS,
    /** Rows that name another. */
    LINKS,
    /** Rows that are named and not there. */
    MISSING
}
