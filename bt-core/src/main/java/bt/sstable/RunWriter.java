package bt.sstable;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Output;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Writes one sorted run of entries (the cells of a file, or its deletions): data blocks as they fill, then the leaves of
 * the index, then its root. An entry of the index is a key not below the last key under it and below the next, with the
 * handle of the block.
 */
final class RunWriter {
    private static final int DATA_RESTART_INTERVAL = 16;
    /** Index keys are far apart and are only ever searched. */
    private static final int INDEX_RESTART_INTERVAL = 1;

    /** However long the keys, the root stays small beside the leaves. */
    private static final int MIN_LEAF_ENTRIES = 256;

    private final BlockWriter out;
    private final Codec codec;
    private final int blockBytes;
    private final BlockBuilder data;
    private final BlockBuilder leaf;
    private final List<Leaf> leaves = new ArrayList<>();
    private long leavesBytes;
    private Optional<BlockHandle> unindexed = Optional.empty();

    RunWriter(BlockWriter out, SSTableOptions options) {
        this.out = out;
        this.codec = Codec.named(options.codec());
        this.blockBytes = options.blockBytes();
        this.data = new BlockBuilder(DATA_RESTART_INTERVAL, blockBytes);
        this.leaf = new BlockBuilder(INDEX_RESTART_INTERVAL, blockBytes);
    }

    void add(Bytes key, Bytes value) throws BigtableException {
        // A large entry lies alone, so that the small ones before it are read without it.
        if (!data.isEmpty() && key.length() + value.length() >= blockBytes) {
            flush();
        }
        if (unindexed.isPresent()) {
            index(separator(data.lastKey(), key));
        }
        data.add(key, value);
        if (data.bytes() >= blockBytes) {
            flush();
        }
    }

    /** Writes the block that is not full yet. */
    void flush() throws BigtableException {
        if (!data.isEmpty()) {
            unindexed = Optional.of(out.write(data.finish(), codec));
            data.clear();
        }
    }

    /** Bytes that {@link #flush} and the index have yet to write, about. */
    long pendingBytes() {
        return data.bytes() + leaf.bytes() + leavesBytes;
    }

    /** The handle of the index's root. */
    BlockHandle finish() throws BigtableException {
        flush();
        if (unindexed.isPresent()) {
            index(data.lastKey());
        }
        finishLeaf();
        BlockBuilder root = new BlockBuilder(INDEX_RESTART_INTERVAL, blockBytes);
        for (Leaf each : leaves) {
            Output block = new Output(each.block().length()).raw(each.block());
            root.add(each.lastKey(), out.write(block, Codec.NONE).encode());
        }
        return out.write(root.finish(), Codec.NONE);
    }

    private void index(Bytes separator) {
        leaf.add(separator, unindexed.orElseThrow().encode());
        unindexed = Optional.empty();
        if (leaf.bytes() >= blockBytes && leaf.restarts() >= MIN_LEAF_ENTRIES) {
            finishLeaf();
        }
    }

    private void finishLeaf() {
        if (!leaf.isEmpty()) {
            leaves.add(new Leaf(leaf.lastKey(), leaf.finish().toBytes()));
            leavesBytes += leaf.bytes();
            leaf.clear();
        }
    }

    /** A short key that is not below {@code last}, and below {@code next}. */
    static Bytes separator(Bytes last, Bytes next) {
        int shared = 0;
        while (shared < last.length() && last.at(shared) == next.at(shared)) {
            shared++;
        }
        return shared + 1 < Math.min(next.length(), last.length()) ? next.slice(0, shared + 1) : last;
    }

    private record Leaf(Bytes lastKey, Bytes block) {}
}
