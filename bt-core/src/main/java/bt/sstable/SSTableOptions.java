package bt.sstable;

import static bt.base.Check.checkArgument;

/** How a new SSTable is written. No Bloom filter where {@code bloomBitsPerKey} is 0. */
public record SSTableOptions(int blockBytes, String codec, int bloomBitsPerKey, FilterKey filterKey) {
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
        Codec.named(codec);
    }
}
