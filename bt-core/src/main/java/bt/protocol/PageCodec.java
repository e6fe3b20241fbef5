package bt.protocol;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;
import bt.model.Cell;
import bt.model.ColumnKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@link Answer.Page}: where to go on, what was seen, count of cells, then the cells. Each begins with a byte that says
 * which of row, family, qualifier, timestamp and label follow because they are not those of the cell before. Before the
 * first there is none, and its label is empty.
 */
final class PageCodec {
    static final int ROW = 1;
    static final int FAMILY = 2;
    static final int QUALIFIER = 4;
    static final int TIMESTAMP = 8;
    static final int KEY = ROW | FAMILY | QUALIFIER | TIMESTAMP;
    static final int LABEL = 16;
    static final int EVERYTHING = KEY | LABEL;

    /** What differs, and the length of the value. */
    private static final int LEAST_CELL_BYTES = 2;

    /** Of a cell without a label in a family of a short name, beside the bytes of its row, qualifier and value. */
    private static final int MOST_OVERHEAD_BYTES = 32;

    private PageCodec() {}

    static void encode(Answer.Page page, Output out) {
        Fields.optional(page.next(), out);
        Fields.resume(page.resume(), out);
        out.expect(bytes(page.cells(), out));
        out.varint(page.rowsSeen()).varint(page.cellsSeen()).varint(page.cells().size());
        for (int i = 0; i < page.cells().size(); i++) {
            Cell cell = page.cells().get(i);
            encode(cell, i == 0 ? ofFirst(cell) : differences(cell, page.cells().get(i - 1)), out);
        }
    }

    static Answer.Page decode(Input in) throws CorruptionException {
        Optional<Bytes> next = Fields.optional(in, "next row");
        Optional<RowResume> resume = Fields.resume(in);
        long rowsSeen = in.varint("rows seen");
        long cellsSeen = in.varint("cells seen");
        return new Answer.Page(cells(in), next, resume, rowsSeen, cellsSeen);
    }

    /** As many as they come to beside what is lent, or some more. */
    private static long bytes(List<Cell> cells, Output out) {
        long bytes = MOST_OVERHEAD_BYTES;
        for (Cell cell : cells) {
            int lent = out.borrows(cell.value()) ? cell.value().length() : 0;
            bytes += cell.bytes() - lent + MOST_OVERHEAD_BYTES;
        }
        return bytes;
    }

    private static int ofFirst(Cell cell) {
        return KEY | (cell.label().isEmpty() ? 0 : LABEL);
    }

    private static int differences(Cell cell, Cell before) {
        return (cell.row().equals(before.row()) ? 0 : ROW)
                | (cell.column().family().equals(before.column().family()) ? 0 : FAMILY)
                | (cell.column().qualifier().equals(before.column().qualifier()) ? 0 : QUALIFIER)
                | (cell.timestamp() == before.timestamp() ? 0 : TIMESTAMP)
                | (cell.label().equals(before.label()) ? 0 : LABEL);
    }

    private static void encode(Cell cell, int differs, Output out) {
        out.u8(differs);
        if ((differs & ROW) != 0) {
            out.bytes(cell.row());
        }
        if ((differs & FAMILY) != 0) {
            out.text(cell.column().family());
        }
        if ((differs & QUALIFIER) != 0) {
            out.bytes(cell.column().qualifier());
        }
        if ((differs & TIMESTAMP) != 0) {
            out.u64(cell.timestamp());
        }
        if ((differs & LABEL) != 0) {
            out.text(cell.label());
        }
        out.lend(cell.value());
    }

    private static List<Cell> cells(Input in) throws CorruptionException {
        int count = Fields.count(in, "cells", LEAST_CELL_BYTES);
        List<Cell> cells = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int differs = in.u8("differences");
            if (differs > EVERYTHING) {
                throw in.corrupt("differences " + differs + " are unknown");
            }
            if (i == 0 && (differs & KEY) != KEY) {
                throw in.corrupt("the first cell names only " + differs + " of its parts");
            }
            cells.add(i == 0 ? first(in, differs) : cell(in, differs, cells.get(i - 1)));
        }
        return cells;
    }

    private static Cell first(Input in, int differs) throws CorruptionException {
        Bytes row = in.bytes("row");
        ColumnKey column = Fields.column(in);
        long timestamp = in.u64("timestamp");
        String label = (differs & LABEL) != 0 ? in.text("label") : "";
        return new Cell(row, column, timestamp, in.bytes("value"), label);
    }

    private static Cell cell(Input in, int differs, Cell before) throws CorruptionException {
        Bytes row = (differs & ROW) != 0 ? in.bytes("row") : before.row();
        ColumnKey column =
                (differs & (FAMILY | QUALIFIER)) != 0 ? column(in, differs, before.column()) : before.column();
        long timestamp = (differs & TIMESTAMP) != 0 ? in.u64("timestamp") : before.timestamp();
        String label = (differs & LABEL) != 0 ? in.text("label") : before.label();
        return new Cell(row, column, timestamp, in.bytes("value"), label);
    }

    private static ColumnKey column(Input in, int differs, ColumnKey before) throws CorruptionException {
        return new ColumnKey(
                (differs & FAMILY) != 0 ? in.text("family") : before.family(),
                (differs & QUALIFIER) != 0 ? in.bytes("qualifier") : before.qualifier());
    }
}
