package bt.thrift.convert;

import static bt.thrift.convert.Given.present;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.Row;
import bt.thrift.gen.Cell;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows, as they are read. */
public final class Rows {
    /** What a cell needs beside its own bytes, in the wider of the two protocols. */
    private static final long CELL_OVERHEAD = 48;

    /** Of a character of a label, as UTF-8. */
    private static final long CHARACTER_BYTES = 3;

    private static final long ROW_OVERHEAD = 16;

    /** As many as a scan may name. */
    private static final int AT_ONCE = PageRequest.MAX_RANGES;

    private Rows() {}

    public static Bytes key(@Nullable ByteBuffer given) throws RejectedException {
        Bytes key = Binaries.of(present(given, "row"));
        if (key.isEmpty()) {
            throw new RejectedException("row is empty", "give it a key: a row key has at least one byte");
        }
        return key;
    }

    /** At most so many as one call may ask for, in their order. */
    public static List<Bytes> keys(@Nullable List<ByteBuffer> given) throws RejectedException {
        List<ByteBuffer> rows = present(given, "rows");
        if (rows.size() > AT_ONCE) {
            throw new RejectedException(
                    rows.size() + " rows in one call: at most " + AT_ONCE, "make more calls, or scan them");
        }
        List<Bytes> keys = new ArrayList<>();
        for (ByteBuffer row : rows) {
            keys.add(key(row));
        }
        return keys;
    }

    public static bt.thrift.gen.Row of(Row row) {
        List<Cell> cells = row.cells().stream().map(Rows::of).toList();
        return new bt.thrift.gen.Row(Binaries.of(row.key()), cells);
    }

    private static Cell of(bt.model.Cell cell) {
        Cell described = new Cell(Columns.of(cell.column()), cell.timestamp(), Binaries.of(cell.value()));
        return cell.label().isEmpty() ? described : described.setLabel(cell.label());
    }

    /** At least as many bytes as the row takes in an answer, whatever the protocol. */
    public static long bytes(Row row) {
        long bytes = ROW_OVERHEAD + row.key().length();
        for (bt.model.Cell cell : row.cells()) {
            bytes += bytes(cell);
        }
        return bytes;
    }

    /** What the cell takes of that, without its row. */
    public static long bytes(bt.model.Cell cell) {
        return CELL_OVERHEAD
                // A name is ASCII.
                + cell.column().family().length()
                + cell.column().qualifier().length()
                + cell.value().length()
                + CHARACTER_BYTES * cell.label().length();
    }
}
