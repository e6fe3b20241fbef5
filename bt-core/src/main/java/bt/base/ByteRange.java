package bt.base;

import static bt.base.Check.checkArgument;

import java.util.Optional;

/**
 * Byte strings from {@code from}, included, to {@code to}, excluded; no end means all that follow. Never empty. What
 * filters keep qualifiers and values to; the paper has no such filter.
 */
public record ByteRange(Bytes from, Optional<Bytes> to) {
    /** Every byte string. */
    public static final ByteRange ALL = new ByteRange(Bytes.EMPTY, Optional.empty());

    public ByteRange {
        if (to.isPresent()) {
            checkArgument(
                    from.compareTo(to.get()) < 0, "nothing lies from %s to before %s", shown(from), shown(to.get()));
        }
    }

    /** From one, included, to another, excluded; IllegalArgumentException where nothing lies between. */
    public static ByteRange of(Bytes from, Bytes to) {
        return new ByteRange(from, Optional.of(to));
    }

    /** This one alone. */
    public static ByteRange only(Bytes one) {
        return of(one, one.successor());
    }

    /** Every one that begins with {@code prefix}. */
    public static ByteRange prefix(Bytes prefix) {
        byte[] bytes = prefix.toArray();
        for (int last = bytes.length - 1; last >= 0; last--) {
            if (bytes[last] != (byte) 0xff) {
                bytes[last]++;
                return of(prefix, Bytes.copyOf(bytes, 0, last + 1));
            }
        }
        return new ByteRange(prefix, Optional.empty());
    }

    /** Whether it lies in the range. */
    public boolean contains(Bytes bytes) {
        return bytes.compareTo(from) >= 0 && (to.isEmpty() || bytes.compareTo(to.get()) < 0);
    }

    /** The same of bytes where they lie. */
    public boolean contains(Slice bytes) {
        return bytes.compareWith(from) >= 0 && (to.isEmpty() || bytes.compareWith(to.get()) < 0);
    }

    /** Whether it is {@link #only}'s of its first: nothing else can be in it. */
    public boolean isOne() {
        return to.isPresent() && to.get().isSuccessorOf(from);
    }

    private static String shown(Bytes end) {
        return end.isEmpty() ? "''" : end.toString();
    }
}
