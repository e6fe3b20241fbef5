package bt.tablet;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;
import bt.base.RejectedException;
import bt.model.ColumnKey;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the parts of a filter have counted of the present row, and what they had at the beginning of its present column:
 * from there a row goes on that is too large for a page. One thread.
 */
final class RowCounts {
    private int[] now = {};
    private int[] atColumn = {};
    private @Nullable Bytes row;
    private @Nullable ColumnKey column;

    /** One count more; its number. Before the first cell. */
    int add() {
        now = Arrays.copyOf(now, now.length + 1);
        atColumn = now.clone();
        return now.length - 1;
    }

    /** The row that comes first is one that has been counted so far. Before the first cell. */
    void resume(Bytes ofRow, List<Integer> counted) throws RejectedException {
        if (counted.size() != now.length) {
            throw new RejectedException(
                    "the read of row " + ofRow.brief() + " cannot go on: its filter counts " + now.length
                            + " numbers, not " + counted.size(),
                    "read the row again from its beginning");
        }
        if (now.length == 0) {
            return;
        }
        for (int i = 0; i < now.length; i++) {
            now[i] = counted.get(i);
        }
        atColumn = now.clone();
        row = ofRow;
    }

    /** What {@link #goOn} needs. */
    void save(Bytes ofRow, Output out) {
        boolean hasBegun = isPresent(ofRow);
        for (int count : now) {
            out.varint(hasBegun ? count : 0);
        }
    }

    /** After {@link #resume}: the row goes on inside this column, if in one, of which this much was counted. */
    void goOn(Optional<ColumnKey> present, Input counted) throws CorruptionException {
        for (int i = 0; i < now.length; i++) {
            now[i] = counted.length("count of the filter", Integer.MAX_VALUE);
        }
        column = present.orElse(null);
    }

    private boolean isPresent(Bytes that) {
        Bytes present = row;
        return present != null && present.equals(that);
    }

    /** Before the parts are shown the cell. */
    @SuppressWarnings("ReferenceEquality") // Most are the same object; what is not is compared.
    void enter(Candidate cell) {
        if (now.length == 0) {
            return;
        }
        Bytes before = row;
        boolean sameRow = cell.row() == before || (before != null && cell.row().equals(before));
        if (!sameRow) {
            Arrays.fill(now, 0);
        }
        if (!sameRow || cell.column() != column) {
            System.arraycopy(now, 0, atColumn, 0, now.length);
        }
        row = cell.row();
        column = cell.column();
    }

    /** Whether so many were counted before this one, which is counted. */
    boolean isReached(int number, int most) {
        if (now[number] >= most) {
            return true;
        }
        now[number]++;
        return false;
    }

    int get(int number) {
        return now[number];
    }

    /** What is known of the row as a whole, wherever it goes on. */
    void setForRow(int number, int count) {
        now[number] = count;
        atColumn[number] = count;
    }

    /** What they had counted of the row before this column, or so far, where they were shown nothing of it. */
    List<Integer> before(Bytes ofRow, Optional<ColumnKey> ofColumn) {
        if (now.length == 0) {
            return List.of();
        }
        if (!isPresent(ofRow)) {
            return Collections.nCopies(now.length, 0);
        }
        boolean hasBegun =
                column != null && ofColumn.isPresent() && ofColumn.get().equals(column);
        return Arrays.stream(hasBegun ? atColumn : now).boxed().toList();
    }
}
