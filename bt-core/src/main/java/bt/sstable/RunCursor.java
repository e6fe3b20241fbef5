package bt.sstable;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Slice;
import bt.sstable.RowPlaces.Landing;
import org.jspecify.annotations.Nullable;

/** A place in one run of a file's entries: in the root of its index, in a leaf, in a data block. */
final class RunCursor implements Cursor {
    private BlockSource file = NoBlocks.NONE;
    private final BlockCursor root = new BlockCursor(Block.NONE);
    private @Nullable BlockCursor leaf;
    private @Nullable BlockCursor data;
    /** False: the cursor in a leaf, in a data block, is a spare one that stands nowhere. */
    private boolean isInLeaf;

    private boolean isInData;
    /** Of the data block, where the cursor in it stands in a piece. */
    private @Nullable BlockPieces pieces;

    private BlockHandle inPieces = BlockHandle.NONE;
    private int piece;
    private State state = State.BEFORE_FIRST;
    /** Blocks that cannot have a key with this prefix are not read; empty where all are wanted. */
    private Bytes within = Bytes.EMPTY;
    /** That of the keys with this prefix, for a reader of one row. */
    private @Nullable FilterHash row;
    /** The data block was found by its row: the cursors in root and leaf stand elsewhere. */
    private boolean isByRow;

    /** Else the JVM would leave out what is done for the CPU's cache alone. */
    private int unusedSum;

    private final Slice separator = new Slice();
    private final Slice key = new Slice();
    private final Slice value = new Slice();

    /** Goes before the first entry of a run, with its index's root, from wherever it was. */
    RunCursor enter(BlockSource other, Block rootOfOther) {
        return enter(other, rootOfOther, Bytes.EMPTY, null);
    }

    /**
     * The same for a reader who goes no further than the keys that begin with the prefix: what comes behind may be missing.
     * The hash is that of the row which they all belong to.
     */
    RunCursor enter(BlockSource other, Block rootOfOther, Bytes prefix, @Nullable FilterHash ofRow) {
        file = other;
        root.enter(rootOfOther);
        within = prefix;
        row = ofRow;
        leave();
        state = State.BEFORE_FIRST;
        return this;
    }

    /** Lets go of the file and of its blocks. */
    void leaveFile() {
        enter(NoBlocks.NONE, Block.NONE);
        root.leaveBlock();
        if (leaf != null) {
            leaf.leaveBlock();
        }
        separator.moveTo(Bytes.EMPTY);
        if (data != null) {
            data.leaveBlock();
        }
        key.moveTo(Bytes.EMPTY);
        value.moveTo(Bytes.EMPTY);
    }

    @Override
    public boolean seek(Bytes atOrAfter) throws BigtableException {
        leave();
        return arrive(find(atOrAfter));
    }

    @Override
    public boolean seekBefore(Bytes before) throws BigtableException {
        leave();
        return arrive(findBefore(before));
    }

    @Override
    public boolean seekToLast() throws BigtableException {
        leave();
        return arrive(findLast());
    }

    @Override
    public boolean next() throws BigtableException {
        if (!begin() && state != State.BEFORE_FIRST) {
            return false;
        }
        state = State.MOVING;
        return arrive((isInData && data != null && data.next()) || nextBlock());
    }

    @Override
    public boolean previous() throws BigtableException {
        if (!begin()) {
            return arrive(false);
        }
        state = State.MOVING;
        return arrive(isInData && data != null && (data.previous() || previousBlock(data)));
    }

    private void leave() {
        state = State.MOVING;
        isInLeaf = false;
        isInData = false;
        isByRow = false;
        pieces = null;
    }

    /** Whether a step can begin at an entry. */
    private boolean begin() {
        // Half a move may have passed over a block that could not be read: to go on from there would hide its entries.
        if (state == State.MOVING) {
            throw new IllegalStateException(
                    file.path() + ": after a move that failed, a cursor goes on by a seek alone");
        }
        return state == State.AT_ENTRY;
    }

    @Override
    public Slice key() {
        entry().showKey(key);
        return key;
    }

    @Override
    public Slice value() {
        entry().showValue(value);
        return value;
    }

    private BlockCursor entry() {
        if (state != State.AT_ENTRY || data == null) {
            throw new IllegalStateException(file.path() + ": a cursor that stands at no entry");
        }
        return data;
    }

    private boolean arrive(boolean atEntry) {
        state = atEntry ? State.AT_ENTRY : State.ENDED;
        return atEntry;
    }

    private boolean find(Bytes atOrAfter) throws BigtableException {
        boolean isWithin = atOrAfter.startsWith(within);
        if (isWithin && findByRow(atOrAfter)) {
            return true;
        }
        if ((!isWithin && atOrAfter.compareTo(within) > 0) || !root.seek(atOrAfter)) {
            return false;
        }
        BlockCursor inLeaf = enterLeaf();
        if (!root.seekIn(inLeaf, atOrAfter)) {
            return false;
        }
        BlockCursor inData = within.isEmpty() ? enterData(inLeaf) : enterPiece(inLeaf, atOrAfter);
        // The key of the index may lie above the block's last key: then the next block has the entry.
        return inData.seek(atOrAfter) || nextBlock();
    }

