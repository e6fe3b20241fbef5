package bt.examples.paper;

import static bt.base.Check.checkArgument;

import bt.base.Bytes;
import bt.model.ColumnKey;
import bt.model.RowRange;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/**
 * The rows of a measurement: named 0 to R-1, with leading zeros so that they lie in that order; each with one value that no
 * codec can shorten, which begins with the number of its row.
 */
final class Rows {
    static final String FAMILY = "f";
    static final ColumnKey COLUMN = ColumnKey.of(FAMILY, "v");
    static final int VALUE_BYTES = 1_000;

    private static final int DIGITS = 10;

    private Rows() {}

    static Bytes key(long number) {
        checkArgument(number >= 0, "row %d", number);
        byte[] digits = new byte[DIGITS];
        long rest = number;
        for (int i = DIGITS - 1; i >= 0; i--) {
            digits[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        return Bytes.wrap(digits);
    }

    static RowRange range(long from, long to) {
        return RowRange.of(key(from), key(to));
    }

    static Bytes value(long number, SplittableRandom random) {
        byte[] value = new byte[VALUE_BYTES];
        random.nextBytes(value);
        ByteBuffer.wrap(value).putLong(number);
        return Bytes.wrap(value);
    }

    /** Whether it can be the value of that row. */
    static boolean isOf(long number, Bytes value) {
        if (value.length() != VALUE_BYTES) {
            return false;
        }
        long begins = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            begins = begins << Byte.SIZE | (value.at(i) & 0xff);
        }
        return begins == number;
    }

    /** The paper's "hashed modulo R": the same row for the same number. */
    static long hashed(long number, long rows) {
        long mixed = (number + 0x9e3779b97f4a7c15L) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 29)) * 0x94d049bb133111ebL;
        return Math.floorMod(mixed ^ (mixed >>> 32), rows);
    }
}
