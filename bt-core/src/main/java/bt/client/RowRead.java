package bt.client;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Deadline;
import bt.model.Cell;
import bt.model.Filter;
import bt.model.Row;
import bt.model.RowRange;
import bt.model.RowSet;
import bt.model.RowWalk;
import bt.model.TableSchema;
import bt.protocol.Answer.Page;
import bt.protocol.PageBounds;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The read of one row. It is one page nearly always, and nothing is kept for others; what is larger goes on as a scan. */
final class RowRead {
    private static final PageBounds BOUNDS = PageBounds.DEFAULT;

    private final Session session;
    private final TableSchema table;
    private final RowPages pages;

    /** Each page within this time. */
    RowRead(Session session, TableSchema table, Bytes row, Filter filter, Supplier<Deadline> time) {
        this.session = session;
        this.table = table;
        this.pages = new RowPages(session, table, filter, RowWalk.over(RowRange.row(row))).within(time);
    }

    /** The row; empty where nothing of it passes the filter. Its pages find room there. */
    Optional<Row> run(PageRoom room) throws BigtableException {
        Page page = Session.uninterrupted(() -> "table " + table.name(), Outcome.NOT_APPLIED, () -> first(room));
        if (!pages.isFinished()) {
            try (Scanner rest =
                    new Scanner(session, table, Scan.of(RowSet.NONE)).in(room).goingOn(page, pages)) {
                return rest.next();
            }
        }
        List<Cell> cells = page.cells();
        return cells.isEmpty()
                ? Optional.empty()
                : Optional.of(new Row(cells.get(0).row(), cells));
    }

    private Page first(PageRoom room) throws BigtableException, InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        room.await(BOUNDS.bytes());
        Page page = pages.next(BOUNDS);
        room.came(page.bytes());
        return page;
    }
}
