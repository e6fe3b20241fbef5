package bt.sstable;

import bt.fs.LocalBlocks;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of a server's SSTables that were read last and most (section 6 of the paper), bounded by their bytes. Scans
 * have an eighth of it, which is all that they may fill: those of a large table would else flush what look-ups need, were
 * it a few blocks at a time. Up to a quarter tells where blocks that are no longer in it can be read in part. Any thread.
 * For one file store: a block is known by the path of its file, which is written once, and its offset.
 */
public final class BlockCache {
    private static final int PART_OF_SCANS = 8;

    /**
     * What was learnt of blocks, half a hundredth of them, has so much at most, of what look-ups have: it outlives the
     * blocks. That is enough for forty times the cache, and nobody has what it does not need.
     */
    private static final int PART_OF_LEARNT = 4;

    /** What open files may have in memory beside the cache: a part of its bytes, but so much at least. */
    private static final int PART_OF_OPEN_FILES = 2;

    private static final long LEAST_OF_OPEN_FILES = 32L << 20;

    /** What scans may have read ahead beside the cache: as much as they have of it, but so much at least. */
    private static final long LEAST_READ_AHEAD = 16L << 20;

    private final long maxBytes;
    private final long maxOpenBytes;
    private final LookUps lookedUp;
    private final Cache<BlockKey, Cached> scanned;
    private final Cache<BlockKey, BlockPieces> learnt;
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder copiesFound = new LongAdder();
    private final LongAdder copiesMissed = new LongAdder();
    private final AtomicLong openBytes = new AtomicLong();
    private final LocalBlocks local;
    private final ReadAheads readAheads;

    private BlockCache(long maxBytes, long maxOpenBytes, LocalBlocks local) {
        this.maxBytes = maxBytes;
        this.local = local;
        this.maxOpenBytes = maxOpenBytes;
        this.scanned = ofWeight(maxBytes / PART_OF_SCANS);
        this.learnt = ofWeight(maxBytes / PART_OF_LEARNT);
        this.lookedUp = new LookUps(maxBytes - maxBytes / PART_OF_SCANS);
        this.readAheads = new ReadAheads(Math.max(maxBytes / PART_OF_SCANS, Math.min(maxBytes, LEAST_READ_AHEAD)));
    }

    /** Of so many bytes, for what is used most. */
    static <T extends Cached> Cache<BlockKey, T> ofWeight(long weight) {
        return Caffeine.newBuilder()
                .maximumWeight(weight)
                .weigher((BlockKey key, T part) -> part.bytes())
                // On the thread that came: no pool of another's, and the simulator repeats.
                .executor(Runnable::run)
                .build();
    }

    public static BlockCache ofBytes(long maxBytes) {
        return ofBytes(maxBytes, LocalBlocks.NONE);
    }

    /** With a second level of blocks below it, as they lie in their files. */
    public static BlockCache ofBytes(long maxBytes, LocalBlocks local) {
        return new BlockCache(maxBytes, Math.max(LEAST_OF_OPEN_FILES, maxBytes / PART_OF_OPEN_FILES), local);
    }

    /** With another share for open files. */
    static BlockCache ofBytes(long maxBytes, long maxOpenBytes) {
        return new BlockCache(maxBytes, maxOpenBytes, LocalBlocks.NONE);
    }

    /** What scans that pause between two pages have read already. */
    ReadAheads readAheads() {
        return readAheads;
    }

    /** What is asked before the file store is. */
    LocalBlocks local() {
        return local;
    }

    /** A copy was asked for. */
    void countCopy(boolean found) {
        if (found) {
            copiesFound.increment();
        } else if (local != LocalBlocks.NONE) {
            copiesMissed.increment();
        }
    }

    /** What the copies on the local disk have, as they lie there. */
    public long localBytes() {
        return local.bytes();
    }

    public long maxLocalBytes() {
        return local.maxBytes();
    }

    /** How often a block, or a piece of one, came from its copy. */
    public long localHits() {
        return copiesFound.sum();
    }

    /** How often there was none, where there could have been. */
    public long localMisses() {
        return copiesMissed.sum();
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
        return lookedUp.bytes() + weight(scanned) + weight(learnt);
    }

