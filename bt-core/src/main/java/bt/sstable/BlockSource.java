package bt.sstable;

import bt.base.BigtableException;

/** Where a cursor finds the blocks of its file. */
interface BlockSource {
    String path();

    /** Where every block of entries ends at the latest. */
    long end();

    /** A block of entries, checked. */
    Block block(BlockHandle handle) throws BigtableException;
}
