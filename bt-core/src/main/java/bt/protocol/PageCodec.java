package bt.protocol;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;
import bt.model.Cell;
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
        return new Answer.Page(LaidCells.decode(in), next, resume, rowsSeen, cellsSeen);
    }

    /** Of one that ends with a row; nothing behind that is read. */
    static Optional<Bytes> edge(Input in) throws CorruptionException {
        Optional<Bytes> edge = Fields.optional(in, "next row");
        return Fields.present(in, "resume") ? Optional.empty() : edge;
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
}
