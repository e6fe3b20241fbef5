package bt.client;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.model.Cell;
import bt.model.RowWalk;
import bt.model.TableSchema;
import bt.protocol.Answer.Page;
import bt.protocol.PageBounds;
import bt.protocol.RowResume;
import java.util.List;
import java.util.Optional;

/** Reads one page of the cells of a scan, in one request; nothing is asked for ahead. One thread, once. */
final class CellPageRead {
    /** One more than a request asks for: that is where the next goes on. */
    private static final int RANGES = ScanParts.RANGES_OF_A_PART + 1;

    private final Session session;
    private final TableSchema table;
    private final Scan scan;
    private final RowWalk walk;
    private final Optional<RowResume> resume;
    private final Allowance allowance;
    /** The row of the last cell; empty when it has ended. */
    private Optional<Bytes> open = Optional.empty();

    /** REJECTED where the position is none of the scan. */
    CellPageRead(Session session, TableSchema table, Scan scan, Optional<CellPosition> from) throws BigtableException {
        this.session = session;
        this.table = table;
        this.scan = scan;
        this.walk = from.isPresent() ? from.get().rest(scan.walk(), RANGES) : scan.walk();
        this.resume = from.flatMap(CellPosition::resume);
        this.allowance =
                new Allowance(scan.limits(), from.map(CellPosition::taken).orElse(ReadAmount.NONE));
        if (from.isPresent() && from.get().isInsideRow() && from.get().rowHasBegun()) {
            open = Optional.of(walk.next());
        }
    }

    /** Its page finds room there. */
    CellPage run(PageRoom room) throws BigtableException {
        if (walk.isEmpty() || allowance.isSpent()) {
            return new CellPage(List.of(), Optional.empty());
        }
        return Session.uninterrupted("table " + table.name(), Outcome.NOT_APPLIED, () -> read(room));
    }

    private CellPage read(PageRoom room) throws BigtableException, InterruptedException {
        ScanParts parts = new ScanParts(session, table, walk);
        RowPages part = new RowPages(session, table, scan.filter(), parts.next()).from(resume);
        PageBounds bounds = allowance.bounds(scan.page());
        room.await(bounds.bytes());
        Page page = part.next(bounds);
        room.came(page.bytes());
        List<Cell> cells = allowed(page.cells());
        if (open.isPresent() && !part.isInsideRow()) {
            endRow();
        }
        Optional<Bytes> edge = part.isFinished() ? parts.edge() : Optional.of(part.edge());
        return new CellPage(
                cells,
                edge.filter(more -> !allowance.isSpent())
                        .map(at -> new CellPosition(at, part.resume(), open.isPresent(), allowance.taken())));
    }

    /** As many as the limits let pass. */
    private List<Cell> allowed(List<Cell> cells) {
        for (int i = 0; i < cells.size(); i++) {
            Cell cell = cells.get(i);
            if (open.isPresent() && !open.get().equals(cell.row())) {
                endRow();
            }
            if (allowance.isSpent()) {
                return cells.subList(0, i);
            }
            open = Optional.of(cell.row());
            allowance.takeCell(cell);
        }
        return cells;
    }

    private void endRow() {
        open = Optional.empty();
        allowance.endRow();
    }
}
