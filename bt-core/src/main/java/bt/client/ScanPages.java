package bt.client;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.metadata.TabletPlace;
import bt.model.RowRange;
import bt.model.RowSet;
import bt.model.RowWalk;
import bt.model.TableSchema;
import bt.protocol.Answer.Page;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * The pages of a scan, in order. A set of rows is cut into parts, the rows and ranges that begin in one tablet, of which
 * some are asked for side by side; a part is read to its end wherever its rows are by then. While one page is eaten, the
 * next is on its way. One thread.
 */
final class ScanPages {
    /** Each may wait with a page that was not eaten yet. */
    private static final int PARTS_AT_ONCE = 4;

    /** Of one request: from a slow disk they are read within the time that it waits. */
    private static final int RANGES_OF_A_PART = 200;

    private final Session session;
    private final TableSchema table;
    private final Scan scan;
    private final Allowance allowance;
    private final List<RowRange> ranges;
    private int begun;
    private final Deque<RowPages> parts = new ArrayDeque<>();

    ScanPages(Session session, TableSchema table, Scan scan, Allowance allowance) {
        this.session = session;
        this.table = table;
        this.scan = scan;
        this.allowance = allowance;
        this.ranges = scan.walk().ranges();
    }

    /** Whether the last page ended inside a row. */
    boolean isInsideRow() {
        return !parts.isEmpty() && parts.getFirst().isInsideRow();
    }

    /** Reads the row in which the last page ended again from its first cell. */
    void restartRow() {
        parts.getFirst().restartRow();
    }

    /** Goes on behind where the last page ended, in the row as it is by then. */
    void goOnInLatestRow() {
        parts.getFirst().goOnInLatestRow();
    }

    /** The next page; empty after the last. */
    Optional<Page> next() throws BigtableException, InterruptedException {
        // For a page that is there already nobody waits: who is slower than the servers would never be interrupted.
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (parts.isEmpty() && begun < ranges.size()) {
            begin(size());
        }
        if (parts.isEmpty()) {
            return Optional.empty();
        }
        askAhead();
        RowPages part = parts.getFirst();
        Page page = part.next(allowance.bounds(scan.page()));
        if (part.isFinished()) {
            parts.removeFirst();
        }
        askAhead();
        return Optional.of(page);
    }

    /** What is limited is asked for when it is wanted: mostly that is never. */
    private void askAhead() {
        if (allowance.isLimited()) {
            return;
        }
        while (parts.size() < PARTS_AT_ONCE && begun < ranges.size()) {
            Optional<TabletPlace> place = session.locator().cached(table.id(), first(begun));
            if (place.isEmpty()) {
                break;
            }
            begin(size(place.get()));
        }
        parts.forEach(part -> part.askAhead(scan.page()));
    }

    private void begin(int size) {
        RowSet rows = new RowSet(new ArrayList<>(ranges.subList(begun, begun + size)));
        RowWalk walk = new RowWalk(rows, scan.walk().reversed());
        parts.addLast(new RowPages(session, table, scan.filter(), walk));
        begun += size;
    }

    /** How many ranges the next part has, where it may be necessary to look up its tablet. */
    private int size() throws BigtableException, InterruptedException {
        if (begun == ranges.size() - 1) {
            return 1;
        }
        return size(session.retry()
                .run("table " + table.name(), deadline -> session.locate(table, first(begun), deadline)));
    }

    /** How many ranges begin in the tablet. */
    private int size(TabletPlace place) {
        int end = begun + 1;
        while (end < ranges.size()
                && end - begun < RANGES_OF_A_PART
                && place.range().contains(first(end))) {
            end++;
        }
        return end - begun;
    }

    private Bytes first(int range) {
        return new RowWalk(RowSet.of(ranges.get(range)), scan.walk().reversed()).next();
    }
}
