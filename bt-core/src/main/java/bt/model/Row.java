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
        return cells.stream()
                .filter(cell -> cell.column().equals(column))
                .findFirst()
                .map(Cell::value);
    }
}
