package bt.sstable;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * The blocks of a server's SSTables that were read last and most (section 6 of the paper), bounded by their bytes. Any
 * thread. For one file store: a block is known by the path of its file, which is written once, and its offset.
 */
public final class BlockCache {
    private final long maxBytes;
    private final Cache<Key, Block> blocks;
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder openBytes = new LongAdder();

    private BlockCache(long maxBytes) {
        this.maxBytes = maxBytes;
        blocks = Caffeine.newBuilder()
                .maximumWeight(maxBytes)
                .weigher((Key key, Block block) -> block.bytes())
                // On the thread that came: no pool of another's, and the simulator repeats.
                .executor(Runnable::run)
                .build();
    }

    public static BlockCache ofBytes(long maxBytes) {
        return new BlockCache(maxBytes);
    }

    public long hits() {
        return hits.sum();
    }

    public long misses() {
        return misses.sum();
    }

    public long maxBytes() {
        return maxBytes;
    }

    /** What the blocks in it take, about. */
    public long bytes() {
        return blocks.policy()
                .eviction()
                .map(eviction -> eviction.weightedSize().orElse(0))
                .orElse(0L);
    }

    /** What the open files that are read through it have of their indexes and filters in memory, beside its own bytes. */
    public long openBytes() {
        return openBytes.sum();
    }

    void countOpen(long bytes) {
        openBytes.add(bytes);
    }

    // Two calls and no loading inside the cache: a loader holds one of its locks, and a read may wait for a disk. Two
    // readers that miss at once read the same block twice.
    Optional<Block> find(String path, long offset) {
        Block block = blocks.getIfPresent(new Key(path, offset));
        (block == null ? misses : hits).increment();
        return Optional.ofNullable(block);
    }

    void keep(Block block) {
        blocks.put(new Key(block.path, block.offset), block);
    }

    private record Key(String path, long offset) {}
}
