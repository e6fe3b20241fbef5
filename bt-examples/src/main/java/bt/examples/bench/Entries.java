package bt.examples.bench;

import static bt.base.Check.checkArgument;

import java.util.Random;

/**
 * The entries that both systems are given: as many as asked for, each with a number. Keys have 16 bytes and are written in
 * an order that jumps about; between any two neighbours lies one key that is absent. Values compress to about a half, and
 * begin with the entry's number, so that a reader can tell that it got the right one. Any thread.
 */
final class Entries {
    static final int KEY_BYTES = 16;

    private static final long SEED = 6;
    private static final int POOL_BYTES = 1 << 20;
    private static final int PIECE_BYTES = 100;
    private static final byte[] KEY_BEGINS = {'u', 's', 'e', 'r'};

    /** Prime and larger than any count of entries: multiplying by it visits all of them, far from one another. */
    private static final long STRIDE = 2_654_435_761L;

    private final int count;
    private final int valueBytes;
    private final byte[] pool = pool();

    Entries(int count, int valueBytes) {
        checkArgument(count > 0, "%d entries", count);
        checkArgument(valueBytes >= Long.BYTES && valueBytes <= POOL_BYTES / 2, "values of %d bytes", valueBytes);
        this.count = count;
        this.valueBytes = valueBytes;
    }

    int count() {
        return count;
    }

    int valueBytes() {
        return valueBytes;
    }

    int entryBytes() {
        return KEY_BYTES + valueBytes;
    }

    /** The entry that is written {@code i}-th. */
    int numberWritten(int i) {
        return (int) (i * STRIDE % count);
    }

    void key(int number, byte[] target) {
        fill(2L * number, target);
    }

    /** A key that no entry has, next to that of entry {@code number}. */
    void absentKey(int number, byte[] target) {
        fill(2L * number + 1, target);
    }

    private static void fill(long digits, byte[] target) {
        System.arraycopy(KEY_BEGINS, 0, target, 0, KEY_BEGINS.length);
        long rest = digits;
        for (int i = KEY_BYTES - 1; i >= KEY_BEGINS.length; i--) {
            target[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }

    void value(int number, byte[] target) {
        int from = (int) (number * 8_191L % (POOL_BYTES - valueBytes));
        System.arraycopy(pool, from, target, 0, valueBytes);
        for (int i = 0; i < Integer.BYTES; i++) {
            target[i] = (byte) (number >>> (8 * i));
        }
    }

    /** The last byte of the number is enough to tell a wrong value. */
    static boolean isValueOf(int number, byte first) {
        return first == (byte) number;
    }

    /** Half of each piece is random, and then comes again. */
    private static byte[] pool() {
        byte[] pool = new byte[POOL_BYTES];
        Random random = new Random(SEED);
        byte[] half = new byte[PIECE_BYTES / 2];
        for (int at = 0; at + PIECE_BYTES <= POOL_BYTES; at += PIECE_BYTES) {
            random.nextBytes(half);
            System.arraycopy(half, 0, pool, at, half.length);
            System.arraycopy(half, 0, pool, at + half.length, half.length);
        }
        return pool;
    }
}
