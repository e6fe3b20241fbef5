package bt.thrift.gateway;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.client.CellPage;
import bt.client.CellPosition;
import bt.client.ReadAmount;
import bt.client.ReadLimits;
import bt.client.Scan;
import bt.client.Table;
import bt.model.Cell;
import bt.model.Row;
import bt.thrift.convert.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The rows of a scan, put together from pages of cells. Of the one that has not ended it is known what it takes of an
 * answer so far: whoever reads may give it up long before it is whole, or has filled the memory. The limits of the scan
 * are left to its reader. One thread.
 */
final class WholeRows {
    /** How often a row larger than a page is begun again because a compaction overtook its reading. */
    private static final int RESTARTS_OF_A_ROW = 3;

    private final Table table;
    private final Scan scan;
    private final List<Cell> open = new ArrayList<>();
    private Optional<CellPosition> position = Optional.empty();
    private boolean finished;
    private long openBytes;
    private int restarts;

    WholeRows(Table table, Scan scan) {
        this.table = table;
        this.scan = scan.limited(ReadLimits.NONE);
    }

    /** The rows that have ended with one request more, of about so many rows and bytes; maybe none. */
    List<Row> next(int rows, int bytes) throws BigtableException {
        CellPage page = page(scan.pages(rows, bytes));
        position = page.next();
        finished = position.isEmpty();
        List<Row> whole = new ArrayList<>();
        for (Cell cell : page.cells()) {
            if (!open.isEmpty() && !open.get(0).row().equals(cell.row())) {
                whole.add(close());
            }
            open.add(cell);
            openBytes += Rows.bytes(cell);
        }
        if (!isInsideRow()) {
            restarts = 0;
            if (!open.isEmpty()) {
                whole.add(close());
            }
        }
        return whole;
    }

    boolean isFinished() {
        return finished;
    }

    /** Whether the last request ended inside a row, of which cells may have passed or not. */
    boolean isInsideRow() {
        return position.isPresent() && position.get().isInsideRow();
    }

    /** What the row that has not ended takes of an answer so far; 0 without one. */
    long openBytes() {
        return openBytes;
    }

    /** Of a scan that has begun and is not finished: its edge, before the row that has not ended. */
    Bytes edge() {
        return position.orElseThrow().edge();
    }

    /** Of a scan that has begun and is not finished: the row that has not ended, or may come next. */
    Bytes row() {
        return open.isEmpty() ? scan.walk().from(edge()).next() : open.get(0).row();
    }

    private CellPage page(Scan bounded) throws BigtableException {
        while (true) {
            try {
                return table.cellPage(bounded, position);
            } catch (RejectedException refused) {
                if (!isInsideRow() || restarts++ >= RESTARTS_OF_A_ROW) {
                    throw refused;
                }
                // What the row's first page saw is compacted away. The row is read again from its first cell.
                position = Optional.of(new CellPosition(edge(), Optional.empty(), false, ReadAmount.NONE));
                drop();
            }
        }
    }

    private Row close() {
        Row row = new Row(open.get(0).row(), open);
        drop();
        return row;
    }

    private void drop() {
        open.clear();
        openBytes = 0;
    }
}
