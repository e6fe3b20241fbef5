package bt.base;

import static bt.base.Check.checkState;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A growing byte array that formats are written to. Fixed-width integers are little-endian unless the name says big. Long
 * byte strings can be lent to one that was made {@link #borrowing}.
 */
public final class Output {
    /** Fewer bytes are copied at once: to remember where they lie costs as much. */
    private static final int LEAST_LENT_BYTES = 512;

    /** So much stays in the nearest cache of the CPU until it is summed up. */
    private static final int SUMMED_AT_ONCE = 16 << 10;

    private byte[] array;
    private int size;
    private List<Lent> lent = List.of();
    private int lentBytes;
    private int leastLentBytes = Integer.MAX_VALUE;

    public Output() {
        this(64);
    }

    public Output(int capacity) {
        array = new byte[capacity];
    }

    /** One whose reader uses {@link #writeTo}: byte strings that are long and {@link #lend lent} to it are copied there alone. */
    public static Output borrowing(int capacity) {
        Output out = new Output(capacity);
        out.leastLentBytes = LEAST_LENT_BYTES;
        return out;
    }

    public int size() {
        return size;
    }

    public void clear() {
        size = 0;
        lent = List.of();
        lentBytes = 0;
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

    /** As {@link #bytes}; where {@link #borrows} says so they stay where they are, and neither size nor array has them. */
    public Output lend(Bytes bytes) {
        if (!borrows(bytes)) {
            return bytes(bytes);
        }
        varint(bytes.length());
        if (lent.isEmpty()) {
            lent = new ArrayList<>();
        }
        lent.add(new Lent(size, bytes));
        lentBytes += bytes.length();
        return this;
    }

    /** Whether these would stay where they are until {@link #writeTo} comes to them. */
    public boolean borrows(Bytes bytes) {
        return bytes.length() >= leastLentBytes;
    }

    /** How much was written, with what was lent. */
    public int total() {
        return size + lentBytes;
    }

    /** All that was written, in its order, and its CRC32C. The target has room for {@link #total} bytes. */
    public int writeTo(ByteBuffer target) {
        Crc32c.Sum sum = new Crc32c.Sum();
        ByteBuffer unsummed = target.duplicate();
        int from = 0;
        for (int i = 0; i < lent.size(); i++) {
            Lent piece = lent.get(i);
            target.put(array, from, piece.at() - from);
            from = piece.at();
            piece.bytes().writeTo(target);
            if (target.position() - unsummed.position() >= SUMMED_AT_ONCE) {
                sum.add(unsummed.limit(target.position()));
            }
        }
        target.put(array, from, size - from);
        return sum.add(unsummed.limit(target.position())).value();
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

    /**
     * The backing array, of which the first {@link #size} bytes count; valid until the next write. Where something was lent
     * it is not all: see {@link #total}.
     */
    public byte[] array() {
        return array;
    }

    /** All of it; nothing may be lent. */
    public byte[] toArray() {
        checkState(lentBytes == 0, "what is lent is in no array");
        return Arrays.copyOf(array, size);
    }

    public Bytes toBytes() {
        return Bytes.wrap(toArray());
    }

    /** What comes behind so many bytes of the array. */
    private record Lent(int at, Bytes bytes) {}

    private void ensure(int more) {
        if (more > array.length - size) {
            array = Arrays.copyOf(array, Math.max(size + more, array.length * 2));
        }
    }
}
