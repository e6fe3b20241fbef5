package bt.sstable;

/** Where a file of an in-memory locality group is loaded, and what of its keys is the row. */
record InMemoryPlace(InMemoryShare share, FilterKey rowOf) {}
