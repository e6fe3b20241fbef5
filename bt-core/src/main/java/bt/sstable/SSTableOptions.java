package bt.sstable;

import static bt.base.Check.checkArgument;

import java.util.Optional;

/**
 * How a new SSTable is written. No Bloom filter where {@code bloomBitsPerKey} is 0; else one by {@code filterKey}, the row
 * part of a key, and where there is a {@code columnFilterKey}, the part for row and column, one by that for cells.
 */
public record SSTableOptions(
        int blockBytes, String codec, int bloomBitsPerKey, FilterKey filterKey, Optional<FilterKey> columnFilterKey) {
    static final int MAX_BLOCK_BYTES = 4 << 20;
    static final int MAX_BLOOM_BITS = 32;

    public SSTableOptions {
        checkArgument(
                blockBytes >= 1 && blockBytes <= MAX_BLOCK_BYTES,
                "blocks of %d bytes, not 1 to %d",
                blockBytes,
                MAX_BLOCK_BYTES);
        checkArgument(
                bloomBitsPerKey >= 0 && bloomBitsPerKey <= MAX_BLOOM_BITS,
                "%d Bloom bits a key, not 0 to %d",
                bloomBitsPerKey,
                MAX_BLOOM_BITS);
        Codecs.check(codec);
    }

    /** Without a filter by row and column. */
    public SSTableOptions(int blockBytes, String codec, int bloomBitsPerKey, FilterKey filterKey) {
        this(blockBytes, codec, bloomBitsPerKey, filterKey, Optional.empty());
    }

    /** The same, with a filter by row and column. */
    public SSTableOptions withColumns(FilterKey columnKey) {
        return new SSTableOptions(blockBytes, codec, bloomBitsPerKey, filterKey, Optional.of(columnKey));
    }
}
