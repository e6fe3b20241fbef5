package bt.mapreduce.output;

/** What a job that writes a table counts. */
public enum OutputCounter {
    /** Mutations that successful tasks applied. */
    MUTATIONS
}
