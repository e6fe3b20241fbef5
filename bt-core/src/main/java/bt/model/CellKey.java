package bt.model;

import static bt.base.Check.checkArgument;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;
import bt.base.Slice;
import java.util.Optional;

/**
 * The stored key of one change, encoded so that unsigned bytewise order is the order of the data: row, family,
 * qualifier, timestamp descending, sequence descending. No encoded key is the prefix of another. Deletions stand before
 * all that they may hide: of a row before its families, of a family before its columns, of a column at the highest
 * timestamp, of a range of versions at its newest. See docs/formats/cell-key.md. The index of the map that a Bigtable
 * is (section 2 of the paper), and the order of sequences, which the paper has nothing of. Lengths are in bytes; an encoded key that is none is CORRUPTION.
 */
public record CellKey(Bytes row, int family, Optional<Bytes> qualifier, long timestamp, long sequence, Kind kind) {
    /** The family of what concerns the whole row. */
    public static final int ROW_LEVEL = 0;

    /** Where deletions stand that have no timestamp. */
    public static final long NO_TIMESTAMP = Long.MAX_VALUE;

    /** The highest number that a change can have. */
    public static final long MAX_SEQUENCE = 1L << 62;

    private static final int TAIL_BYTES = 2 * Long.BYTES + 1;

    static final int ESCAPED_ZERO = 0xff;
    static final int END_OF_STRING = 0x01;
    private static final int AFTER_END_OF_STRING = 0x02;
    private static final int FAMILY_LEVEL = 0x00;

    public CellKey {
        checkArgument(!row.isEmpty(), "a row key is not empty");
        checkArgument(family >= ROW_LEVEL, "family id %d", family);
        checkArgument(sequence >= 0 && sequence <= MAX_SEQUENCE, "sequence %d is not 0 to 2^62", sequence);
        checkArgument(
                kind.level() == Level.of(family, qualifier.isPresent()),
                "%s with family %d and %s",
                kind,
                family,
                qualifier.isPresent() ? "a qualifier" : "no qualifier");
    }

    /** What a key does, at which level. The numbers are at rest; 10 to 255 are free, and refused by readers. */
    public enum Kind {
        PUT(1, Level.COLUMN),
        DELETE_ROW(2, Level.ROW),
        DELETE_FAMILY(3, Level.FAMILY),
        DELETE_COLUMN(4, Level.COLUMN),
        /** The key's timestamp is the newest that is hidden; the value is the oldest, u64 big-endian. */
        DELETE_VERSIONS(5, Level.COLUMN),
        DELETE_VERSION(6, Level.COLUMN),
        /** What a compaction leaves of a put that is not shown but counted against the version limit: no value. */
        GHOST(7, Level.COLUMN),
        /** Reserved: an operand of an aggregate. */
        MERGE(8, Level.COLUMN),
        /** Reserved: a put whose value begins with a block of attributes. */
        PUT_WITH_ATTRIBUTES(9, Level.COLUMN);

        private static final Kind[] BY_NUMBER = new Kind[10];

        static {
            for (Kind kind : values()) {
                BY_NUMBER[kind.number] = kind;
            }
        }

        private final int number;
        private final Level level;

        Kind(int number, Level level) {
            this.number = number;
            this.level = level;
        }

        /** As it is stored. */
        public int number() {
            return number;
        }

        /** What a key of this kind speaks of. */
        public Level level() {
            return level;
        }

        /** Whether it hides others. */
        public boolean isDeletion() {
            return this != PUT && this != GHOST && this != MERGE && this != PUT_WITH_ATTRIBUTES;
        }

        /** The kind of a stored number; empty where it is none. */
        public static Optional<Kind> of(int number) {
            return number > 0 && number < BY_NUMBER.length ? Optional.of(BY_NUMBER[number]) : Optional.empty();
        }
    }

    /** What a key speaks of. */
    public enum Level {
        ROW,
        FAMILY,
        COLUMN;

        static Level of(int family, boolean hasQualifier) {
            return hasQualifier ? COLUMN : family == ROW_LEVEL ? ROW : FAMILY;
        }
    }

