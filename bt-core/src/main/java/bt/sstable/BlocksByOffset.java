package bt.sstable;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Blocks of one file, each found by its offset with no object made for that: every read from memory does so. Never changes. */
final class BlocksByOffset {
    static final BlocksByOffset NONE = new BlocksByOffset(List.of());

    /** A power of two of places, half of them free at least; each block at its own or, where that is taken, behind it. */
    private final @Nullable Block[] places;

    /** Of two of one offset, which only a damaged file has, one is found. */
    BlocksByOffset(Collection<Block> blocks) {
        places = new Block[Integer.highestOneBit(2 * blocks.size() + 1) * 2];
        for (Block block : blocks) {
            int at = place(block.offset);
            while (places[at] != null) {
                at = after(at);
            }
            places[at] = block;
        }
    }

    Optional<Block> find(long offset) {
        int at = place(offset);
        Block block = places[at];
        while (block != null && block.offset != offset) {
            at = after(at);
            block = places[at];
        }
        return Optional.ofNullable(block);
    }

    /** Offsets of blocks of one size differ in few bits: all of them count. */
    private int place(long offset) {
        return (int) ((offset * 0x9e3779b97f4a7c15L) >>> Integer.SIZE) & (places.length - 1);
    }

    private int after(int at) {
        return (at + 1) & (places.length - 1);
    }
}