    /** False: the index has to be asked. */
    private boolean findByRow(Bytes atOrAfter) throws BigtableException {
        FilterHash ofRow = row;
        if (ofRow == null) {
            return false;
        }
        BlockCursor inData = data == null ? new BlockCursor(Block.NONE) : data;
        data = inData;
        Landing landing = file.goToRow(ofRow, inData);
        isByRow = landing != Landing.NOWHERE && inData.stepTo(atOrAfter, within, landing == Landing.AT_FIRST);
        isInData = isByRow;
        return isByRow;
    }

    /** Has the cursors in root and leaf stand where the index has the entry. */
    private void findInIndex(BlockCursor inData) throws BigtableException {
        isByRow = false;
        inData.showKey(key);
        Bytes present = key.toBytes();
        if (!root.seek(present) || !root.seekIn(enterLeaf(), present)) {
            throw inData.corrupt("a key above all that the index has");
        }
    }

    /** Goes into the data block, or into the piece of it that the key is in. */
    private BlockCursor enterPiece(BlockCursor inLeaf, Bytes key) throws BigtableException {
        BlockHandle handle = inLeaf.handle(file.end());
        Cached found = file.lookUp(handle, key, within);
        if (found instanceof BlockPieces known) {
            pieces = known;
            inPieces = handle;
            piece = known.find(key);
            return enterData(file.piece(handle, known, piece));
        }
        return enterData((Block) found);
    }

    private boolean findBefore(Bytes before) throws BigtableException {
        if (!root.seek(before)) {
            return findLast();
        }
        BlockCursor inLeaf = enterLeaf();
        if (!root.seekIn(inLeaf, before)) {
            return findLast();
        }
        BlockCursor inData = enterData(inLeaf);
        return inData.seekBefore(before) || previousBlock(inData);
    }

    private boolean findLast() throws BigtableException {
        if (!root.last()) {
            return false;
        }
        BlockCursor inLeaf = enterLeaf();
        return inLeaf.last() && endOf(enterData(inLeaf), inLeaf);
    }

    /** Goes to the last entry of the data block before. */
    private boolean previousBlock(BlockCursor inData) throws BigtableException {
        if (pieces != null) {
            return beforePiece(inData);
        }
        if (isByRow) {
            findInIndex(inData);
        }
        BlockCursor inLeaf = leaf;
        if (inLeaf == null || !inLeaf.previous()) {
            if (!root.previous()) {
                return false;
            }
            inLeaf = enterLeaf();
            if (!inLeaf.last()) {
                throw root.corrupt("a leaf without entries");
            }
        }
        if (inData.compareKeys(inLeaf) <= 0) {
            throw inData.corrupt("a key that the index has in the block before it");
        }
        return endOf(enterData(inLeaf), inLeaf);
    }

    /** Leaves the piece for its block, which has the entry before the piece's first. */
    private boolean beforePiece(BlockCursor inData) throws BigtableException {
        inData.showKey(key);
        Bytes first = key.toBytes();
        pieces = null;
        inData.enter(file.block(inPieces));
        return inData.seekBefore(first) || previousBlock(inData);
    }

    private static boolean endOf(BlockCursor inData, BlockCursor inLeaf) throws BigtableException {
        if (!inData.last()) {
            throw inLeaf.corrupt("an index entry for a block without entries");
        }
        if (inData.compareKeys(inLeaf) > 0) {
            throw inData.corrupt("a key above the one that the index has for its block");
        }
        return true;
    }

    private BlockCursor enterLeaf() throws BigtableException {
        BlockCursor inLeaf = entered(leaf, root);
        leaf = inLeaf;
        isInLeaf = true;
        return inLeaf;
    }

    private BlockCursor enterData(BlockCursor inLeaf) throws BigtableException {
        return enterData(file.block(inLeaf.handle(file.end())));
    }

    private BlockCursor enterData(Block block) {
        BlockCursor inData = entered(data, block);
        data = inData;
        isInData = true;
        return inData;
    }

    /** Goes to the first entry of the next data block. */
    private boolean nextBlock() throws BigtableException {
        BlockPieces known = pieces;
        BlockCursor inPiece = data;
        if (known != null && inPiece != null && piece + 1 < known.count()) {
            if (known.isPast(piece + 1, within)) {
                return false;
            }
            piece++;
            return inPiece.enterNext(file.piece(inPieces, known, piece));
        }
        pieces = null;
        if (isByRow && inPiece != null) {
            findInIndex(inPiece);
        }
        if (isPastPrefix()) {
            return false;
        }
        BlockCursor inLeaf = leaf;
        while (inLeaf == null || !isInLeaf || !inLeaf.next()) {
            if (!root.next()) {
                return false;
            }
            inLeaf = enterLeaf();
        }
        Block block = file.block(inLeaf.handle(file.end()));
        if (within.isEmpty()) {
            unusedSum = block.touch();
        }
        BlockCursor inData = data;
        if (inData == null || !isInData) {
            inData = enterData(block);
        }
        if (!inData.enterNext(block)) {
            throw inLeaf.corrupt("an index entry for a block without entries");
        }
        return true;
    }

    /** Whether all keys with the prefix are in this block or before it: behind it are only keys above the index's. */
    private boolean isPastPrefix() {
        BlockCursor inLeaf = leaf;
        if (within.isEmpty() || inLeaf == null || !isInLeaf) {
            return false;
        }
        inLeaf.showKey(separator);
        return separator.compareWith(within) > 0 && !separator.startsWith(within);
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
        BEFORE_FIRST,
        AT_ENTRY,
        ENDED,
        /** Or a move has failed. */
        MOVING
    }
}
