package bt.base;

import java.util.Arrays;

/** A growing byte array that formats are written to. Fixed-width integers are little-endian unless the name says big. */
public final class Output {
    private byte[] array;
    private int size;

    public Output() {
        this(64);
    }

    public Output(int capacity) {
        array = new byte[capacity];
    }

    public int size() {
        return size;
    }

    public void clear() {
        size = 0;
    }

    /** Makes room for so many more at once, which else is made by and by, with a copy each time. */
    public Output expect(long more) {
        ensure((int) Math.min(more, Integer.MAX_VALUE - 8 - size));
        return this;
    }

    public Output u8(int value) {
        ensure(1);
        array[size++] = (byte) value;
        return this;
    }

    public Output u32(int value) {
        ensure(4);
        setU32(size, value);
        size += 4;
        return this;
    }

    public Output u64(long value) {
        return u32((int) value).u32((int) (value >>> 32));
    }

    public Output bigU32(int value) {
        return u32(Integer.reverseBytes(value));
    }

    public Output bigU64(long value) {
        return u64(Long.reverseBytes(value));
    }

    /** Seven bits a byte, low first, the high bit says that more follow: small numbers are short. */
    public Output varint(long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            u8((int) rest | 0x80);
            rest >>>= 7;
        }
        return u8((int) rest);
    }

    /** Of either sign; one near zero is short. */
    public Output signedVarint(long value) {
        return varint(value << 1 ^ value >> 63);
    }

    public Output raw(byte[] bytes) {
        return raw(bytes, 0, bytes.length);
    }

    public Output raw(byte[] bytes, int offset, int length) {
        ensure(length);
        System.arraycopy(bytes, offset, array, size, length);
        size += length;
        return this;
    }

    public Output raw(Bytes bytes) {
        ensure(bytes.length());
        bytes.copyTo(array, size);
        size += bytes.length();
        return this;
    }

    /** Length as a varint, then the bytes. */
    public Output bytes(Bytes bytes) {
        return varint(bytes.length()).raw(bytes);
    }

    /** Length in bytes as a varint, then UTF-8. */
    public Output text(String text) {
        return bytes(Bytes.utf8(text));
    }

    /** Overwrites four bytes written before, for lengths and checksums known only afterwards. */
    public void setU32(int at, int value) {
        array[at] = (byte) value;
        array[at + 1] = (byte) (value >>> 8);
        array[at + 2] = (byte) (value >>> 16);
        array[at + 3] = (byte) (value >>> 24);
    }

    /** The backing array, of which the first {@link #size} bytes count; valid until the next write. */
    public byte[] array() {
        return array;
    }

    public byte[] toArray() {
        return Arrays.copyOf(array, size);
    }

    public Bytes toBytes() {
        return Bytes.wrap(toArray());
    }

    private void ensure(int more) {
        if (more > array.length - size) {
            array = Arrays.copyOf(array, Math.max(size + more, array.length * 2));
        }
    }
}
