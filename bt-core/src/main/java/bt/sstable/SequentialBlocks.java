package bt.sstable;

import bt.base.BigtableException;
import bt.base.CorruptionException;
import bt.base.HeapPiece;
import bt.sstable.ReadAheads.Extent;
import java.util.Optional;

/**
 * The blocks of one file for one cursor that goes on and on. What has a copy on the local disk is read from there, block by
 * block; of the rest it reads several blocks at a time, more with every read, and copies them where that takes no copy
 * of others. It puts none but a scan's first into the block cache: what a large one reads is not asked again soon, while a short one
 * should find its blocks there when it comes again. What a scan has read and not come to waits for its next page. A
 * reversed one reads them one by one, through the part that scans have. A compaction neither reads copies nor makes any:
 * its files go soon, and what it writes for good is not to rest on a disk of which a block's CRC tells all that is known.
 * One thread.
 */
final class SequentialBlocks implements BlockSource {
    private static final int KEPT_OF_A_SCAN = 2;
    private static final int FIRST_READ_BYTES = 128 << 10;
    private static final int MAX_READ_BYTES = HeapPiece.BYTES;
    /** What may lie between two blocks of a run: one of the other run. */
    private static final int MAX_GAP_BYTES = 128 << 10;

    private final BlockFile file;
    private final boolean ofCompaction;
    private final boolean isReversed;
    private int blocks;
    /** Where the block after the last one begins, or one a little behind it. */
    private long expected = -1;

    private int readBytes = FIRST_READ_BYTES;
    private Extent ahead = Extent.NONE;
    /** Of a block on the local disk. */
    private boolean isCopy;

    SequentialBlocks(BlockFile file, Access access) {
        this.file = file;
        this.ofCompaction = access == Access.COMPACTION;
        this.isReversed = access == Access.REVERSED_SCAN;
    }

    @Override
    public String path() {
        return file.path();
    }

    @Override
    public long end() {
        return file.end();
    }

    @Override
    public Block block(BlockHandle handle) throws BigtableException {
        if (file.isInTail(handle)) {
            return file.block(handle, Access.SCAN);
        }
        if (file.isOfTail(handle)) {
            // Of an index, for which it leaves its way, to come back.
            return ofCompaction ? file.uncached(handle) : file.block(handle, Access.LOOK_UP);
        }
        Block block = ofCompaction ? read(handle) : isReversed ? ofReversedScan(handle) : ofScan(handle);
        expected = handle.end();
        return block;
    }

    private Block ofReversedScan(BlockHandle handle) throws BigtableException {
        return blocks++ < KEPT_OF_A_SCAN ? file.block(handle, Access.SCAN) : file.blockOfLargeScan(handle);
    }

    private Block ofScan(BlockHandle handle) throws BigtableException {
        // Where a page before this one ended, if it did: its first blocks are not those of the scan.
        if (blocks == 0 && takeUp(handle)) {
            blocks = KEPT_OF_A_SCAN;
        }
        if (blocks++ < KEPT_OF_A_SCAN) {
            return file.block(handle, Access.SCAN);
        }
        Optional<Block> cached = file.cached(handle, Access.SCAN);
        return cached.isPresent() ? cached.get() : read(handle);
    }

    /** Goes on in what a page before this one has read ahead; false where none has read so far. */
    private boolean takeUp(BlockHandle handle) {
        Optional<Extent> left = file.readAheads().find(file.path(), handle);
        if (left.isPresent()) {
            goInto(left.get(), false);
            readBytes = Math.max(FIRST_READ_BYTES, ahead.bytes().length);
        }
        return left.isPresent();
    }

    private Block read(BlockHandle handle) throws BigtableException {
        if (!ahead.has(handle) && (ofCompaction || (!takeCopy(handle) && !takeUp(handle)))) {
            readAhead(handle);
        }
        Block block;
        try {
            block = file.decode(handle, ahead.bytes(), ahead.at(handle));
        } catch (CorruptionException damaged) {
            // Of these bytes alone, as far as is known: the file itself is asked, and nobody finds them again.
            file.readAheads().forget(ahead);
            ahead = Extent.NONE;
            if (isCopy) {
                file.dropCopy(handle);
            }
            return file.uncached(handle);
        }
        if (!ofCompaction && !isCopy) {
            file.copyWhereFree(handle, ahead.bytes(), ahead.at(handle));
        }
        return block;
    }

    /** Each by itself: where they lie one behind the other the system reads ahead, and larger reads gain nothing. */
    private boolean takeCopy(BlockHandle handle) throws BigtableException {
        Optional<byte[]> copy = file.copy(handle);
        copy.ifPresent(bytes -> goOnIn(new Extent(file.path(), handle.offset(), bytes), true));
        return copy.isPresent();
    }

    private void goOnIn(Extent next, boolean isOfCopy) {
        Extent done = ahead;
        goInto(next, isOfCopy);
        if (!ofCompaction) {
            file.readAheads().keep(next, done);
        }
    }

    private void goInto(Extent next, boolean isOfCopy) {
        // What was decoded last may be a view of it, for one step more.
        ReadBuffer.passed(ahead.bytes());
        ahead = next;
        isCopy = isOfCopy;
    }

    private void readAhead(BlockHandle handle) throws BigtableException {
        int least = file.checkedSize(handle);
        long gap = handle.offset() - expected;
        boolean goesOn = ofCompaction || (expected >= 0 && gap >= 0 && gap <= MAX_GAP_BYTES);
        readBytes = goesOn ? Math.min(MAX_READ_BYTES, readBytes * 2) : FIRST_READ_BYTES;
        long most = goesOn ? Math.min(readBytes, file.tailOffset() - handle.offset()) : 0;
        // What was decoded before may be a view of the former array: it is left to those.
        byte[] bytes = file.bytes(handle.offset(), (int) Math.max(least, most));
        goOnIn(new Extent(file.path(), handle.offset(), bytes), false);
    }
}
