package bt.thrift.convert;

import static bt.thrift.convert.Given.present;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.Row;
import bt.thrift.gen.Cell;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows, as they are read. */
public final class Rows {
    /** What a cell needs beside its own bytes, in the wider of the two protocols. */
    private static final long CELL_OVERHEAD = 40;

    private static final long ROW_OVERHEAD = 16;

    private Rows() {}

    public static Bytes key(@Nullable ByteBuffer given) throws RejectedException {
        Bytes key = Binaries.of(present(given, "row"));
        if (key.isEmpty()) {
            throw new RejectedException("row is empty: a row key has at least one byte");
        }
        return key;
    }

    public static bt.thrift.gen.Row of(Row row) {
        List<Cell> cells = row.cells().stream()
                .map(cell -> new Cell(Columns.of(cell.column()), cell.timestamp(), Binaries.of(cell.value())))
                .toList();
        return new bt.thrift.gen.Row(Binaries.of(row.key()), cells);
    }

    /** At least as many bytes as the row takes in an answer, whatever the protocol. */
    public static long bytes(Row row) {
        long bytes = ROW_OVERHEAD + row.key().length();
        for (bt.model.Cell cell : row.cells()) {
            bytes += CELL_OVERHEAD
                    // A name is ASCII.
                    + cell.column().family().length()
                    + cell.column().qualifier().length()
                    + cell.value().length();
        }
        return bytes;
    }
}