    /** As it is stored: compared as bytes, encoded keys are in the order of the data. */
    public Bytes encode() {
        int qualifierBytes = qualifier.map(Bytes::length).orElse(0);
        Output out = new Output(row.length() + qualifierBytes + TAIL_BYTES + 10);
        escape(out, row);
        out.bigU32(family);
        if (qualifier.isPresent()) {
            escape(out, qualifier.get());
        } else if (family != ROW_LEVEL) {
            out.u8(0).u8(FAMILY_LEVEL);
        }
        // Inverted, so that newer sorts first; the sign bit flipped first, so that negative timestamps sort last.
        out.bigU64(~(timestamp ^ Long.MIN_VALUE)).bigU64(~sequence).u8(kind.number());
        return Bytes.wrap(out.array(), 0, out.size());
    }

    /** What {@link #encode} made; CORRUPTION where it did not. */
    public static CellKey decode(Bytes key) throws CorruptionException {
        Input in = Input.of("cell key", key);
        Bytes row = unescape(in, "row").orElseThrow(() -> in.corrupt("a row ends with 00 01, not 00 00"));
        int family = in.bigU32("family");
        Optional<Bytes> qualifier = family == ROW_LEVEL ? Optional.empty() : unescape(in, "qualifier");
        long timestamp = ~in.bigU64("timestamp") ^ Long.MIN_VALUE;
        long sequence = ~in.bigU64("sequence");
        int number = in.u8("kind");
        in.end("the key");
        Kind kind = Kind.of(number).orElseThrow(() -> in.corrupt("kind " + number + " is not known"));
        if (row.isEmpty() || family < 0 || sequence < 0 || sequence > MAX_SEQUENCE) {
            throw in.corrupt("row of " + row.length() + " bytes, family " + family + ", sequence " + sequence);
        }
        if (kind.level() != Level.of(family, qualifier.isPresent())) {
            throw in.corrupt(kind + " in family " + family + " at level " + Level.of(family, qualifier.isPresent()));
        }
        return new CellKey(row, family, qualifier, timestamp, sequence, kind);
    }

    /** What every key of the row begins with, and no other key. */
    public static Bytes rowPrefix(Bytes row) {
        return string(row, END_OF_STRING);
    }

    /** Adds {@link #rowPrefix} to {@code out}. */
    public static void rowPrefix(Bytes row, Output out) {
        escape(out, row);
    }

    /** Above every key of the row, below every key of the next. */
    public static Bytes rowEnd(Bytes row) {
        return string(row, AFTER_END_OF_STRING);
    }

    /** What every key of the row's family begins with, its deletions too. */
    public static Bytes familyPrefix(Bytes row, int family) {
        Output out = new Output(row.length() + 12);
        escape(out, row);
        return out.bigU32(family).toBytes();
    }

    /** What every key of the column begins with, and no other key. */
    public static Bytes columnPrefix(Bytes row, int family, Bytes qualifier) {
        Output out = new Output(row.length() + qualifier.length() + 16);
        escape(out, row);
        escape(out.bigU32(family), qualifier);
        return out.toBytes();
    }

    /** Above all that begins with a row's or a column's prefix, below all that follows. */
    public static Bytes endOf(Bytes prefix) {
        byte[] end = prefix.toArray();
        end[end.length - 1] = AFTER_END_OF_STRING;
        return Bytes.wrap(end);
    }

    /** Length of the prefix that all keys of the same row share. */
    public static int rowPrefixLength(Slice key) {
        for (int i = 0; i + 1 < key.length(); i++) {
            if (key.at(i) == 0 && key.at(++i) == END_OF_STRING) {
                return i + 1;
            }
        }
        throw new IllegalArgumentException(
                "no row ends in the key " + key.toBytes().toHex());
    }

    /**
     * The row of a key, or of what is left of one that ends early: then as far as it goes, so that the rows of all keys
     * below are not above it.
     */
    public static Bytes rowOf(Slice key) {
        Output out = new Output(key.length());
        for (int i = 0; i < key.length(); i++) {
            int b = key.at(i) & 0xff;
            if (b == 0) {
                i++;
                if (i == key.length() || (key.at(i) & 0xff) != ESCAPED_ZERO) {
                    return out.toBytes();
                }
            }
            out.u8(b);
        }
        return out.toBytes();
    }

    /** The family of a key whose row's prefix has this length. */
    public static int familyOf(Slice key, int rowPrefixLength) {
        return (int) (key.bigU64(rowPrefixLength) >>> Integer.SIZE);
    }

    /** Length of the prefix that all keys of the same column share, or of the same row or family level. */
    public static int columnPrefixLength(Slice key) {
        return key.length() - TAIL_BYTES;
    }

