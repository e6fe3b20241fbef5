package bt.base;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * An immutable byte string: row keys, qualifiers, values. Ordered bytewise, bytes unsigned, a prefix before what it
 * begins. What the paper calls an arbitrary string (section 2).
 */
public final class Bytes implements Comparable<Bytes> {
    /** No bytes: an empty qualifier, an empty value; as a row key it is refused everywhere. */
    public static final Bytes EMPTY = new Bytes(new byte[0], 0, 0);

    private static final HexFormat HEX = HexFormat.of();

    /** More of a key says nothing to whoever reads a message, and there may be as many messages as writes. */
    private static final int BRIEF_BYTES = 100;

    private final byte[] array;
    private final int offset;
    private final int length;

    private Bytes(byte[] array, int offset, int length) {
        this.array = array;
        this.offset = offset;
        this.length = length;
    }

    /** A copy: the array stays the caller's. */
    public static Bytes copyOf(byte[] bytes) {
        return wrap(bytes.clone());
    }

    /** A copy of so many bytes of an array from an offset on, which are in it. */
    public static Bytes copyOf(byte[] bytes, int offset, int length) {
        return wrap(Arrays.copyOfRange(bytes, offset, offset + length));
    }

    /** Without a copy: whoever wraps an array gives it away. */
    public static Bytes wrap(byte[] bytes) {
        return wrap(bytes, 0, bytes.length);
    }

    /** Without a copy: whoever wraps an array gives it away. */
    public static Bytes wrap(byte[] bytes, int offset, int length) {
        // Not checkArgument here and below: these run for every cell, and its numbers would be made objects first.
        if (offset < 0 || length < 0 || length > bytes.length - offset) {
            throw new IllegalArgumentException(length + " bytes at " + offset + " of " + bytes.length);
        }
        return length == 0 ? EMPTY : new Bytes(bytes, offset, length);
    }

