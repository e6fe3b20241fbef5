package bt.protocol;

import bt.base.Bytes;
import bt.model.Cell;
import bt.model.Row;
import java.util.ArrayList;
import java.util.List;

/** Puts the cells of successive pages together into whole rows, also where a page ended inside a row. One thread. */
public final class RowAssembler {
    private final List<Cell> open = new ArrayList<>();

    /** The rows that are whole now. */
    public List<Row> add(Answer.Page page) {
        List<Row> whole = new ArrayList<>();
        for (Cell cell : page.cells()) {
            if (!open.isEmpty() && !open.get(0).row().equals(cell.row())) {
                whole.add(close());
            }
            open.add(cell);
        }
        if (page.resume().isEmpty() && !open.isEmpty()) {
            whole.add(close());
        }
        return whole;
    }

    /** Forgets the row that is not whole: it will be read again from its first cell. */
    public void drop() {
        open.clear();
    }

    private Row close() {
        Bytes key = open.get(0).row();
        Row row = new Row(key, open);
        open.clear();
        return row;
    }
}
