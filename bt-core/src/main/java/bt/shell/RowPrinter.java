package bt.shell;

import bt.command.Invocation;
import bt.model.Cell;
import bt.model.Row;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Prints rows: a line of {@code row, column, timestamp, value} a cell, parted by tabs, and its label if it has one; or a
 * JSON document a row.
 */
final class RowPrinter {
    private final PrintStream out;
    private final boolean json;

    RowPrinter(Invocation invocation) {
        this.out = invocation.out();
        this.json = invocation.json();
    }

    void print(Row row) {
        if (json) {
            Json.print(out, document(row));
            return;
        }
        for (Cell cell : row.cells()) {
            String label = cell.label().isEmpty() ? "" : "\t" + cell.label();
            out.println(row.key() + "\t" + cell.column() + "\t" + cell.timestamp() + "\t" + cell.value() + label);
        }
    }

    /**
     * Whether nobody wants more: the reader has gone, as in {@code bt scan t | head}, or has pressed Ctrl-C in a shell.
     * Flushes: not to be asked for every row.
     */
    boolean isUnheard() {
        return out.checkError() || Thread.currentThread().isInterrupted();
    }

    private static Map<String, Object> document(Row row) {
        List<Map<String, Object>> cells = new ArrayList<>();
        for (Cell cell : row.cells()) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("column", cell.column().toString());
            document.put("timestamp", cell.timestamp());
            Json.putValue(document, cell.value());
            if (!cell.label().isEmpty()) {
                document.put("label", cell.label());
            }
            cells.add(document);
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("row", row.key().toString());
        document.put("cells", cells);
        return document;
    }
}
