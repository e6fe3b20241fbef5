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
 * which of row, family, qualifier and timestamp follow because they are not those of the cell before.
 */
final class PageCodec {
    static final int ROW = 1;
    static final int FAMILY = 2;
    static final int QUALIFIER = 4;
    static final int TIMESTAMP = 8;
    static final int EVERYTHING = ROW | FAMILY | QUALIFIER | TIMESTAMP;

    /** What differs, and the length of the value. */
    private static final int LEAST_CELL_BYTES = 2;

    private PageCodec() {}

    static void encode(Answer.Page page, Output out) {
        Fields.optional(page.next(), out);
        Fields.resume(page.resume(), out);
        out.varint(page.rowsSeen()).varint(page.cellsSeen()).varint(page.cells().size());
        Optional<Cell> before = Optional.empty();
        for (Cell cell : page.cells()) {
            encode(cell, before.isPresent() ? differences(cell, before.get()) : EVERYTHING, out);
            before = Optional.of(cell);
        }
    }

    static Answer.Page decode(Input in) throws CorruptionException {
        Optional<Bytes> next = Fields.optional(in, "next row");
        Optional<RowResume> resume = Fields.resume(in);
        long rowsSeen = in.varint("rows seen");
        long cellsSeen = in.varint("cells seen");
        return new Answer.Page(cells(in), next, resume, rowsSeen, cellsSeen);
    }

    private static int differences(Cell cell, Cell before) {
        return (cell.row().equals(before.row()) ? 0 : ROW)
                | (cell.column().family().equals(before.column().family()) ? 0 : FAMILY)
                | (cell.column().qualifier().equals(before.column().qualifier()) ? 0 : QUALIFIER)
                | (cell.timestamp() == before.timestamp() ? 0 : TIMESTAMP);
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
        out.bytes(cell.value());
    }

    private static List<Cell> cells(Input in) throws CorruptionException {
        int count = Fields.count(in, "cells", LEAST_CELL_BYTES);
        List<Cell> cells = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int differs = in.u8("differences");
            if (differs > EVERYTHING) {
                throw in.corrupt("differences " + differs + " are unknown");
            }
            if (i == 0 && differs != EVERYTHING) {
                throw in.corrupt("the first cell names only " + differs + " of its parts");
            }
            cells.add(i == 0 ? first(in) : cell(in, differs, cells.get(i - 1)));
        }
        return cells;
    }

    private static Cell first(Input in) throws CorruptionException {
        return new Cell(in.bytes("row"), Fields.column(in), in.u64("timestamp"), in.bytes("value"));
    }

    private static Cell cell(Input in, int differs, Cell before) throws CorruptionException {
        return new Cell(
                (differs & ROW) != 0 ? in.bytes("row") : before.row(),
                (differs & (FAMILY | QUALIFIER)) != 0 ? column(in, differs, before.column()) : before.column(),
                (differs & TIMESTAMP) != 0 ? in.u64("timestamp") : before.timestamp(),
                in.bytes("value"));
    }

    private static ColumnKey column(Input in, int differs, ColumnKey before) throws CorruptionException {
        return new ColumnKey(
                (differs & FAMILY) != 0 ? in.text("family") : before.family(),
                (differs & QUALIFIER) != 0 ? in.bytes("qualifier") : before.qualifier());
    }
}
