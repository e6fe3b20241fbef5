package bt.protocol;

import bt.base.Bytes;
import bt.model.Cell;
import bt.model.Row;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Puts the cells of successive pages together into whole rows, one at a time, also where a page ended inside a row. One
 * thread.
 */
public final class RowAssembler {
    /** What a cell takes beside its row key, qualifier and value: some objects and references. */
    private static final int CELL_OVERHEAD_BYTES = 250;

    private Iterator<Cell> cells = Collections.emptyIterator();
    /** Of the page that the cells are from. */
    private boolean endsInsideRow;

    private final List<Cell> open = new ArrayList<>();
    private long openBytes;

    /** The next page, after {@link #next} has found no row that is whole. */
    public void add(Answer.Page page) {
        cells = page.cells().iterator();
        endsInsideRow = page.resume().isPresent();
    }

    /** All rows that are whole with one more page. */
    public List<Row> rows(Answer.Page page) {
        add(page);
        List<Row> rows = new ArrayList<>();
        for (Optional<Row> row = next(); row.isPresent(); row = next()) {
            rows.add(row.get());
        }
        return rows;
    }

    /** The next row that is whole; empty when the rest is in pages to come. */
    public Optional<Row> next() {
        while (cells.hasNext()) {
            Cell cell = cells.next();
            boolean beginsRow = !open.isEmpty() && !open.get(0).row().equals(cell.row());
            Optional<Row> whole = beginsRow ? Optional.of(close()) : Optional.empty();
            open.add(cell);
            openBytes += cell.bytes() + CELL_OVERHEAD_BYTES;
            if (beginsRow) {
                return whole;
            }
        }
        return endsInsideRow || open.isEmpty() ? Optional.empty() : Optional.of(close());
    }

    /** The row that is not whole. */
    public Optional<Bytes> openRow() {
        return open.isEmpty() ? Optional.empty() : Optional.of(open.get(0).row());
    }

    /** About what the cells of the row that is not whole take in memory. */
    public long openBytes() {
        return openBytes;
    }

    /** Forgets what is left of the page, and the row that is not whole: it will be read again from its first cell. */
    public void drop() {
        cells = Collections.emptyIterator();
        endRow();
    }

    private Row close() {
        Bytes key = open.get(0).row();
        Row row = new Row(key, open);
        endRow();
        return row;
    }

    private void endRow() {
        open.clear();
        openBytes = 0;
    }
}
