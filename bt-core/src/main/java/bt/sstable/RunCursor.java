package bt.sstable;

import bt.base.BigtableException;
import bt.base.Bytes;
import org.jspecify.annotations.Nullable;

/** A place in one run of a file's entries: in the root of its index, in a leaf, in a data block. */
final class RunCursor implements Cursor {
    private final BlockFile file;
    private final BlockCursor root;
    private @Nullable BlockCursor leaf;
    private @Nullable BlockCursor data;
    private State state = State.BETWEEN;

    RunCursor(BlockFile file, Block root) {
        this.file = file;
        this.root = new BlockCursor(root);
    }

    @Override
    public boolean seek(Bytes atOrAfter) throws BigtableException {
        state = State.MOVING;
        leaf = null;
        data = null;
        return arrive(find(atOrAfter));
    }

    @Override
    public boolean next() throws BigtableException {
        // Half a move may have passed over a block that could not be read: to go on from there would hide its entries.
        if (state == State.MOVING) {
            throw new IllegalStateException(
                    file.path() + ": after a move that failed, a cursor goes on by a seek alone");
        }
        state = State.MOVING;
        BlockCursor inData = data;
        return arrive((inData != null && inData.next()) || nextBlock(inData));
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
        if (state != State.AT_ENTRY || inData == null) {
            throw new IllegalStateException(file.path() + ": a cursor that stands at no entry");
        }
        return inData;
    }

    private boolean arrive(boolean atEntry) {
        state = atEntry ? State.AT_ENTRY : State.BETWEEN;
        return atEntry;
    }

    private boolean find(Bytes atOrAfter) throws BigtableException {
        if (!root.seek(atOrAfter)) {
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
        return inData.seek(atOrAfter) || nextBlock(inData);
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

    private enum State {
        /** Before the first entry or behind the last. */
        BETWEEN,
        AT_ENTRY,
        MOVING
    }
}
