package bt.sstable;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Output;
import java.util.ArrayList;
import java.util.List;

/**
 * The index of one run: leaves as they fill, kept until {@link #finish}, then their root. An entry is a key not below the last
 * key under it and below the next, with the handle of the block.
 */
final class IndexWriter {
    /** Index keys are far apart and are only ever searched. */
    private static final int RESTART_INTERVAL = 1;

    /** However long the keys, and whichever is a leaf's last, the root stays so many times smaller than the leaves. */
    private static final int LEAF_BY_ROOT = 256;

    private final BlockWriter out;
    private final int blockBytes;
    private final BlockBuilder leaf;
    private final List<Leaf> leaves = new ArrayList<>();
    private long leavesBytes;

    IndexWriter(BlockWriter out, int blockBytes) {
        this.out = out;
        this.blockBytes = blockBytes;
        this.leaf = new BlockBuilder(RESTART_INTERVAL, blockBytes);
    }

    void add(Bytes separator, BlockHandle block) {
        leaf.add(separator, block.encode());
        if (leaf.bytes() >= blockBytes && isLargeBeside(separator)) {
            finishLeaf();
        }
    }

    private boolean isLargeBeside(Bytes separator) {
        return leaf.restarts() >= LEAF_BY_ROOT && leaf.bytes() / LEAF_BY_ROOT >= separator.length();
    }

    /** Bytes that {@link #finish} has yet to write, about. */
    long bytes() {
        return leaf.bytes() + leavesBytes;
    }

    /** The handle of the root. */
    BlockHandle finish() throws BigtableException {
        finishLeaf();
        BlockBuilder root = new BlockBuilder(RESTART_INTERVAL, blockBytes);
        for (Leaf each : leaves) {
            Output block = new Output(each.block().length()).raw(each.block());
            root.add(each.lastKey(), out.write(block, Codec.NONE).encode());
        }
        return out.write(root.finish(), Codec.NONE);
    }

    private void finishLeaf() {
        if (!leaf.isEmpty()) {
            leaves.add(new Leaf(leaf.lastKey(), leaf.finish().toBytes()));
            leavesBytes += leaf.bytes();
            leaf.clear();
        }
    }

    private record Leaf(Bytes lastKey, Bytes block) {}
}
