package bt.tablet;

import bt.base.Bytes;
import bt.model.ColumnKey;
import org.jspecify.annotations.Nullable;

/** How many cells of the present column a filter has been shown. One thread. */
final class VersionCount {
    private final int most;
    private @Nullable Bytes row;
    private @Nullable ColumnKey column;
    private int shown;

    /** Counts no further than this. */
    VersionCount(int most) {
        this.most = most;
    }

    /** How many of the column were shown. */
    int shown(Bytes inRow, ColumnKey ofColumn) {
        Bytes present = row;
        return present != null && present.equals(inRow) && ofColumn.equals(column) ? shown : 0;
    }

    /** Goes on in a column of which so many were shown. */
    void resume(Bytes inRow, ColumnKey ofColumn, int alreadyShown) {
        row = inRow;
        column = ofColumn;
        shown = alreadyShown;
    }

    /** Whether the column has shown so many before this cell, which is counted. */
    @SuppressWarnings("ReferenceEquality") // Most are the same object; what is not is compared.
    boolean isReached(Candidate cell) {
        ColumnKey present = cell.column();
        if (cell.row() != row || (present != column && !present.equals(column))) {
            row = cell.row();
            column = present;
            shown = 0;
        }
        if (shown >= most) {
            return true;
        }
        shown++;
        return false;
    }
}
