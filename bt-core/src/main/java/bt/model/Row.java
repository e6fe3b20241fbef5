package bt.model;

import bt.base.Bytes;
import java.util.List;
import java.util.Optional;

/** A row as a read returns it: its cells in order, by family, qualifier, then newest first. */
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
        return cells.stream().filter(cell -> cell.column().equals(column)).findFirst();
    }

    /** All versions of a column, the newest first. */
    public List<Cell> cells(ColumnKey column) {
        return cells.stream().filter(cell -> cell.column().equals(column)).toList();
    }

    /** All cells of a family, by qualifier, then newest first. */
    public List<Cell> cells(String family) {
        return cells.stream()
                .filter(cell -> cell.column().family().equals(family))
                .toList();
    }
}
