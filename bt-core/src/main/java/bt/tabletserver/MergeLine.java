package bt.tabletserver;

/** Where a compaction of files waits for a thread: each line has threads of its own, so that what is in it waits for nothing in another. */
enum MergeLine {
    /** Of a tablet with so many files that reads are slow, and writes may be refused. */
    CROWDED,
    /** For a promise by when deleted data is gone: a server that is short of memory has merges of all its tablets to do, for hours perhaps. */
    PROMISED,
    USUAL
}
