package bt.base;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A window on bytes that lie in another's array, which its owner moves from place to place: whoever is shown one reads it
 * before the owner's next move, and keeps a copy ({@link #toBytes}) or nothing. Ordered as {@link Bytes} are.
 */
public final class Slice {
    private static final VarHandle BIG_ENDIAN_LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private byte[] array = Bytes.EMPTY.array();
    private int from;
    private int length;

    /** Shows these bytes until the next move. */
    public static Slice of(Bytes bytes) {
        Slice slice = new Slice();
        slice.moveTo(bytes);
        return slice;
    }

    public void moveTo(byte[] newArray, int newFrom, int newLength) {
        array = newArray;
        from = newFrom;
        length = newLength;
    }

    public void moveTo(Bytes bytes) {
        moveTo(bytes.array(), bytes.offset(), bytes.length());
    }

    public void moveTo(Slice that) {
        moveTo(that.array, that.from, that.length);
    }

    /** Not to be written to. */
    public byte[] array() {
        return array;
    }

    /** Index into the array of the first byte. */
    public int from() {
        return from;
    }

    /** Index into the array behind the last byte. */
    public int to() {
        return from + length;
    }

    public int length() {
        return length;
    }

    public byte at(int index) {
        if (index < 0 || index >= length) {
            throw new IndexOutOfBoundsException("byte " + index + " of " + length);
        }
        return array[from + index];
    }

    /** The eight bytes from here on, big-endian. */
    public long bigU64(int index) {
        if (index < 0 || index > length - Long.BYTES) {
            throw new IndexOutOfBoundsException("eight bytes at " + index + " of " + length);
        }
        return (long) BIG_ENDIAN_LONG.get(array, from + index);
    }

    public int compareWith(Slice that) {
        return Arrays.compareUnsigned(array, from, from + length, that.array, that.from, that.from + that.length);
    }

    public int compareWith(Bytes that) {
        return -that.compareTo(array, from, from + length);
    }

    public boolean hasSameBytesAs(Slice that) {
        return Arrays.equals(array, from, from + length, that.array, that.from, that.from + that.length);
    }

    public boolean startsWith(byte[] prefix, int prefixLength) {
        return length >= prefixLength && Arrays.equals(array, from, from + prefixLength, prefix, 0, prefixLength);
    }

    public boolean startsWith(Bytes prefix) {
        int end = from + prefix.length();
        return length >= prefix.length() && prefix.compareTo(array, from, end) == 0;
    }

    /** A copy, which stays as it is. */
    public Bytes toBytes() {
        return Bytes.copyOf(array, from, length);
    }

    /**
     * Of a window on an array that nobody writes to any more: the bytes where they lie. As long as somebody has them the whole
     * array stays.
     */
    public Bytes toView() {
        return Bytes.wrap(array, from, length);
    }

    /** What the window shows at present. */
    @Override
    public String toString() {
        return toBytes().toString();
    }
}
