package bt.client;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.Row;
import bt.model.TableSchema;
import bt.protocol.Answer.Page;
import bt.protocol.RowAssembler;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Rows in the order of their scan, whole and each once (figure 3 of the paper). Each row is as it was at one moment,
 * different rows at different ones. One thread. Servers hold nothing for a scanner: it may pause for as long as it likes.
 * While the application eats one page, the next is on its way. A row that takes more than a quarter of this process's heap is
 * REJECTED, with all that would come after it; {@link Table#cells} reads rows of any size.
 */
public final class Scanner implements AutoCloseable, Iterable<Row> {
    /** How often a row larger than a page is begun again because a compaction overtook its reading. */
    private static final int RESTARTS_OF_A_ROW = 3;

    /** Beside it there are pages, what the application has of it, and the rest of the application. */
    private static final long MOST_BYTES_OF_A_ROW = Runtime.getRuntime().maxMemory() / 4;

    private final TableSchema table;
    private final ScanPages pages;
    private final Allowance allowance;
    private final RowAssembler assembler = new RowAssembler();
    private Runnable afterPage = () -> {};
    private Optional<Bytes> reached = Optional.empty();
    private boolean finished;

    /** The row that is too large: what comes behind its part that was dropped is not to be taken for all of it. */
    private Optional<Bytes> tooLarge = Optional.empty();

    private long rowsSeen;
    private long cellsSeen;
    private int restarts;

    Scanner(Session session, TableSchema table, Scan scan) {
        this.table = table;
        this.allowance = new Allowance(scan.limits());
        this.pages = new ScanPages(session, table, scan, allowance);
    }

    /** Each page only when there is room for it there, and where that is bounded none before it is wanted. */
    Scanner in(PageRoom room) {
        pages.in(room);
        if (room.isBounded()) {
            pages.oneByOne();
        }
        return this;
    }

    /** What is left of a walk that has begun with this page, and then what the scan has. */
    Scanner goingOn(Page first, RowPages rest) {
        pages.begin(rest);
        take(first);
        return this;
    }

    /** The next row; empty after the last. After a failure it may be called again and goes on where it stood. */
    public Optional<Row> next() throws BigtableException {
        Optional<Row> row = assembled();
        while (row.isEmpty() && !finished) {
            checkFits();
            Optional<Page> page = Session.uninterrupted("table " + table.name(), Outcome.NOT_APPLIED, this::page);
            page.ifPresentOrElse(this::take, () -> finished = true);
            page.ifPresent(came -> afterPage.run());
            row = assembled();
        }
        return row;
    }

    /** The next rows, as many as have come together, from pages that find room there; none after the last. */
    List<Row> some(PageRoom room) throws BigtableException {
        pages.in(room);
        List<Row> rows = new ArrayList<>();
        for (Optional<Row> row = next(); row.isPresent(); row = assembled()) {
            rows.add(row.get());
        }
        return rows;
    }

    /**
     * Has this run on the caller's thread, inside {@link #next}, after every page that came, whether anything in it passed
     * the filter or not: a call that finds nothing for long can say how far it is.
     */
    public Scanner onPage(Runnable told) {
        afterPage = told;
        return this;
    }

    /** Where the last page ended that was not the last of all: rows before it, upwards, have been read. */
    public Optional<Bytes> reached() {
        return reached;
    }

    /** Rows that the filter was shown so far, in pages received. */
    public long rowsSeen() {
        return rowsSeen;
    }

    /** Cells that the filter was shown so far, in pages received. */
    public long cellsSeen() {
        return cellsSeen;
    }

    /**
     * What {@link #next} gives from here on, for a loop: an UncheckedIOException has the failure as its cause, after which the
     * iterator may be asked again. Iterators of one scanner share its place.
     */
    @Override
    public Iterator<Row> iterator() {
        return new Rest<>(this::next);
    }

    /** The same as a stream of rows, in their order; a stream that is closed closes the scanner. */
    public Stream<Row> stream() {
        return new Rest<>(this::next).stream().onClose(this::close);
    }

    /** Ends the scan. */
    @Override
    public void close() {
        finished = true;
        assembler.drop();
    }

    private Optional<Page> page() throws BigtableException, InterruptedException {
        while (true) {
            try {
                return pages.next();
            } catch (RejectedException refused) {
                if (!pages.isInsideRow() || restarts++ >= RESTARTS_OF_A_ROW) {
                    throw refused;
                }
                // What the row's first page saw is compacted away. The row is read again from its first cell.
                assembler.drop();
                pages.restartRow();
            }
        }
    }

    private void checkFits() throws RejectedException {
        if (tooLarge.isPresent()) {
            throw new RejectedException(
                    "table " + table.name() + " row "
                            + tooLarge.get().brief() + ": it takes more than "
                            + (MOST_BYTES_OF_A_ROW >> 20) + " MiB, a quarter of this process's heap",
                    "read its cells with"
                            + " Table.cells, leave out what is not needed with a filter, or give the process more heap (-Xmx)");
        }
    }

    private void take(Page page) {
        assembler.add(page);
        rowsSeen += page.rowsSeen();
        cellsSeen += page.cellsSeen();
        reached = page.next().or(() -> reached);
        if (page.resume().isEmpty()) {
            restarts = 0;
        }
    }

    /** Of the page that came last, whose rows are put together as they are asked for. */
    private Optional<Row> assembled() {
        Optional<Row> row = assembler.next();
        if (row.isPresent()) {
            count(row.get());
        } else if (assembler.openBytes() > MOST_BYTES_OF_A_ROW) {
            tooLarge = assembler.openRow();
            assembler.drop();
        }
        return row;
    }

    private void count(Row row) {
        row.cells().forEach(allowance::takeCell);
        allowance.endRow();
        if (allowance.isSpent()) {
            close();
        }
    }
}
