package bt.mapreduce.output;

/** What a job that writes a table counts. The paper has no such counters. */
public enum OutputCounter {
    /** Mutations that successful tasks applied. */
    MUTATIONS
}
