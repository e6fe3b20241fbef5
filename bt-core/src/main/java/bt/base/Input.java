package bt.base;

import java.nio.charset.StandardCharsets;

/**
 * Reads what {@link Output} wrote. Every getter names what it reads, so that a damaged input ends in one line with the
 * source, the offset and the field; no length is believed before it is checked against what is left.
 */
public final class Input {
    private final String source;
    private final long base;
    private final byte[] array;
    private final int end;
    private int position;

    /** {@code base} is where {@code array[from]} lies in the source, for messages. */
    public Input(String source, long base, byte[] array, int from, int end) {
        this.source = source;
        this.base = base - from;
        this.array = array;
        this.position = from;
        this.end = end;
    }

    public static Input of(String source, Bytes bytes) {
        byte[] array = bytes.toArray();
        return new Input(source, 0, array, 0, array.length);
    }

    /** What reads the same from here on. */
    public Input copy() {
        return new Input(source, base + position, array, position, end);
    }

    public int remaining() {
        return end - position;
    }

    /** Index into the array given at construction. */
    public int position() {
        return position;
    }

    public int u8(String field) throws CorruptionException {
        need(1, field);
        return array[position++] & 0xff;
    }

    public int u32(String field) throws CorruptionException {
        need(4, field);
        int value = (array[position] & 0xff)
                | (array[position + 1] & 0xff) << 8
                | (array[position + 2] & 0xff) << 16
                | (array[position + 3] & 0xff) << 24;
        position += 4;
        return value;
    }

    public long u64(String field) throws CorruptionException {
        return (u32(field) & 0xffff_ffffL) | (long) u32(field) << 32;
    }

    public int bigU32(String field) throws CorruptionException {
        return Integer.reverseBytes(u32(field));
    }

    public long bigU64(String field) throws CorruptionException {
        return Long.reverseBytes(u64(field));
    }

    public long varint(String field) throws CorruptionException {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int b = u8(field);
            value |= (long) (b & 0x7f) << shift;
            if (b < 0x80) {
                return value;
            }
        }
        throw corrupt(field + " is longer than a varint may be");
    }

    public long signedVarint(String field) throws CorruptionException {
        long folded = varint(field);
        return folded >>> 1 ^ -(folded & 1);
    }

    /** A varint that counts or measures what follows, refused above {@code max}. */
    public int length(String field, int max) throws CorruptionException {
        long value = varint(field);
        if (value < 0 || value > max) {
            throw corrupt(field + " is " + Long.toUnsignedString(value) + ", more than " + max);
        }
        return (int) value;
    }

    /** A view, not a copy. */
    public Bytes raw(String field, int length) throws CorruptionException {
        need(length, field);
        Bytes bytes = Bytes.wrap(array, position, length);
        position += length;
        return bytes;
    }

    public Bytes bytes(String field) throws CorruptionException {
        return raw(field, length(field, remaining()));
    }

    /** Reads past a byte string and says how long it is. */
    public int skipBytes(String field) throws CorruptionException {
        int length = length(field, remaining());
        skip(field, length);
        return length;
    }

    /** Reads past so many bytes. */
    public void skip(String field, int bytes) throws CorruptionException {
        need(bytes, field);
        position += bytes;
    }

    public String text(String field) throws CorruptionException {
        Bytes bytes = bytes(field);
        return new String(bytes.toArray(), StandardCharsets.UTF_8);
    }

    public void end(String what) throws CorruptionException {
        if (remaining() != 0) {
            throw corrupt(remaining() + " bytes after the end of " + what);
        }
    }

    public CorruptionException corrupt(String fact) {
        return new CorruptionException(source + " at " + (base + position) + ": " + fact);
    }

    private void need(int bytes, String field) throws CorruptionException {
        if (bytes < 0 || bytes > remaining()) {
            throw corrupt(field + " needs " + bytes + " bytes, " + remaining() + " are left");
        }
    }
}