    /** The timestamp of an encoded key, without decoding the rest. */
    public static long timestampOf(Slice key) {
        return ~key.bigU64(key.length() - TAIL_BYTES) ^ Long.MIN_VALUE;
    }

    /** The sequence of an encoded key. */
    public static long sequenceOf(Slice key) {
        return ~key.bigU64(key.length() - 1 - Long.BYTES);
    }

    /** The kind of an encoded key; CORRUPTION where its number is none. */
    public static Kind kindOf(Slice key) throws CorruptionException {
        int number = key.at(key.length() - 1) & 0xff;
        if (number == 0 || number >= Kind.BY_NUMBER.length) {
            throw new CorruptionException("cell key " + key + ": kind " + number + " is not known");
        }
        return Kind.BY_NUMBER[number];
    }

    /** Whether the key hides others. */
    public static boolean isDeletion(Slice key) {
        int number = key.at(key.length() - 1) & 0xff;
        Kind kind = number < Kind.BY_NUMBER.length ? Kind.BY_NUMBER[number] : null;
        return kind != null && kind.isDeletion();
    }

    /** The family of the key; {@link #ROW_LEVEL} where it concerns the whole row. */
    public static int familyOf(Slice key) {
        for (int i = 0; ; i++) {
            if (key.at(i) == 0 && key.at(++i) == END_OF_STRING) {
                return (int) (key.bigU64(i + 1) >>> Integer.SIZE);
            }
        }
    }

    /** The qualifier of the encoded key of a column, whose row's prefix has this length; where it can, as it lies there. */
    public static Bytes qualifierOf(Slice key, int rowPrefixLength) throws CorruptionException {
        int from = rowPrefixLength + Integer.BYTES;
        int to = key.length() - TAIL_BYTES - 2;
        for (int i = from; i < to; i++) {
            if (key.at(i) == 0) {
                Input in = new Input("cell key", from, key.array(), key.from() + from, key.from() + key.length());
                return unescape(in, "qualifier").orElseThrow(() -> in.corrupt("a key of a family has no qualifier"));
            }
        }
        return Bytes.wrap(key.array(), key.from() + from, to - from);
    }

    /** The same key with another kind of the same level. */
    public static Bytes withKind(Slice key, Kind kind) {
        byte[] changed = Bytes.copyOf(key.array(), key.from(), key.length()).toArray();
        changed[changed.length - 1] = (byte) kind.number;
        return Bytes.wrap(changed);
    }

    /** The same key with another sequence, written in the place of what {@code out} held. */
    public static void withSequence(Slice key, long sequence, Output out) {
        int length = key.length();
        out.clear();
        out.raw(key.array(), key.from(), length - 1 - Long.BYTES)
                .bigU64(~sequence)
                .u8(key.at(length - 1));
    }

    /** Escaped, and ended with 00 and this. */
    private static Bytes string(Bytes string, int end) {
        int zeros = 0;
        for (int i = 0; i < string.length(); i++) {
            zeros += string.at(i) == 0 ? 1 : 0;
        }
        byte[] escaped = new byte[string.length() + zeros + 2];
        int to = 0;
        for (int i = 0; i < string.length(); i++) {
            escaped[to++] = string.at(i);
            if (string.at(i) == 0) {
                escaped[to++] = (byte) ESCAPED_ZERO;
            }
        }
        escaped[to + 1] = (byte) end;
        return Bytes.wrap(escaped);
    }

    private static void escape(Output out, Bytes string) {
        for (int i = 0; i < string.length(); i++) {
            byte b = string.at(i);
            out.u8(b);
            if (b == 0) {
                out.u8(ESCAPED_ZERO);
            }
        }
        out.u8(0).u8(END_OF_STRING);
    }

    /** Empty for 00 00, which stands where a qualifier would begin. */
    private static Optional<Bytes> unescape(Input in, String field) throws CorruptionException {
        Output out = new Output(in.remaining());
        while (true) {
            int b = in.u8(field);
            if (b != 0) {
                out.u8(b);
                continue;
            }
            int mark = in.u8(field);
            if (mark == END_OF_STRING) {
                return Optional.of(out.toBytes());
            }
            if (mark == FAMILY_LEVEL && out.size() == 0) {
                return Optional.empty();
            }
            if (mark != ESCAPED_ZERO) {
                throw in.corrupt(field + " has 00 before " + Integer.toHexString(mark));
            }
            out.u8(0);
        }
    }
}
