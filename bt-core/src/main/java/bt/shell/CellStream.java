package bt.shell;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.client.CellScanner;
import bt.model.Cell;
import java.io.PrintStream;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The cells of a scan for who prints or writes each as it comes, of rows that may be larger than memory. One thread. */
final class CellStream {
    private final CellScanner scanner;
    private final PrintStream err;
    private final Set<Bytes> awaited = new LinkedHashSet<>();
    private boolean ended;

    CellStream(CellScanner scanner, PrintStream err) {
        this.scanner = scanner;
        this.err = err;
    }

    /** Rows of which it is to be seen whether there are any cells. */
    CellStream awaiting(Collection<Bytes> rows) {
        awaited.addAll(rows);
        return this;
    }

    /** Those of them that have none: nobody knows before the last cell of all has come. */
    List<Bytes> missing() {
        return ended ? List.copyOf(awaited) : List.of();
    }

    /** {@link CellScanner#isAtRowEnd}. */
    boolean isAtRowEnd() {
        return scanner.isAtRowEnd();
    }

    /** A row whose reading a compaction has overtaken goes on as it is by now: what is written of it cannot be taken back. */
    Optional<Cell> next() throws BigtableException {
        Optional<Cell> cell = scanned();
        cell.ifPresent(came -> awaited.remove(came.row()));
        ended = cell.isEmpty();
        return cell;
    }

    private Optional<Cell> scanned() throws BigtableException {
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
