package bt.protocol;

/**
 * Ascending numbers, of which any may be closed: a ring of bits, as large as the way from the lowest open number to the last
 * one was at its longest. Owned by {@link WriteNumbers}.
 */
final class OpenNumbers {
    /** By number, modulo their count: set while it is open. A power of two of words; all is clear but from lowest to last. */
    private long[] bits = new long[1];

    private long lowest = 1;

    private long last;

    /** The lowest that is open, or else the one that would be opened next. */
    long lowest() {
        return lowest;
    }

    /** The one that was opened last; 0 before the first. */
    long last() {
        return last;
    }

    /** The number after the last one. */
    long open() {
        if (last + 1 - lowest == (long) bits.length * Long.SIZE) {
            grow();
        }
        last++;
        bits[word(last)] |= 1L << last;
        return last;
    }

    /** Where it is open. */
    void close(long number) {
        if (number >= lowest && number <= last) {
            bits[word(number)] &= ~(1L << number);
            if (number == lowest) {
                lowest = nextOpen(number + 1);
            }
        }
    }

    /** From a number on, below which none is open. */
    private long nextOpen(long from) {
        long number = from;
        while (number <= last) {
            // Shifted by the number modulo 64: what is left are this word's numbers from there on.
            long rest = bits[word(number)] >>> number;
            if (rest != 0) {
                return number + Long.numberOfTrailingZeros(rest);
            }
            number = (number | (Long.SIZE - 1)) + 1;
        }
        return last + 1;
    }

    private void grow() {
        long[] before = bits;
        bits = new long[2 * before.length];
        for (long number = lowest; number <= last; number++) {
            bits[word(number)] |= before[word(number, before.length)] & 1L << number;
        }
    }

    private int word(long number) {
        return word(number, bits.length);
    }

    private static int word(long number, int words) {
        return (int) (number / Long.SIZE) & (words - 1);
    }
}
