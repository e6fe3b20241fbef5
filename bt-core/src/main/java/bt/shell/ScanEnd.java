package bt.shell;

import bt.client.ReadLimits;
import bt.model.Cell;

/** Ends a scan with the row that reaches so many cells or bytes, where cells are read and rows are meant. One thread. */
final class ScanEnd {
    private final long mostCells;
    private final long mostBytes;
    private long cells;
    private long bytes;

    ScanEnd(long mostCells, long mostBytes) {
        this.mostCells = mostCells;
        this.mostBytes = mostBytes;
    }

    static ScanEnd none() {
        return new ScanEnd(Long.MAX_VALUE, Long.MAX_VALUE);
    }

    /** For the scan itself: so many rows, each of a cell and a byte at least, are never too few. */
    ReadLimits rows(long most) {
        return ReadLimits.NONE.rows(Math.min(most, Math.min(mostCells, mostBytes)));
    }

    void saw(Cell cell) {
        cells++;
        bytes += cell.bytes();
    }

    /** Asked where a row ends. */
    boolean isReached() {
        return cells >= mostCells || bytes >= mostBytes;
    }
}
