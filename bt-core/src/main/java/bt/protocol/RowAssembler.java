package bt.protocol;

import bt.base.Bytes;
import bt.model.Cell;
import bt.model.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Puts the cells of successive pages together into whole rows, also where a page ended inside a row. One thread. */
public final class RowAssembler {
    /** What a cell takes beside its row key, qualifier and value: some objects and references. */
    private static final int CELL_OVERHEAD_BYTES = 250;

    private final List<Cell> open = new ArrayList<>();
    private long openBytes;

    /** The rows that are whole now. */
    public List<Row> add(Answer.Page page) {
        List<Row> whole = new ArrayList<>();
        for (Cell cell : page.cells()) {
            if (!open.isEmpty() && !open.get(0).row().equals(cell.row())) {
                whole.add(close());
            }
            open.add(cell);
            openBytes += cell.bytes() + CELL_OVERHEAD_BYTES;
        }
        if (page.resume().isEmpty() && !open.isEmpty()) {
            whole.add(close());
        }
        return whole;
    }

    /** The row that is not whole. */
    public Optional<Bytes> openRow() {
        return open.isEmpty() ? Optional.empty() : Optional.of(open.get(0).row());
    }

    /** About what the cells of the row that is not whole take in memory. */
    public long openBytes() {
        return openBytes;
    }

    /** Forgets the row that is not whole: it will be read again from its first cell. */
    public void drop() {
        open.clear();
        openBytes = 0;
    }

    private Row close() {
        Bytes key = open.get(0).row();
        Row row = new Row(key, open);
        drop();
        return row;
    }
}
