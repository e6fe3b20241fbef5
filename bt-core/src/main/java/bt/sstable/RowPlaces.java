package bt.sstable;

import bt.base.CorruptionException;
import bt.base.Slice;
import java.util.Arrays;
import java.util.List;

/**
 * Where the rows of a file in memory begin, by their hashes: a look-up finds its row with two looks at memory, where a
 * search waits for some twenty, in the index and in the block. A hint and no more: rows may be missing, and where two have
 * nearly the same hash one may be shown for the other. It never changes. Any thread.
 */
final class RowPlaces {
    static final RowPlaces NONE = new RowPlaces(List.of(), new long[1]);

    /** They may take such a part of what the blocks take: of small rows there are none. */
    private static final int PART = 16;

    /** For a file of some rows only. */
    private static final int LEAST_BYTES = 4 << 10;

    private static final int OFFSET_BITS = 24;
    private static final int BLOCK_BITS = 24;
    private static final long IS_FIRST = 1L << (OFFSET_BITS + BLOCK_BITS);
    private static final int TAG_SHIFT = OFFSET_BITS + BLOCK_BITS + 1;
    private static final int MAX_OFFSET = (1 << OFFSET_BITS) - 1;
    private static final int MAX_BLOCKS = (1 << BLOCK_BITS) - 1;

    private final Block[] blocks;
    /**
     * A power of two, a quarter of them free at least, which are 0. Each at the place that the low bits of the hash say, or
     * behind it: the high bits of the hash, whether the row's first entry is at the restart point, one more than the number
     * of the block, the offset in it of the last restart point that is not behind that entry.
     */
    private final long[] slots;

    private RowPlaces(List<Block> blocks, long[] slots) {
        this.blocks = blocks.toArray(Block[]::new);
        this.slots = slots;
    }

    /** Of the blocks of one run, as far as the share has room, which gives what {@link #bytes} says; none where it is not worth it. */
    static RowPlaces of(List<Block> blocks, FilterKey rowOf, InMemoryShare share) {
        try {
            int rows = 0;
            for (Rows counted = new Rows(blocks, rowOf); counted.next(); rows++) {}
            long slots = Long.highestOneBit(Math.max(1, rows + rows / 3L)) * 2;
            long most = LEAST_BYTES + blocks.stream().mapToLong(Block::bytes).sum() / PART;
            if (blocks.size() > MAX_BLOCKS || slots * Long.BYTES > most || !share.take(bytes(slots, blocks.size()))) {
                return NONE;
            }
            RowPlaces places = new RowPlaces(blocks, new long[(int) slots]);
            for (Rows row = new Rows(blocks, rowOf); row.next(); ) {
                places.add(row.hash(), row.place());
            }
            return places;
        } catch (CorruptionException | IllegalArgumentException ofOneEntry) {
            // For the read to say that comes to it: all others can be answered.
            return NONE;
        }
    }

    private void add(long hash, long place) {
        if (place != 0) {
            int at = (int) hash & (slots.length - 1);
            while (slots[at] != 0) {
                at = (at + 1) & (slots.length - 1);
            }
            slots[at] = (hash >>> TAG_SHIFT << TAG_SHIFT) | place;
        }
    }

    /** Goes to the first entry of the row, or to one a little before it; seldom the same of another row. */
    Landing enter(FilterHash row, BlockCursor cursor) throws CorruptionException {
        long hash = row.value();
        int at = (int) hash & (slots.length - 1);
        for (long slot = slots[at]; slot != 0; slot = slots[at]) {
            if (slot >>> TAG_SHIFT == hash >>> TAG_SHIFT) {
                Block block = blocks[((int) (slot >>> OFFSET_BITS) & MAX_BLOCKS) - 1];
                cursor.enter(block);
                cursor.goToRestart(block.from + ((int) slot & MAX_OFFSET));
                return (slot & IS_FIRST) == 0 ? Landing.BEFORE_FIRST : Landing.AT_FIRST;
            }
            at = (at + 1) & (slots.length - 1);
        }
        return Landing.NOWHERE;
    }

    /** Where a cursor stands by the row that it was sent to. */
    enum Landing {
        NOWHERE,
        BEFORE_FIRST,
        /** If it is the row's, and not another's. */
        AT_FIRST
    }

    /** Of the heap. */
    long bytes() {
        return this == NONE ? 0 : bytes(slots.length, blocks.length);
    }

    private static long bytes(long slots, int blocks) {
        return slots * Long.BYTES + (long) blocks * Integer.BYTES;
    }

    /** The rows of a run, one after the other. One thread. */
    private static final class Rows {
        private final List<Block> blocks;
        private final FilterKey rowOf;
        private final BlockCursor cursor = new BlockCursor(Block.NONE);
        private final Slice key = new Slice();
        /** How many blocks were begun: the present one is the last of these. */
        private int begun;
        /** The last one that is not behind the entry. */
        private int restart;
        /** The first bytes of {@code row} are those of the present row. */
        private byte[] row = new byte[64];

        private int length = -1;

        Rows(List<Block> blocks, FilterKey rowOf) {
            this.blocks = blocks;
            this.rowOf = rowOf;
        }

        /** Goes to the first entry of the next row. */
        boolean next() throws CorruptionException {
            while (cursor.next() || nextBlock()) {
                Block block = blocks.get(begun - 1);
                while (restart + 1 < block.restartCount && block.restart(restart + 1) <= cursor.entryAt()) {
                    restart++;
                }
                cursor.showKey(key);
                if (!isOfRow(rowOf.length(key))) {
                    take(rowOf.length(key));
                    return true;
                }
            }
            return false;
        }

        private boolean nextBlock() throws CorruptionException {
            while (begun < blocks.size()) {
                cursor.enter(blocks.get(begun++));
                restart = 0;
                if (cursor.next()) {
                    return true;
                }
            }
            return false;
        }

        private boolean isOfRow(int ofKey) {
            int from = key.from();
            return ofKey == length && Arrays.equals(key.array(), from, from + ofKey, row, 0, ofKey);
        }

        private void take(int ofKey) {
            if (ofKey > row.length) {
                row = new byte[2 * ofKey];
            }
            System.arraycopy(key.array(), key.from(), row, 0, ofKey);
            length = ofKey;
        }

        long hash() {
            return FilterHash.of(row, length);
        }

        /** 0 where it lies too far from the block's beginning to be told. */
        long place() {
            Block block = blocks.get(begun - 1);
            int offset = block.restart(restart) - block.from;
            boolean isFirst = block.restart(restart) == cursor.entryAt();
            return offset > MAX_OFFSET ? 0 : (isFirst ? IS_FIRST : 0) | ((long) begun << OFFSET_BITS) | offset;
        }
    }
}
