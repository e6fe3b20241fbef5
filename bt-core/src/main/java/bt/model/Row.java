package bt.model;

import bt.base.Bytes;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A row as a read returns it: its cells in order, those of a family beside each other, by qualifier, then newest first. What
 * looks for some of them counts on that, and needs few steps however many there are. Section 2 of the paper.
 */
public record Row(Bytes key, List<Cell> cells) {
    public Row {
        cells = List.copyOf(cells);
    }

    /** The newest value of a column. */
    public Optional<Bytes> value(ColumnKey column) {
        return cell(column).map(Cell::value);
    }

    /** The newest version of a column. */
    public Optional<Cell> cell(ColumnKey column) {
        int at = begin(column);
        return at < cells.size() && cells.get(at).column().equals(column)
                ? Optional.of(cells.get(at))
                : Optional.empty();
    }

    /** All versions of a column, the newest first. */
    public List<Cell> cells(ColumnKey column) {
        int begin = begin(column);
        return cells.subList(begin, end(begin, column::equals));
    }

    /** All cells of a family, by qualifier, then newest first. */
    public List<Cell> cells(String family) {
        int begin = begin(family);
        return cells.subList(begin, end(begin, column -> column.family().equals(family)));
    }

    /** Where the column's cells are, if there are any. */
    private int begin(ColumnKey column) {
        return end(
                begin(column.family()),
                other -> other.family().equals(column.family())
                        && other.qualifier().compareTo(column.qualifier()) < 0);
    }

    /** Where the family's cells begin; behind all cells if there are none. Families are in an order that a row does not know. */
    private int begin(String family) {
        int at = 0;
        while (at < cells.size() && !cells.get(at).column().family().equals(family)) {
            String passed = cells.get(at).column().family();
            at = end(at, column -> column.family().equals(passed));
        }
        return at;
    }

    /** Where those end, from here on, whose column is so: looks twice as far each time, then bisects. */
    private int end(int begin, Predicate<ColumnKey> so) {
        int low = begin;
        int high = begin;
        while (high < cells.size() && so.test(cells.get(high).column())) {
            low = high + 1;
            high = low + Math.min(low - begin, cells.size() - low);
        }
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (so.test(cells.get(middle).column())) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