    /**
     * The UTF-8 of a text: how row keys and qualifiers are mostly made. IllegalArgumentException where it has half of a
     * surrogate pair, for which there is no UTF-8: a question mark in its place would be another key.
     */
    public static Bytes utf8(String text) {
        int half = halfAPair(text);
        if (half >= 0) {
            throw new IllegalArgumentException(half(text, half));
        }
        return wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Two hexadecimal digits for each byte, as in {@code 00ff}; IllegalArgumentException for anything else. */
    public static Bytes hex(String digits) {
        return wrap(HEX.parseHex(digits));
    }

    /** How many bytes. */
    public int length() {
        return length;
    }

    /** Whether there are none. */
    public boolean isEmpty() {
        return length == 0;
    }

    /** One byte, signed as Java has them; IllegalArgumentException outside of 0 to {@link #length} - 1. */
    public byte at(int index) {
        if (index < 0 || index >= length) {
            throw new IllegalArgumentException("byte " + index + " of " + length);
        }
        return array[offset + index];
    }

    /**
     * The bytes from one index, included, to another, excluded, without a copy; IllegalArgumentException where these
     * are not all there.
     */
    public Bytes slice(int from, int to) {
        if (from < 0 || from > to || to > length) {
            throw new IllegalArgumentException("slice " + from + " to " + to + " of " + length);
        }
        return wrap(array, offset + from, to - from);
    }

    /** Whether the prefix stands at its beginning; the empty one always does. */
    public boolean startsWith(Bytes prefix) {
        return length >= prefix.length
                && Arrays.equals(
                        array,
                        offset,
                        offset + prefix.length,
                        prefix.array,
                        prefix.offset,
                        prefix.offset + prefix.length);
    }

    /** How many bytes the two begin with alike. */
    public int sharedLength(Bytes that) {
        int differs =
                Arrays.mismatch(array, offset, offset + length, that.array, that.offset, that.offset + that.length);
        return differs < 0 ? length : differs;
    }

    /** The smallest byte string above this one: this and a zero byte. */
    public Bytes successor() {
        byte[] longer = new byte[length + 1];
        copyTo(longer, 0);
        return wrap(longer);
    }

    /** Whether it is {@link #successor}'s of {@code that}. */
    public boolean isSuccessorOf(Bytes that) {
        return length == that.length + 1 && at(that.length) == 0 && startsWith(that);
    }

    /** A copy, the caller's own. */
    public byte[] toArray() {
        return Arrays.copyOfRange(array, offset, offset + length);
    }

    /** A read-only view. */
    public ByteBuffer toBuffer() {
        return ByteBuffer.wrap(array, offset, length).slice().asReadOnlyBuffer();
    }

    /** Copies all of it into an array, from this index of the array on. */
    public void copyTo(byte[] target, int at) {
        System.arraycopy(array, offset, target, at, length);
    }

    /** Copies all of it to where the buffer stands. */
    public void writeTo(ByteBuffer target) {
        target.put(array, offset, length);
    }

    /**
     * As text, if it is UTF-8: what is not comes out as replacement characters, so this is for people and not for
     * keys.
     */
    public String toUtf8() {
        return new String(array, offset, length, StandardCharsets.UTF_8);
    }

    /** Two hexadecimal digits for each byte; {@link #hex} reads them back. */
    public String toHex() {
        return HEX.formatHex(array, offset, offset + length);
    }

    /** For {@link Slice}, which lets nobody write to it. */
    byte[] array() {
        return array;
    }

    int offset() {
        return offset;
    }

    @Override
    public int compareTo(Bytes that) {
        return Arrays.compareUnsigned(
                array, offset, offset + length, that.array, that.offset, that.offset + that.length);
    }

    /** As with the bytes of an array from one index, included, to another, excluded. */
    public int compareTo(byte[] that, int from, int to) {
        return Arrays.compareUnsigned(array, offset, offset + length, that, from, to);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bytes that
                && Arrays.equals(array, offset, offset + length, that.array, that.offset, that.offset + that.length);
    }

    @Override
    public int hashCode() {
        int hash = 1;
        for (int i = offset; i < offset + length; i++) {
            hash = 31 * hash + array[i];
        }
        return hash;
    }

    /** Printable ASCII as it is, everything else as {@code \xNN}; {@link #parse} reads it back. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(length + 8);
        for (int i = offset; i < offset + length; i++) {
            int b = array[i] & 0xff;
            if (b == '\\') {
                text.append("\\\\");
            } else if (b >= 0x20 && b < 0x7f) {
                text.append((char) b);
            } else {
                text.append("\\x").append(HEX.toHexDigits((byte) b));
            }
        }
        return text.toString();
    }

    /**
     * For messages: as {@link #toString}, but of more than 100 bytes the first 100 and how many there are, as in {@code
     * com.example…(4096 bytes)}.
     */
    public String brief() {
        return length <= BRIEF_BYTES ? toString() : slice(0, BRIEF_BYTES) + "…(" + length + " bytes)";
    }

    /**
     * Reads what {@link #toString} prints; text outside ASCII stands for its UTF-8. A {@link MalformedTextException} says
     * which backslash begins nothing, or where half of a surrogate pair is.
     */
    public static Bytes parse(String text) {
        int half = halfAPair(text);
        if (half >= 0) {
            throw new MalformedTextException(half, half(text, half));
        }
        if (text.indexOf('\\') < 0) {
            return wrap(text.getBytes(StandardCharsets.UTF_8));
        }
        Output out = new Output();
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            if (c != '\\') {
                out.raw(Character.toString(c).getBytes(StandardCharsets.UTF_8));
                i += Character.charCount(c);
            } else if (text.startsWith("\\\\", i)) {
                out.u8('\\');
                i += 2;
            } else {
                if (!isByte(text, i)) {
                    throw new MalformedTextException(
                            i,
                            String.format(
                                    "a backslash begins \\\\ or \\xNN, not so at character %d of \"%s\"",
                                    text.codePointCount(0, i) + 1, text));
                }
                out.u8(HexFormat.fromHexDigits(text, i + 2, i + 4));
                i += 4;
            }
        }
        return out.toBytes();
    }

    /** Where the first half of a surrogate pair without the other is; -1 where there is none. */
    private static int halfAPair(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (!Character.isSupplementaryCodePoint(text.codePointAt(i))) {
                    return i;
                }
                i++;
            }
        }
        return -1;
    }

    private static String half(String text, int index) {
        return String.format(
                "character %d of %d is half of a surrogate pair, \\u%04x, and has no UTF-8: write the whole pair, or bytes as"
                        + " \\xNN",
                text.codePointCount(0, index) + 1, text.codePointCount(0, text.length()), (int) text.charAt(index));
    }

    private static boolean isByte(String text, int backslash) {
        return backslash + 4 <= text.length()
                && text.charAt(backslash + 1) == 'x'
                && HexFormat.isHexDigit(text.charAt(backslash + 2))
                && HexFormat.isHexDigit(text.charAt(backslash + 3));
    }
}
