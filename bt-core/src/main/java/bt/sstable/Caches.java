package bt.sstable;

import bt.fs.LocalBlocks;

/**
 * What stays in memory of the SSTables of some tablets (section 6 of the paper): a scan cache of the entries that look-ups
 * found, a block cache below it, and beside them the files of in-memory locality groups, which nothing displaces. Each
 * keeps to its bytes. Any thread.
 */
public record Caches(BlockCache blocks, ScanCache scans, InMemoryShare inMemory) {
    public static Caches of(CacheSizes sizes) {
        return of(sizes, LocalBlocks.NONE);
    }

    /** With copies of blocks on a disk of this machine. */
    public static Caches of(CacheSizes sizes, LocalBlocks local) {
        return new Caches(
                BlockCache.ofBytes(sizes.blockBytes(), local),
                ScanCache.ofBytes(sizes.scanBytes()),
                InMemoryShare.ofBytes(sizes.inMemoryBytes()));
    }
}
