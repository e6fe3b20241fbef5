package bt.shell;

import bt.base.BigtableException;
import bt.base.RejectedException;
import bt.client.CellScanner;
import bt.model.Cell;
import java.io.PrintStream;
import java.util.Optional;

/** The cells of a scan for who prints or writes each as it comes, of rows that may be larger than memory. One thread. */
final class CellStream {
    private final CellScanner scanner;
    private final PrintStream err;

    CellStream(CellScanner scanner, PrintStream err) {
        this.scanner = scanner;
        this.err = err;
    }

    /** {@link CellScanner#isAtRowEnd}. */
    boolean isAtRowEnd() {
        return scanner.isAtRowEnd();
    }

    /** A row whose reading a compaction has overtaken goes on as it is by now: what is written of it cannot be taken back. */
    Optional<Cell> next() throws BigtableException {
        try {
            return scanner.next();
        } catch (RejectedException overtaken) {
            // What was refused for another reason is refused again.
            Optional<Cell> next = scanner.next();
            err.println("of two moments, before and after a cell where it went on: " + overtaken.getMessage());
            return next;
        }
    }
}
