package bt.sstable;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Slice;

/**
 * A place in a sorted run of entries. A new one stands before the first entry. After a move that found nothing, or failed,
 * only a seek finds something again. One thread at a time. Moving makes no garbage: key and value are shown where they
 * lie, and whoever needs one after the next move takes a copy of it; of a value a view will do.
 */
public interface Cursor {
    /** Goes to the first entry whose key is {@code atOrAfter} or above, in either direction. False: there is none. */
    boolean seek(Bytes atOrAfter) throws BigtableException;

    /** Goes to the last entry whose key is below {@code before}, in either direction. False: there is none. */
    boolean seekBefore(Bytes before) throws BigtableException;

    /** Goes to the last entry. False: there is none. */
    boolean seekToLast() throws BigtableException;

    /** Goes to the next entry. False: there is none, and there will be none until the next seek. */
    boolean next() throws BigtableException;

    /** Goes to the entry before. False: there is none, and there will be none until the next seek. */
    boolean previous() throws BigtableException;

    /** The key of the entry that the last move found; shown until the next move. */
    Slice key();

    /**
     * The value of the entry that the last move found; shown until the next move. It lies in an array that nobody writes to
     * any more ({@link Slice#toView}).
     */
    Slice value();
}
