package bt.model;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Output;
import bt.base.Slice;
import bt.model.CellKey.Kind;
import bt.model.CellKey.Level;

/**
 * The parts of one encoded {@link CellKey} after the other, found and checked where they lie. One thread. What it says
 * holds until the key, or the next {@link #find}, moves. Section 2 of the paper, as that key. Lengths and places are in bytes; what is no key is CORRUPTION.
 */
public final class KeyParts {
    private static final int FAMILY_BYTES = Integer.BYTES;

    private static final Slice NO_KEY = new Slice();

    private Slice key = NO_KEY;
    private int rowLength;
    private int family;
    private int columnLength;
    private Level level = Level.ROW;

    /** Refuses what {@link CellKey#decode} refuses. */
    public void find(Slice cellKey) throws CorruptionException {
        key = cellKey;
        columnLength = CellKey.columnPrefixLength(key);
        rowLength = endOfString(0, "row");
        if (columnLength < rowLength + FAMILY_BYTES) {
            throw corrupt("ends before its family does");
        }
        family = CellKey.familyOf(key, rowLength);
        int end = endOfColumn();
        Kind kind = CellKey.kindOf(key);
        long sequence = CellKey.sequenceOf(key);
        if (rowLength == 2 || family < 0 || sequence < 0 || sequence > CellKey.MAX_SEQUENCE) {
            throw corrupt("row of " + (rowLength - 2) + " bytes, family " + family + ", sequence " + sequence);
        }
        if (end != columnLength || kind.level() != level) {
            throw corrupt(kind + " in family " + family + " at level " + level + ", " + (columnLength - end)
                    + " bytes too many");
        }
    }

    /** Length of the prefix that all keys of the row share. */
    public int rowLength() {
        return rowLength;
    }

    /** Length of the prefix that all keys of the column share, or of the same row or family level. */
    public int columnLength() {
        return columnLength;
    }

    /** Where the qualifier begins. */
    public int qualifierFrom() {
        return rowLength + FAMILY_BYTES;
    }

    /** The family's id; {@link CellKey#ROW_LEVEL} of what concerns the whole row. */
    public int family() {
        return family;
    }

    /** What the key speaks of. */
    public Level level() {
        return level;
    }

    /** A copy. */
    public Bytes row() {
        return unescape(0, rowLength - 2);
    }

    /** A copy; only at the level of columns. */
    public Bytes qualifier() {
        return unescape(qualifierFrom(), columnLength - 2);
    }

    private int endOfColumn() throws CorruptionException {
        int from = qualifierFrom();
        if (family == CellKey.ROW_LEVEL) {
            level = Level.ROW;
            return from;
        }
        if (columnLength == from + 2 && key.at(from) == 0 && key.at(from + 1) == 0) {
            level = Level.FAMILY;
            return from + 2;
        }
        level = Level.COLUMN;
        return endOfString(from, "qualifier");
    }

    /** Behind the 00 01 that ends the string. */
    private int endOfString(int from, String field) throws CorruptionException {
        byte[] array = key.array();
        int last = key.from() + columnLength - 1;
        for (int at = key.from() + from; at < last; at++) {
            if (array[at] == 0) {
                at++;
                if (array[at] == CellKey.END_OF_STRING) {
                    return at + 1 - key.from();
                }
                if (array[at] != (byte) CellKey.ESCAPED_ZERO) {
                    throw corrupt(field + " has 00 before " + Integer.toHexString(array[at] & 0xff));
                }
            }
        }
        throw corrupt(field + " does not end");
    }

    private Bytes unescape(int from, int to) {
        byte[] array = key.array();
        int at = key.from() + from;
        int end = key.from() + to;
        while (at < end && array[at] != 0) {
            at++;
        }
        if (at == end) {
            return Bytes.copyOf(array, key.from() + from, to - from);
        }
        Output out = new Output(to - from);
        for (at = key.from() + from; at < end; at++) {
            out.u8(array[at]);
            // The byte after a zero only says that the string goes on.
            at += array[at] == 0 ? 1 : 0;
        }
        return out.toBytes();
    }

    private CorruptionException corrupt(String fact) {
        return new CorruptionException("cell key " + key + ": " + fact);
    }
}
