package bt.sstable;

import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * Where the blocks ended that look-ups had to read as a whole last: whoever wants the beginning of the next one goes along
 * the rows, and will want all of it. Some are forgotten: then a read is smaller than would have been best. Any thread.
 */
final class WalkHints {
    private static final int BITS_OF_SLOT = 6;
    private static final int SLOTS = 1 << BITS_OF_SLOT;
    private static final long NOWHERE = -1;

    /** Multiples of a block's size come to all slots. */
    private static final long SPREAD = 0x9e3779b97f4a7c15L;

    /** Absent in nearly all files, of which nobody reads anything: two threads that come first may make one each, and one is forgotten. */
    private volatile @Nullable AtomicLongArray ends;

    /** All of the block was read. */
    void wentThrough(BlockHandle block) {
        AtomicLongArray known = ends;
        if (known == null) {
            known = nowhere();
            ends = known;
        }
        boolean unused = known.compareAndSet(slot(block.offset()), block.offset(), NOWHERE);
        long end = block.offset() + block.size();
        known.set(slot(end), end);
    }

    private static AtomicLongArray nowhere() {
        AtomicLongArray none = new AtomicLongArray(SLOTS);
        for (int i = 0; i < SLOTS; i++) {
            none.set(i, NOWHERE);
        }
        return none;
    }

    /** Whether the one before it was read so. It stays so until this one was: a read that may not wait begins again elsewhere. */
    boolean leadTo(BlockHandle block) {
        AtomicLongArray known = ends;
        return known != null && known.get(slot(block.offset())) == block.offset();
    }

    private static int slot(long offset) {
        return (int) ((offset * SPREAD) >>> (Long.SIZE - BITS_OF_SLOT));
    }
}
