package bt.sstable;

/** What a {@link BlockCache} keeps of a file: a block, a filter, or what its dictionary was made into. Any thread. */
interface Cached {
    /** What it weighs. */
    int bytes();
}
