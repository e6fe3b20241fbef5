package bt.sstable;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * The blocks of a server's SSTables that were read last and most (section 6 of the paper), bounded by their bytes. Scans
 * have an eighth of it, which is all that they may fill: those of a large table would else flush what look-ups need, were
 * it a few blocks at a time. Any thread. For one file store: a block is known by the path of its file, which is written
 * once, and its offset.
 */
public final class BlockCache {
    private static final int PART_OF_SCANS = 8;

    private final long maxBytes;
    private final Cache<Key, Block> lookedUp;
    private final Cache<Key, Block> scanned;
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder openBytes = new LongAdder();

    private BlockCache(long maxBytes) {
        this.maxBytes = maxBytes;
        this.scanned = ofWeight(maxBytes / PART_OF_SCANS);
        this.lookedUp = ofWeight(maxBytes - maxBytes / PART_OF_SCANS);
    }

    private static Cache<Key, Block> ofWeight(long weight) {
        return Caffeine.newBuilder()
                .maximumWeight(weight)
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
        return weight(lookedUp) + weight(scanned);
    }

    /** What the entries of a cache weigh together. */
    static long weight(Cache<?, ?> cache) {
        return cache.policy()
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
    Optional<Block> find(String path, long offset, Access access) {
        Key key = new Key(path, offset);
        Block block = lookedUp.getIfPresent(key);
        if (block == null) {
            block = scanned.getIfPresent(key);
            if (block != null && access == Access.LOOK_UP) {
                scanned.invalidate(key);
                lookedUp.put(key, block);
            }
        }
        (block == null ? misses : hits).increment();
        return Optional.ofNullable(block);
    }

    void keep(Block block, Access access) {
        (access == Access.LOOK_UP ? lookedUp : scanned).put(new Key(block.path, block.offset), block);
    }

    private record Key(String path, long offset) {}
}
