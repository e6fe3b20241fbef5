package bt.client;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.Cell;
import bt.model.TableSchema;
import bt.protocol.Answer.Page;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The cells of a scan, one after the other, for rows that are larger than memory: it holds a few pages and no row. One
 * thread. The scan of section 3 of the paper, a cell at a time.
 *
 * <p>Each row is as it was at one moment, as long as servers can tell what it was: where a compaction has overtaken the
 * reading of a row, which therefore took longer than a few minutes, or the row has taken ten, {@link #next} is REJECTED
 * once. Whoever calls it again gets what follows the last cell in the row as it is by then.
 */
public final class CellScanner implements AutoCloseable, Iterable<Cell> {
    private final TableSchema table;
    private final ScanPages pages;
    private final Allowance allowance;
    private final Deque<Cell> ready = new ArrayDeque<>();
    /** The row of the last cell; empty when it has ended. */
    private Optional<Bytes> open = Optional.empty();

    private boolean finished;
    private long cellsSeen;

    CellScanner(Session session, TableSchema table, Scan scan) {
        this.table = table;
        this.allowance = new Allowance(scan.limits());
        this.pages = new ScanPages(session, table, scan, allowance);
    }

    /** The next cell; empty after the last. After a failure it may be called again and goes on behind the last cell. */
    public Optional<Cell> next() throws BigtableException {
        while (ready.isEmpty() && !finished) {
            if (open.isPresent() && !pages.isInsideRow()) {
                endRow();
            } else {
                fetch();
            }
        }
        if (!ready.isEmpty()
                && open.isPresent()
                && !open.get().equals(ready.getFirst().row())) {
            endRow();
        }
        Optional<Cell> cell = Optional.ofNullable(ready.poll());
        cell.ifPresent(this::count);
        return cell;
    }

    /**
     * Whether the row of the last cell is known to have no more of them. Where it is not known yet, the next cell tells, or that
     * there is none.
     */
    public boolean isAtRowEnd() {
        if (!ready.isEmpty()) {
            return !open.equals(Optional.of(ready.getFirst().row()));
        }
        return !pages.isInsideRow();
    }

    /** Cells that the filter was shown so far, in pages received. */
    public long cellsSeen() {
        return cellsSeen;
    }

    /** The next cells, as many as have come together, from pages that find room there; none after the last. */
    List<Cell> some(PageRoom room) throws BigtableException {
        pages.in(room);
        List<Cell> cells = new ArrayList<>();
        do {
            next().ifPresent(cells::add);
        } while (!ready.isEmpty());
        return cells;
    }

    /**
     * What {@link #next} gives from here on, for a loop: an UncheckedIOException has the failure as its cause, after which the
     * iterator may be asked again. Iterators of one scanner share its place.
     */
    @Override
    public Iterator<Cell> iterator() {
        return new Rest<>(this::next);
    }

    /** The same as a stream of cells, in their order; a stream that is closed closes the scanner. */
    public Stream<Cell> stream() {
        return new Rest<>(this::next).stream().onClose(this::close);
    }

    /** Ends the scan. */
    @Override
    public void close() {
        finished = true;
        ready.clear();
    }

    private void fetch() throws BigtableException {
        Optional<Page> page = Session.uninterrupted("table " + table.name(), Outcome.NOT_APPLIED, this::page);
        page.ifPresentOrElse(this::take, () -> finished = true);
    }

    private void take(Page page) {
        ready.addAll(page.cells());
        cellsSeen += page.cellsSeen();
    }

    private Optional<Page> page() throws BigtableException, InterruptedException {
        try {
            return pages.next();
        } catch (RejectedException overtaken) {
            if (pages.isInsideRow()) {
                pages.goOnInLatestRow();
            }
            throw overtaken;
        }
    }

    private void count(Cell cell) {
        open = Optional.of(cell.row());
        allowance.takeCell(cell);
        endIfSpent();
    }

    private void endRow() {
        open = Optional.empty();
        allowance.endRow();
        endIfSpent();
    }

    private void endIfSpent() {
        if (allowance.isSpent()) {
            close();
        }
    }
}
