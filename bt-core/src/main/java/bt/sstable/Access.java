package bt.sstable;

/** What a cursor is opened for, which decides how it reads, and what of that stays in the block cache. */
public enum Access {
    /** Entries of one place: its blocks are kept. */
    LOOK_UP,
    /** Entries of many places, in order: finds blocks that are kept, reads ahead, and keeps only the first in the part that scans have. */
    SCAN,
    /** The same from the last to the first: nothing can be read ahead, and each block is asked for by all rows in it. */
    REVERSED_SCAN,
    /** All entries, once: neither asks the cache nor changes it. */
    COMPACTION
}
