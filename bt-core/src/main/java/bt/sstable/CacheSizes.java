package bt.sstable;

import static bt.base.Check.checkArgument;

/**
 * How many bytes of SSTables may be in memory: blocks, entries that look-ups found, and whole files of in-memory locality
 * groups. 0 keeps nothing of its kind.
 */
public record CacheSizes(long blockBytes, long scanBytes, long inMemoryBytes) {
    public CacheSizes {
        checkArgument(
                blockBytes >= 0 && scanBytes >= 0 && inMemoryBytes >= 0,
                "%d bytes for blocks, %d for entries, %d for files in memory",
                blockBytes,
                scanBytes,
                inMemoryBytes);
    }

    public long total() {
        return blockBytes + scanBytes + inMemoryBytes;
    }
}