    /** What the entries of a cache weigh together. */
    static long weight(Cache<?, ?> cache) {
        return cache.policy()
                .eviction()
                .map(eviction -> eviction.weightedSize().orElse(0))
                .orElse(0L);
    }

    /** What the open files that are read through it have of their indexes, filters and dictionaries beside its own bytes. */
    public long openBytes() {
        return openBytes.get();
    }

    /** How much that may be. Of files that are opened beyond it, these are in the cache with their blocks. */
    public long maxOpenBytes() {
        return maxOpenBytes;
    }

    /** False, and nothing is taken, when open files would have more than their share. */
    boolean takeOpen(long bytes) {
        if (openBytes.addAndGet(bytes) <= maxOpenBytes) {
            return true;
        }
        openBytes.addAndGet(-bytes);
        return false;
    }

    /** What a file must have in memory as long as it is open; negative when it is closed. */
    void countOpen(long bytes) {
        openBytes.addAndGet(bytes);
    }

    // Two calls and no loading inside the cache: a loader holds one of its locks, and a read may wait for a disk. Two
    // readers that miss at once read the same block twice.
    Optional<Block> find(String path, long offset, Access access) {
        return find(path, offset, access, Block.class);
    }

    /** What begins at one offset of a file is always of one kind. */
    <T extends Cached> Optional<T> find(String path, long offset, Access access, Class<T> kind) {
        Cached block = present(new BlockKey(path, offset, BlockKey.WHOLE), access);
        count(block != null);
        return Optional.ofNullable(kind.cast(block));
    }

    private @Nullable Cached present(BlockKey key, Access access) {
        Cached block = lookedUp.get(key);
        if (block == null) {
            block = scanned.getIfPresent(key);
            if (block != null && access == Access.LOOK_UP) {
                scanned.invalidate(key);
                lookedUp.put(key, block);
            }
        }
        return block;
    }

    /** The block, which is counted where it is there: else a piece of it is asked for, or it is read. */
    Optional<Block> lookUp(String path, long offset) {
        Cached block = present(new BlockKey(path, offset, BlockKey.WHOLE), Access.LOOK_UP);
        if (block != null) {
            count(true);
        }
        return Optional.ofNullable((Block) block);
    }

    /** The block was not there, and no piece is asked for. */
    void countMiss() {
        count(false);
    }

    private void count(boolean found) {
        if (found) {
            hits.increment();
        } else if (ReadWork.ofThread().mayWait()) {
            // Else a thread that may comes and misses it, too.
            misses.increment();
        }
    }

    /** What was learnt of the block that begins there. */
    Optional<BlockPieces> pieces(String path, long offset) {
        return Optional.ofNullable(learnt.getIfPresent(new BlockKey(path, offset, BlockKey.WHOLE)));
    }

    Optional<Block> piece(String path, long offset, int piece) {
        Block found = (Block) lookedUp.get(new BlockKey(path, offset, piece));
        count(found != null);
        return Optional.ofNullable(found);
    }

    /** Without being counted as a look-up. */
    boolean hasPiece(String path, long offset, int piece) {
        return lookedUp.has(new BlockKey(path, offset, piece));
    }

    void keepPiece(String path, long offset, int piece, Block entries) {
        lookedUp.put(new BlockKey(path, offset, piece), entries);
    }

    void learn(String path, long offset, BlockPieces pieces) {
        learnt.put(new BlockKey(path, offset, BlockKey.WHOLE), pieces);
        lookedUp.setMaxBytes(maxBytes - maxBytes / PART_OF_SCANS - weight(learnt));
    }

    void keep(Block block, Access access) {
        BlockKey key = new BlockKey(block.path, block.offset, BlockKey.WHOLE);
        if (access == Access.LOOK_UP) {
            lookedUp.put(key, block);
        } else {
            scanned.put(key, block);
        }
    }

    /** A part of the file that is no block of entries. */
    void keep(String path, long offset, Cached part) {
        lookedUp.put(new BlockKey(path, offset, BlockKey.WHOLE), part);
    }
}
