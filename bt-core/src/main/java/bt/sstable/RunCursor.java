package bt.sstable;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Slice;
import org.jspecify.annotations.Nullable;

/** A place in one run of a file's entries: in the root of its index, in a leaf, in a data block. */
final class RunCursor implements Cursor {
    private final BlockSource file;
    private final BlockCursor root;
    private @Nullable BlockCursor leaf;
    private @Nullable BlockCursor data;
    /** False: the cursor in a leaf, in a data block, is a spare one that stands nowhere. */
    private boolean isInLeaf;

    private boolean isInData;
    private State state = State.BETWEEN;

    RunCursor(BlockSource file, Block root) {
        this.file = file;
        this.root = new BlockCursor(root);
    }

    @Override
    public boolean seek(Bytes atOrAfter) throws BigtableException {
        state = State.MOVING;
        isInLeaf = false;
        isInData = false;
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
        return arrive((isInData && data != null && data.next()) || nextBlock());
    }

    @Override
    public Slice key() {
        return entry().key();
    }

    @Override
    public Slice value() {
        return entry().value();
    }

    private BlockCursor entry() {
        if (state != State.AT_ENTRY || data == null) {
            throw new IllegalStateException(file.path() + ": a cursor that stands at no entry");
        }
        return data;
    }

    private boolean arrive(boolean atEntry) {
        state = atEntry ? State.AT_ENTRY : State.BETWEEN;
        return atEntry;
    }

    private boolean find(Bytes atOrAfter) throws BigtableException {
        if (!root.seek(atOrAfter)) {
            return false;
        }
        BlockCursor inLeaf = entered(leaf, root);
        leaf = inLeaf;
        if (!inLeaf.seek(atOrAfter)) {
            throw root.corrupt("the leaf ends before the key that the root has for it");
        }
        BlockCursor inData = entered(data, inLeaf);
        data = inData;
        isInLeaf = true;
        isInData = true;
        // The key of the index may lie above the block's last key: then the next block has the entry.
        return inData.seek(atOrAfter) || nextBlock();
    }

    /** Goes to the first entry of the next data block. */
    private boolean nextBlock() throws BigtableException {
        BlockCursor inLeaf = leaf;
        while (inLeaf == null || !isInLeaf || !inLeaf.next()) {
            if (!root.next()) {
                return false;
            }
            inLeaf = entered(leaf, root);
            leaf = inLeaf;
            isInLeaf = true;
        }
        Block block = file.block(inLeaf.handle(file.end()));
        BlockCursor inData = data;
        if (inData == null || !isInData) {
            inData = entered(data, block);
            data = inData;
            isInData = true;
        }
        if (!inData.enterNext(block)) {
            throw inLeaf.corrupt("an index entry for a block without entries");
        }
        return true;
    }

    private BlockCursor entered(@Nullable BlockCursor spare, BlockCursor index) throws BigtableException {
        return entered(spare, file.block(index.handle(file.end())));
    }

    private static BlockCursor entered(@Nullable BlockCursor spare, Block block) {
        if (spare == null) {
            return new BlockCursor(block);
        }
        spare.enter(block);
        return spare;
    }

    private enum State {
        /** Before the first entry or behind the last. */
        BETWEEN,
        AT_ENTRY,
        MOVING
    }
}
