package bt.sstable;

import java.util.concurrent.atomic.AtomicLongArray;

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

    private final AtomicLongArray ends = new AtomicLongArray(SLOTS);

    WalkHints() {
        for (int i = 0; i < SLOTS; i++) {
            ends.set(i, NOWHERE);
        }
    }

    /** All of the block was read. */
    void wentThrough(BlockHandle block) {
        boolean unused = ends.compareAndSet(slot(block.offset()), block.offset(), NOWHERE);
        long end = block.offset() + block.size();
        ends.set(slot(end), end);
    }

    /** Whether the one before it was read so. It stays so until this one was: a read that may not wait begins again elsewhere. */
    boolean leadTo(BlockHandle block) {
        return ends.get(slot(block.offset())) == block.offset();
    }

    private static int slot(long offset) {
        return (int) ((offset * SPREAD) >>> (Long.SIZE - BITS_OF_SLOT));
    }
}
