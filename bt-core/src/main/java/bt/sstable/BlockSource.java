package bt.sstable;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.sstable.RowPlaces.Landing;

/** Where a cursor finds the blocks of its file. */
interface BlockSource {
    String path();

    /** Where every block of entries ends at the latest. */
    long end();

    /** A block of entries, checked. */
    Block block(BlockHandle handle) throws BigtableException;

    /**
     * For a look-up of the keys that begin with the prefix, from this one of them on: the block, or its pieces where the one
     * that is wanted can be had by itself.
     */
    default Cached lookUp(BlockHandle handle, Bytes from, Bytes prefix) throws BigtableException {
        return block(handle);
    }

    /** For a look-up of a row, whose hash it is; {@code NOWHERE}: the index has to be asked. */
    default Landing goToRow(FilterHash row, BlockCursor cursor) throws BigtableException {
        return Landing.NOWHERE;
    }

    /** A piece of a block that {@link #lookUp} has shown as such, checked: its entries without what was before them. */
    default Block piece(BlockHandle handle, BlockPieces pieces, int piece) throws BigtableException {
        throw new IllegalStateException(path() + ": has no pieces");
    }
}
