package bt.tablet;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Slice;
import bt.model.CellKey;
import bt.model.CellKey.Level;
import bt.model.ColumnKey;
import bt.model.FamilySchema;
import bt.model.KeyParts;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The row, family and column in which a read stands. Keys of one column come one after the other, and columns of one name
 * in row after row, so it decodes what is new and keeps the rest. One thread.
 */
final class ColumnPlace {
    /** How far the key leads away from the one before. */
    enum Entered {
        NOTHING,
        COLUMN,
        FAMILY,
        ROW
    }

    /** No key's. */
    private static final int NO_FAMILY = -1;

    private static final int NO_PREFIX = -1;

    /** Arrays that longer keys have made larger are not kept from one read to the next. */
    private static final int MAX_KEPT_BYTES = 4 << 10;

    private final KeyParts parts = new KeyParts();

    /** What all keys of the column begin with, or of the row's or family's own keys. */
    private byte[] prefix = new byte[64];

    private int prefixLength;
    private int rowLength;
    private int family = NO_FAMILY;
    private Level level = Level.ROW;
    private Bytes row = Bytes.EMPTY;

    /** The family and the encoded qualifier of the column that {@link #qualifier} and {@link #column} are made for. */
    private int columnFamily = NO_FAMILY;

    private byte[] encodedQualifier = new byte[64];
    private int encodedLength;
    private Bytes qualifier = Bytes.EMPTY;
    private @Nullable ColumnKey column;

    /** Goes before all rows. */
    void begin() {
        prefixLength = NO_PREFIX;
        rowLength = 0;
        family = NO_FAMILY;
        row = Bytes.EMPTY;
        if (prefix.length > MAX_KEPT_BYTES) {
            prefix = new byte[64];
        }
        if (encodedQualifier.length > MAX_KEPT_BYTES) {
            encodedQualifier = new byte[64];
            columnFamily = NO_FAMILY;
            qualifier = Bytes.EMPTY;
            column = null;
        }
    }

    /** Goes before the columns of this row, whose keys begin with this. */
    void beginRow(Bytes only, Bytes rowPrefix) {
        begin();
        row = only;
        rowLength = rowPrefix.length();
        makeRoom(rowLength);
        rowPrefix.copyTo(prefix, 0);
    }

    Entered enter(Slice key) throws CorruptionException {
        int length = CellKey.columnPrefixLength(key);
        if (length == prefixLength && key.startsWith(prefix, length)) {
            return Entered.NOTHING;
        }
        parts.find(key);
        Entered entered = Entered.COLUMN;
        if (parts.rowLength() != rowLength || !key.startsWith(prefix, rowLength)) {
            row = parts.row();
            entered = Entered.ROW;
        } else if (parts.family() != family) {
            entered = Entered.FAMILY;
        }
        if (parts.level() == Level.COLUMN && !hasSameColumn(key)) {
            qualifier = parts.qualifier();
            column = null;
            rememberColumn(key);
        }
        remember(key);
        return entered;
    }

    /** One object for all cells of the row. */
    Bytes row() {
        return row;
    }

    /** Whether the key is one of the row's. */
    boolean isInRow(Slice key) {
        return key.startsWith(prefix, rowLength);
    }

    /** Whether the key is one of the column's, or of the row's or family's own: it lies before {@link #endOfColumn}. */
    boolean isInColumn(Slice key) {
        return key.startsWith(prefix, prefixLength);
    }

    int family() {
        return family;
    }

    Level level() {
        return level;
    }

    Bytes qualifier() {
        return qualifier;
    }

    /** One object for all cells of the column in the row, and mostly for those in the next row, and the next read, too. */
    ColumnKey column(FamilySchema known) {
        ColumnKey present = column;
        // A read of another table may give the family's number another name.
        if (present == null || !present.family().equals(known.name())) {
            present = new ColumnKey(known.name(), qualifier);
            column = present;
        }
        return present;
    }

    /** Above all keys of the column, below all that follow. */
    Bytes endOfColumn() {
        return CellKey.endOf(Bytes.copyOf(prefix, 0, prefixLength));
    }

    /** Whether the column, of the same or of another row, has the family and the qualifier of the one before. */
    private boolean hasSameColumn(Slice key) {
        int from = key.from() + parts.qualifierFrom();
        int to = key.from() + parts.columnLength();
        return parts.family() == columnFamily
                && Arrays.equals(key.array(), from, to, encodedQualifier, 0, encodedLength);
    }

    private void rememberColumn(Slice key) {
        columnFamily = parts.family();
        encodedLength = parts.columnLength() - parts.qualifierFrom();
        if (encodedQualifier.length < encodedLength) {
            encodedQualifier = new byte[Math.max(encodedLength, 2 * encodedQualifier.length)];
        }
        System.arraycopy(key.array(), key.from() + parts.qualifierFrom(), encodedQualifier, 0, encodedLength);
    }

    private void remember(Slice key) {
        prefixLength = parts.columnLength();
        makeRoom(prefixLength);
        System.arraycopy(key.array(), key.from(), prefix, 0, prefixLength);
        rowLength = parts.rowLength();
        family = parts.family();
        level = parts.level();
    }

    private void makeRoom(int length) {
        if (prefix.length < length) {
            prefix = new byte[Math.max(length, 2 * prefix.length)];
        }
    }
}
