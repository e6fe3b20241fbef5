package bt.sstable;

import java.util.Arrays;

/**
 * Where chunks of text were seen, by their fingerprints: polynomials over their bytes, modulo 2^32. A table with one place for
 * each slot. An entry is the fingerprint, whether the place is in the dictionary, how often it was seen again, the position.
 */
final class Fingerprints {
    /** Every string of twice as many is found, none of fewer: a copy costs what the second pass makes of about thirty. */
    static final int CHUNK_BYTES = 96;

    static final long NOTHING = 0;
    /** Positions are below. */
    static final int MAX_POSITION = 1 << 28;

    private static final int SLOT_BITS = 17;
    private static final int FACTOR = 0x9e3779b1;
    private static final int FACTOR_OF_FIRST = power(FACTOR, CHUNK_BYTES);
    private static final int SPREAD = 0x85ebca6b;
    private static final long COMMON = 1L << 31;
    private static final long ONE_SIGHT = 1L << 28;
    private static final long SIGHTS = 7 * ONE_SIGHT;

    private final long[] table = new long[1 << SLOT_BITS];

    static int of(byte[] text, int at) {
        int fingerprint = 0;
        for (int i = at; i < at + CHUNK_BYTES; i++) {
            fingerprint = fingerprint * FACTOR + text[i];
        }
        return fingerprint;
    }

    /** Of the chunk one byte further on. */
    static int roll(int fingerprint, byte first, byte next) {
        return fingerprint * FACTOR + next - first * FACTOR_OF_FIRST;
    }

    static boolean isCommon(long entry) {
        return (entry & COMMON) != 0;
    }

    static int position(long entry) {
        return (int) entry & (MAX_POSITION - 1);
    }

    long find(int fingerprint) {
        long entry = table[slot(fingerprint)];
        return (int) (entry >>> 32) == fingerprint ? entry : NOTHING;
    }

    /** A place in the dictionary. */
    void putCommon(int fingerprint, int position) {
        table[slot(fingerprint)] = ((long) fingerprint << 32) | COMMON | position;
    }

    /**
     * A place in the window; what was counted of the same chunk still counts. The dictionary's stay: they would all be lost, one
     * after another, while text goes by that has nothing in common.
     */
    void put(int fingerprint, int position) {
        int slot = slot(fingerprint);
        long entry = table[slot];
        if (!isCommon(entry)) {
            long sights = (int) (entry >>> 32) == fingerprint ? entry & SIGHTS : 0;
            table[slot] = ((long) fingerprint << 32) | sights | position;
        }
    }

    /** How often the chunk was seen by now, the first time included. */
    int sight(int fingerprint, long entry) {
        long sights = entry & SIGHTS;
        if (sights < SIGHTS) {
            table[slot(fingerprint)] = entry + ONE_SIGHT;
        }
        return (int) (sights / ONE_SIGHT) + 2;
    }

    void clear() {
        Arrays.fill(table, NOTHING);
    }

    private static int slot(int fingerprint) {
        return (fingerprint * SPREAD) >>> (Integer.SIZE - SLOT_BITS);
    }

    private static int power(int base, int exponent) {
        int power = 1;
        for (int i = 0; i < exponent; i++) {
            power *= base;
        }
        return power;
    }
}
