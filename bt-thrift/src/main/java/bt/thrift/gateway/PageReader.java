package bt.thrift.gateway;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.Deadline;
import bt.base.HeapPiece;
import bt.base.RejectedException;
import bt.client.ReadAmount;
import bt.client.ReadLimits;
import bt.client.Scan;
import bt.client.Table;
import bt.model.Filter;
import bt.model.Row;
import bt.model.RowRange;
import bt.model.RowWalk;
import bt.thrift.convert.PageRequest;
import bt.thrift.convert.ResumeToken;
import bt.thrift.convert.Rows;
import bt.thrift.gen.Page;
import java.util.List;
import java.util.Optional;

/**
 * Reads whole rows: one alone, or one page of a scan. A page ends between two rows, where it is full or its time is over.
 * A row at which it begins is read on all the same, for a minute: the next page would have no more time for it. Any thread.
 */
final class PageReader {
    /** A filter that lets nothing pass would have one call read the whole table, in a turn that others wait for. */
    private static final long PAGE_MILLIS = 5_000;

    /** As long as the library tries what fails. */
    private static final long ROW_MILLIS = 60_000;

    /** A row may come whole though it is beyond the limits, and not in a thousand requests. */
    private static final int LEAST_BYTES = 64 << 10;

    private final AnswerRoom room;
    private final Clock clock;

    PageReader(AnswerRoom room, Clock clock) {
        this.room = room;
        this.clock = clock;
    }

    /** What the filter lets pass of a row; REJECTED when no answer holds it. */
    bt.thrift.gen.Row row(Table table, Bytes key, Filter filter) throws BigtableException {
        Deadline patience = Deadline.after(clock, ROW_MILLIS);
        WholeRows rows = new WholeRows(table, Scan.of(RowRange.row(key)).filtered(filter));
        while (true) {
            List<Row> row = rows.next(1, HeapPiece.BYTES);
            if (!row.isEmpty()) {
                return room.checked(row.get(0));
            }
            if (rows.isFinished()) {
                return room.checked(new Row(key, List.of()));
            }
            check(rows, patience);
        }
    }

    /** The page that begins at the token, or the first. */
    Page read(Table table, PageRequest request, Optional<ResumeToken> token) throws BigtableException {
        Deadline deadline = Deadline.after(clock, PAGE_MILLIS);
        Deadline patience = Deadline.after(clock, ROW_MILLIS);
        Scan scan = token.isPresent() ? token.get().rest(request.scan()) : request.scan();
        ReadAmount before = token.map(ResumeToken::taken).orElse(ReadAmount.NONE);
        ReadLimits ofPage = least(scan.limits(), request);
        WholeRows rows = new WholeRows(table, scan);
        PageRows page = new PageRows(room);
        while (true) {
            for (Row row : step(rows, ofPage.behind(page.taken()))) {
                if (!page.hasRoomFor(Rows.bytes(row))) {
                    return page.endingBefore(scan.walk().at(row.key()).edge(), charged(scan, before, page));
                }
                page.add(row);
                if (ofPage.areReachedBy(page.taken()) || page.bytes() >= request.bytes()) {
                    RowWalk rest = scan.walk().after(row.key());
                    return rest.isEmpty() || scan.limits().areReachedBy(page.taken())
                            ? page.last()
                            : page.endingBefore(rest.edge(), charged(scan, before, page));
                }
            }
            if (rows.isFinished()) {
                return page.last();
            }
            boolean hasMoved = !token.map(ResumeToken::edge).equals(Optional.of(rows.edge()));
            if (hasMoved && (deadline.isOver() || !page.hasRoomFor(rows.openBytes()))) {
                return page.endingBefore(rows.edge(), charged(scan, before, page));
            }
            check(rows, patience);
        }
    }

    /** With no more than is left of the page nothing is read that nobody would eat; a row has a cell at least. */
    private List<Row> step(WholeRows rows, ReadLimits left) throws BigtableException {
        int most = (int) Math.min(left.rows(), left.cells());
        return rows.next(most, (int) Math.max(LEAST_BYTES, Math.min(left.bytes(), HeapPiece.BYTES)));
    }

    /** Before more is read of the row in which, or before which, the last request ended. */
    private void check(WholeRows rows, Deadline patience) throws RejectedException {
        if (rows.openBytes() > 0) {
            room.check(rows.row(), rows.openBytes());
        }
        if (patience.isOver()) {
            throw new RejectedException(
                    "row " + rows.row().brief() + " is so large that it was not looked through within "
                            + ROW_MILLIS / 1_000 + " s",
                    "have scanCells read it in parts");
        }
    }

    private static ReadLimits least(ReadLimits left, PageRequest page) {
        return left.rows(Math.min(left.rows(), page.rows())).bytes(Math.min(left.bytes(), page.bytes()));
    }

    /** Nothing is counted where nothing is limited. */
    private static ReadAmount charged(Scan scan, ReadAmount before, PageRows page) {
        return scan.limits().equals(ReadLimits.NONE) ? ReadAmount.NONE : before.plus(page.taken());
    }
}
