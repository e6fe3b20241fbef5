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

    private final KeyParts parts = new KeyParts();

    /** What all keys of the column begin with, or of the row's or family's own keys. */
    private byte[] prefix = new byte[64];

    private int prefixLength;
    private int rowLength;
    private int family = -1;
    private int qualifierFrom;
    private Level level = Level.ROW;
    private Bytes row = Bytes.EMPTY;
    private Bytes qualifier = Bytes.EMPTY;
    private @Nullable ColumnKey column;

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
        }
        remember(key);
        return entered;
    }

    /** One object for all cells of the row. */
    Bytes row() {
        return row;
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

    /** One object for all cells of the column in the row, and mostly for those in the next row too. */
    ColumnKey column(FamilySchema known) {
        ColumnKey present = column;
        if (present == null) {
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
        return level == Level.COLUMN
                && parts.family() == family
                && Arrays.equals(key.array(), from, to, prefix, qualifierFrom, prefixLength);
    }

    private void remember(Slice key) {
        prefixLength = parts.columnLength();
        if (prefix.length < prefixLength) {
            prefix = new byte[Math.max(prefixLength, 2 * prefix.length)];
        }
        System.arraycopy(key.array(), key.from(), prefix, 0, prefixLength);
        rowLength = parts.rowLength();
        family = parts.family();
        qualifierFrom = parts.qualifierFrom();
        level = parts.level();
    }
}
