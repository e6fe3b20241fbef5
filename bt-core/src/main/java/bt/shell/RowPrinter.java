package bt.shell;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.command.Invocation;
import bt.model.Cell;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Prints rows cell by cell, so that none has to fit into memory: a line of {@code row, column, timestamp, value} a cell,
 * parted by tabs, and its label if it has one; or a JSON document a row, whose beginning is printed before its end is known. One
 * thread.
 */
final class RowPrinter {
    /** How often we look whether anybody still reads what we print. */
    private static final int CELLS_UNHEARD = 1_000;

    private final PrintStream out;
    private final boolean json;
    private final ScanEnd end;

    RowPrinter(Invocation invocation, ScanEnd end) {
        this(invocation.out(), invocation.json(), end);
    }

    RowPrinter(PrintStream out, boolean json, ScanEnd end) {
        this.out = out;
        this.json = json;
        this.end = end;
    }

    /** The rows, until the end has come or nobody wants more; whether there were any. */
    boolean print(CellStream cells) throws BigtableException {
        Optional<Bytes> open = Optional.empty();
        long printed = 0;
        for (Optional<Cell> next = cells.next(); next.isPresent(); next = cells.next()) {
            Cell cell = next.get();
            boolean isOther = open.isPresent() && !open.get().equals(cell.row());
            if (isOther) {
                endRow();
                open = Optional.empty();
            }
            if ((isOther && end.isReached()) || (printed % CELLS_UNHEARD == 0 && isUnheard())) {
                return true;
            }
            print(cell, open.isEmpty());
            printed++;
            end.saw(cell);
            open = Optional.of(cell.row());
            if (cells.isAtRowEnd()) {
                endRow();
                open = Optional.empty();
                if (end.isReached()) {
                    return true;
                }
            }
        }
        if (open.isPresent()) {
            endRow();
        }
        return printed > 0;
    }

    private void print(Cell cell, boolean isNew) {
        if (json) {
            if (isNew) {
                out.print("{\"row\":");
                Json.write(out, cell.row().toString());
            }
            out.print(isNew ? ",\"cells\":[" : ",");
            Json.write(out, document(cell));
        } else {
            String label = cell.label().isEmpty() ? "" : "\t" + cell.label();
            out.println(cell.row() + "\t" + cell.column() + "\t" + cell.timestamp() + "\t" + cell.value() + label);
        }
    }

    private void endRow() {
        if (json) {
            out.println("]}");
        }
    }

    /**
     * Whether the reader has gone, as in {@code bt scan t | head}, or somebody has pressed Ctrl-C in a shell. Flushes: not to be
     * asked for every cell.
     */
    private boolean isUnheard() {
        return out.checkError() || Thread.currentThread().isInterrupted();
    }

    private static Map<String, Object> document(Cell cell) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("column", cell.column().toString());
        document.put("timestamp", cell.timestamp());
        Json.putValue(document, cell.value());
        if (!cell.label().isEmpty()) {
            document.put("label", cell.label());
        }
        return document;
    }
}
