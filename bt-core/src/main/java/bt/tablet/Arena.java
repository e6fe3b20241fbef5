package bt.tablet;

import static bt.base.Check.checkState;

import java.util.Arrays;

/**
 * Memory in few large arrays, given out piece by piece and let go as a whole. An address stands for a piece: which slab,
 * and the word of four bytes in it at which the piece begins. One thread allocates; any thread that was shown an address,
 * by a release that it acquired, finds its slab.
 */
final class Arena {
    static final int WORD_BYTES = Integer.BYTES;

    /** What the JVM puts before the elements of an array. */
    static final int ARRAY_HEADER_BYTES = 16;

    /** With its header a power of two: a few bytes more, and G1 would give it two regions of its heap for one. */
    static final int SLAB_BYTES = (1 << 20) - ARRAY_HEADER_BYTES;

    /** Slabs double up to the full size: a server has many tablets that are seldom written to. */
    private static final int FIRST_SLAB_BYTES = 4 << 10;

    /** A larger piece has a slab of its own: the rest of the present one stays of use. */
    private static final int LARGE_BYTES = SLAB_BYTES / 4;

    private static final int WORD_BITS = 18;
    private static final int MAX_SLABS = 1 << (Integer.SIZE - WORD_BITS);

    private static final byte[][] NO_SLABS = {};
    private static final int LEAST_SLABS = 4;

    /** None in most: a server has many tablets of which nothing is in memory. */
    private volatile byte[][] slabs = NO_SLABS;

    private volatile long bytes;
    private long used;
    private int count;
    /** The slab that small pieces come from, and how much of it is taken. */
    private int current = -1;

    private int taken;

    /** All that its arrays take. */
    long bytes() {
        return bytes;
    }

    /** How much of that was given out. Only the one writer. */
    long used() {
        return used;
    }

    byte[] slab(int address) {
        return slabs[address >>> WORD_BITS];
    }

    /** Index into the slab of the piece's first byte. */
    static int at(int address) {
        return (address & ((1 << WORD_BITS) - 1)) * WORD_BYTES;
    }

    /** The address of so many new bytes, all zero. Only the one writer. */
    int allocate(int size) {
        int rounded = (size + WORD_BYTES - 1) & -WORD_BYTES;
        used += rounded;
        if (rounded > LARGE_BYTES) {
            return addSlab(rounded) << WORD_BITS;
        }
        if (current < 0 || rounded > slabs[current].length - taken) {
            long doubling = Math.max(FIRST_SLAB_BYTES, Math.min(bytes, SLAB_BYTES));
            current = addSlab((int) Math.max(doubling, rounded));
            taken = 0;
        }
        int address = current << WORD_BITS | taken / WORD_BYTES;
        taken += rounded;
        return address;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // One writer; volatile for its readers.
    private int addSlab(int size) {
        checkState(count < MAX_SLABS, "%d slabs of an arena are in use", count);
        byte[][] more = count < slabs.length ? slabs : Arrays.copyOf(slabs, Math.max(LEAST_SLABS, count * 2));
        more[count] = new byte[size];
        slabs = more;
        bytes += size + ARRAY_HEADER_BYTES;
        return count++;
    }
}
