package bt.sstable;

import bt.base.BigtableException;
import bt.base.Bytes;
import org.jspecify.annotations.Nullable;

/** A place in one run of a file's entries: in the root of its index, in a leaf, in a data block. */
final class RunCursor implements Cursor {
    private final BlockFile file;
    private final Block rootBlock;
    private BlockCursor root;
    private @Nullable BlockCursor leaf;
    private @Nullable BlockCursor data;
    private boolean atEntry;

    RunCursor(BlockFile file, Block rootBlock) {
        this.file = file;
        this.rootBlock = rootBlock;
        this.root = new BlockCursor(rootBlock);
    }

    @Override
    public boolean seek(Bytes atOrAfter) throws BigtableException {
        root = new BlockCursor(rootBlock);
        leaf = null;
        data = null;
        atEntry = false;
        if (!root.seek(atOrAfter)) {
            root.toEnd();
            return false;
        }
        BlockCursor inLeaf = open(root);
        if (!inLeaf.seek(atOrAfter)) {
            throw root.corrupt("the leaf ends before the key that the root has for it");
        }
        leaf = inLeaf;
        BlockCursor inData = open(inLeaf);
        data = inData;
        // The key of the index may lie above the block's last key: then the next block has the entry.
        atEntry = inData.seek(atOrAfter) || nextBlock(inData);
        return atEntry;
    }

    @Override
    public boolean next() throws BigtableException {
        BlockCursor inData = data;
        atEntry = false;
        atEntry = (inData != null && inData.next()) || nextBlock(inData);
        return atEntry;
    }

    @Override
    public Bytes key() {
        return entry().key();
    }

    @Override
    public Bytes value() {
        return entry().value();
    }

    private BlockCursor entry() {
        BlockCursor inData = data;
        if (!atEntry || inData == null) {
            throw new IllegalStateException(file.path() + ": a cursor that stands at no entry");
        }
        return inData;
    }

    /** Goes to the first entry of the next data block. */
    private boolean nextBlock(@Nullable BlockCursor previous) throws BigtableException {
        BlockCursor inLeaf = leaf;
        while (inLeaf == null || !inLeaf.next()) {
            if (!root.next()) {
                return false;
            }
            inLeaf = open(root);
            leaf = inLeaf;
        }
        BlockCursor inData = open(inLeaf);
        if (!inData.next()) {
            throw inLeaf.corrupt("an index entry for a block without entries");
        }
        if (previous != null && !inData.isAfter(previous)) {
            throw inData.corrupt("a key that does not come after the block before it");
        }
        data = inData;
        return true;
    }

    private BlockCursor open(BlockCursor index) throws BigtableException {
        return new BlockCursor(file.block(index.handle(file.end())));
    }
}
