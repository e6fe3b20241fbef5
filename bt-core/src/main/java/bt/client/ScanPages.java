package bt.client;

import bt.base.BigtableException;
import bt.model.RowWalk;
import bt.model.TableSchema;
import bt.protocol.Answer.Page;
import bt.protocol.PageBounds;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * The pages of a scan, in order. A set of rows is cut into parts, the rows and ranges that begin in one tablet, of which
 * some are asked for side by side; a part is read to its end wherever its rows are by then. While one page is eaten, the
 * next is on its way; while one is waited for, the one behind it is asked for as soon as it is known where that begins. One
 * thread.
 */
final class ScanPages {
    private final Session session;
    private final TableSchema table;
    private final Scan scan;
    private final Allowance allowance;
    private final ScanParts parts;
    /** Each may wait with a page that was not eaten yet. */
    private final Deque<RowPages> begun = new ArrayDeque<>();

    private PageRoom room = PageRoom.UNBOUNDED;
    private boolean asksAhead = true;

    ScanPages(Session session, TableSchema table, Scan scan, Allowance allowance) {
        this.session = session;
        this.table = table;
        this.scan = scan;
        this.allowance = allowance;
        this.parts = new ScanParts(session, table, scan.walk());
    }

    /** Each page that is taken from here on, and each that is asked for ahead, finds room there. */
    void in(PageRoom where) {
        room = where;
    }

    /** None is asked for before it is wanted. */
    void oneByOne() {
        asksAhead = false;
    }

    /** Whether the last page ended inside a row. */
    boolean isInsideRow() {
        return !begun.isEmpty() && begun.getFirst().isInsideRow();
    }

    /** Reads the row in which the last page ended again from its first cell. */
    void restartRow() {
        begun.getFirst().restartRow();
    }

    /** Goes on behind where the last page ended, in the row as it is by then. */
    void goOnInLatestRow() {
        begun.getFirst().goOnInLatestRow();
    }

    /** The next page; empty after the last. */
    Optional<Page> next() throws BigtableException, InterruptedException {
        // For a page that is there already nobody waits: who is slower than the servers would never be interrupted.
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (begun.isEmpty() && parts.hasNext()) {
            begin(parts.next());
        }
        if (begun.isEmpty()) {
            return Optional.empty();
        }
        PageBounds bounds = allowance.bounds(scan.page());
        RowPages part = begun.getFirst();
        part.claim(room);
        room.await(bounds.bytes());
        if (asksAhead()) {
            part.ask(bounds);
            if (!room.isBounded()) {
                part.askBehind(scan.page());
            }
            askAheadBehind(1);
        }
        Page page = part.next(bounds);
        room.came(page.bytes());
        if (part.isFinished()) {
            begun.removeFirst();
        }
        if (asksAhead()) {
            askAheadBehind(0);
        }
        return Optional.of(page);
    }

    /** What is limited is asked for when it is wanted: mostly that is never. */
    private boolean asksAhead() {
        return asksAhead && !allowance.isLimited();
    }

    /** For parts of which no page is wanted now: those behind so many. */
    private void askAheadBehind(int wanted) {
        while (begun.size() < session.options().scanRequests() && parts.hasNext()) {
            Optional<RowWalk> part = parts.nextIfLocated();
            if (part.isEmpty()) {
                break;
            }
            begin(part.get());
        }
        begun.stream().skip(wanted).forEach(part -> part.askAhead(scan.page(), room));
    }

    private void begin(RowWalk part) {
        begin(new RowPages(session, table, scan.filter(), part));
    }

    /** Before all that is not begun yet. */
    void begin(RowPages part) {
        begun.addLast(part);
    }
}
