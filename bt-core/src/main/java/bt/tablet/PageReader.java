package bt.tablet;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.Cell;
import bt.model.CellKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Gathers one page of the versions that a read sees. A page ends with a row, unless one row alone is too large for it:
 * then it ends inside that row, and the next page walks again through what the unfinished column had before. One thread,
 * one page.
 */
final class PageReader {
    /** What a cell costs in an answer beside its bytes, so that many empty ones fill a page too. */
    private static final int CELL_OVERHEAD_BYTES = 32;

    private final VersionFilter versions;
    private final CellFilter filter;
    private final PageLimits limits;
    private final long workBytes;

    private final List<Cell> cells = new ArrayList<>();
    private final Progress page = new Progress();
    private final Progress beforeRow = new Progress();
    private int rows;

    PageReader(VersionFilter versions, CellFilter filter, PageLimits limits, long workBytes) {
        this.versions = versions;
        this.filter = filter;
        this.limits = limits;
        this.workBytes = workBytes;
    }

    /** What follows {@code afterKey}; where the page takes all of it, {@code beyond} is what comes next. */
    Page read(ReadPoint readPoint, Bytes afterKey, Optional<Bytes> beyond) throws BigtableException {
        Bytes row = Bytes.EMPTY;
        for (boolean more = versions.seek(Bytes.EMPTY); more; more = versions.next()) {
            if (!versions.row().equals(row)) {
                row = versions.row();
                endRow();
                if (isFull()) {
                    return endBefore(row);
                }
                page.rowsSeen += isContinued(row, afterKey) ? 0 : 1;
            }
            show(versions.key().compareWith(afterKey) > 0);
            if (isRowTooLarge()) {
                return beforeRow.kept == 0 ? endInside(row, readPoint) : endBefore(row);
            }
        }
        return new Page(cells, beyond, Optional.empty(), page.rowsSeen, page.cellsSeen);
    }

    /** The page before has counted the row that this one goes on with. */
    private static boolean isContinued(Bytes row, Bytes afterKey) {
        return !afterKey.isEmpty() && afterKey.startsWith(CellKey.rowPrefix(row));
    }

    private void endRow() {
        if (page.kept > beforeRow.kept) {
            rows++;
        }
        beforeRow.copy(page);
    }

    private boolean isFull() {
        return rows >= limits.rows()
                || page.kept >= limits.cells()
                || page.keptBytes >= limits.bytes()
                || page.workBytes >= workBytes;
    }

    /** A cell that an earlier page had is shown to the filter all the same, which may count. */
    private void show(boolean isNew) throws RejectedException {
        boolean keeps = filter.keeps(versions);
        if (!isNew) {
            return;
        }
        int bytes = CELL_OVERHEAD_BYTES
                + versions.row().length()
                + versions.column().qualifier().length()
                + versions.value().length();
        page.cellsSeen++;
        page.workBytes += bytes;
        if (keeps) {
            page.kept++;
            page.keptBytes += bytes;
            cells.add(versions.cell());
        }
    }

    private boolean isRowTooLarge() {
        return page.keptBytes - beforeRow.keptBytes >= limits.bytes()
                || page.workBytes - beforeRow.workBytes >= workBytes;
    }

    private Page endBefore(Bytes row) {
        return new Page(
                cells.subList(0, beforeRow.kept),
                Optional.of(row),
                Optional.empty(),
                beforeRow.rowsSeen,
                beforeRow.cellsSeen);
    }

    private Page endInside(Bytes row, ReadPoint readPoint) {
        Resume resume = new Resume(versions.key().toBytes(), readPoint.sequence(), readPoint.nowMicros());
        return new Page(cells, Optional.of(row), Optional.of(resume), page.rowsSeen, page.cellsSeen);
    }

    /** How far the page has come. */
    private static final class Progress {
        int kept;
        long keptBytes;
        long workBytes;
        long rowsSeen;
        long cellsSeen;

        void copy(Progress that) {
            kept = that.kept;
            keptBytes = that.keptBytes;
            workBytes = that.workBytes;
            rowsSeen = that.rowsSeen;
            cellsSeen = that.cellsSeen;
        }
    }
}
