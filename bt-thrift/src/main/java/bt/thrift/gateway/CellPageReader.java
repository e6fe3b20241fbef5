package bt.thrift.gateway;

import bt.base.BigtableException;
import bt.base.Clock;
import bt.base.Deadline;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.client.CellPage;
import bt.client.CellPosition;
import bt.client.Table;
import bt.model.Cell;
import bt.thrift.convert.CellToken;
import bt.thrift.convert.PageRequest;
import bt.thrift.gen.Page;
import java.util.List;
import java.util.Optional;

/**
 * Reads one page of a scan by cells, from several pages of the servers. It can end only where one of these does, and does
 * where the next is not to be had, or some time has gone by. Any thread.
 */
final class CellPageReader {
    /**
     * A server's page may be twice as large as was asked for, and a name of a family that every cell repeats makes an
     * answer five times as large as the server takes it for.
     */
    private static final int STEPS = 16;

    /** A token has the key of a cell, of which every byte may have become two. */
    private static final long TOKEN_BYTES = 384 << 10;

    /** A filter that lets nothing pass would have one call read the whole table, in a turn that others wait for. */
    private static final long PAGE_MILLIS = 5_000;

    private final long roomBytes;
    private final int stepBytes;
    private final Clock clock;

    CellPageReader(AnswerRoom room, Clock clock) {
        roomBytes = room.bytes() - TOKEN_BYTES;
        stepBytes = (int) (roomBytes / STEPS);
        this.clock = clock;
    }

    /** The page that begins at the position, or the first. */
    Page read(Table table, PageRequest request, Optional<CellPosition> from) throws BigtableException {
        Deadline deadline = Deadline.after(clock, PAGE_MILLIS);
        boolean gone = false;
        CellPage step;
        try {
            step = step(table, request, from);
        } catch (RejectedException overtaken) {
            if (from.isEmpty() || !from.get().isInsideRow()) {
                throw overtaken;
            }
            // What the row's first page saw is gone. Should it be something else, it is refused again.
            gone = true;
            step = step(table, request, from.map(CellPosition::latest));
        }
        Page page = goOn(table, request, step, deadline);
        return gone ? page.setRowGoesOnAsOfNow(true) : page;
    }

    /** The page that begins with this one of a server. */
    private Page goOn(Table table, PageRequest request, CellPage first, Deadline deadline) throws BigtableException {
        RowParts parts = new RowParts();
        parts.add(first.cells());
        Optional<CellPosition> next = first.next();
        while (next.isPresent()
                && parts.size() < request.rows()
                && parts.bytes() < request.bytes()
                && !deadline.isOver()) {
            Optional<CellPage> more = more(table, request.butFor(parts.size()), next);
            if (more.isEmpty() || parts.bytes() + bytes(more.get()) > roomBytes) {
                break;
            }
            parts.add(more.get().cells());
            next = more.get().next();
        }
        Page page = new Page(parts.encoded());
        next.ifPresent(position -> page.setResumeToken(CellToken.encode(position)));
        return page;
    }

    /** Empty where it is refused or not to be had: the next call will say so, or will know better. */
    private Optional<CellPage> more(Table table, PageRequest request, Optional<CellPosition> from)
            throws BigtableException {
        try {
            return Optional.of(step(table, request, from));
        } catch (RejectedException | UnavailableException | OverloadedException failed) {
            return Optional.empty();
        }
    }

    /** A page of a server that fits an answer: its last cell may be large, then it is asked for without. */
    private CellPage step(Table table, PageRequest request, Optional<CellPosition> from) throws BigtableException {
        int bytes = Math.min(request.bytes(), stepBytes);
        CellPage page = table.cellPage(request.scan().pages(request.rows(), bytes), from);
        while (bytes(page) > roomBytes) {
            List<Cell> cells = page.cells();
            Cell last = cells.get(cells.size() - 1);
            if (cells.size() == 1) {
                throw new RejectedException(
                        "row " + last.row().brief() + " column " + last.column().brief() + ": the value of "
                                + last.value().length() + " bytes does not fit an answer, " + roomBytes
                                + " bytes do",
                        "have a filter pass all but it");
            }
            page = table.cellPage(request.scan().pages(request.rows(), without(last, cells)), from);
        }
        return page;
    }

    /** With so many bytes to a page the server ends it before this cell. */
    private static int without(Cell last, List<Cell> cells) {
        long bytes = -last.bytes();
        for (Cell cell : cells) {
            bytes += cell.bytes();
        }
        return (int) Math.max(1, bytes);
    }

    private static long bytes(CellPage page) {
        return RowParts.of(page.cells()).bytes();
    }
}
