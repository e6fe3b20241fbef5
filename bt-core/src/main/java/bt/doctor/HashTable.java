package bt.doctor;

import static bt.base.Check.checkArgument;

import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * Small numbers under 64-bit hashes, several under one if need be: 12 bytes and some air for each, so that what is known
 * of a million tablets fits anywhere. Two things of one hash look like one; whoever finds something by it looks again.
 * One thread.
 */
final class HashTable {
    private static final long FREE = 0;

    private long[] hashes = new long[1 << 10];
    private int[] values = new int[1 << 10];
    private int size;

    void add(long hash, int value) {
        checkArgument(value >= 0, "%d", value);
        if (4L * (size + 1) > 3L * hashes.length) {
            grow();
        }
        put(used(hash), value);
    }

    boolean contains(long hash) {
        return hashes[slot(used(hash))] == used(hash);
    }

    /** Shows each value of the hash; those for which {@code taken} says true are no longer there. */
    void visit(long hash, IntPredicate taken) {
        long wanted = used(hash);
        for (int at = home(wanted); hashes[at] != FREE; at = next(at)) {
            if (hashes[at] == wanted && values[at] >= 0 && taken.test(values[at])) {
                // The hash stays: a free slot would hide what was put behind it.
                values[at] = -1;
            }
        }
    }

    /** Shows every value that is there with its hash. */
    void forEach(Visitor visitor) {
        for (int at = 0; at < hashes.length; at++) {
            if (hashes[at] != FREE && values[at] >= 0) {
                visitor.visit(hashes[at], values[at]);
            }
        }
    }

    /** Takes a value and the hash as {@link #used} makes it. */
    @FunctionalInterface
    interface Visitor {
        void visit(long hash, int value);
    }

    int size() {
        return size;
    }

    /** The hash as it is kept: none is 0. */
    static long used(long hash) {
        return hash == FREE ? 1 : hash;
    }

    private void put(long hash, int value) {
        int at = home(hash);
        while (hashes[at] != FREE) {
            at = next(at);
        }
        hashes[at] = hash;
        values[at] = value;
        size++;
    }

    private int slot(long hash) {
        int at = home(hash);
        while (hashes[at] != FREE && hashes[at] != hash) {
            at = next(at);
        }
        return at;
    }

    private int home(long hash) {
        return (int) (hash ^ (hash >>> 32)) & (hashes.length - 1);
    }

    private int next(int at) {
        return (at + 1) & (hashes.length - 1);
    }

    private void grow() {
        long[] oldHashes = hashes;
        int[] oldValues = values;
        hashes = new long[2 * oldHashes.length];
        values = new int[hashes.length];
        Arrays.fill(values, -1);
        size = 0;
        for (int i = 0; i < oldHashes.length; i++) {
            if (oldHashes[i] != FREE) {
                put(oldHashes[i], oldValues[i]);
            }
        }
    }
}
