package bt.mapreduce.input;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.client.CellScanner;
import bt.mapreduce.input.SplitReader.Records;
import bt.model.Cell;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.mapreduce.Counter;

/**
 * Cells one after the other, a few pages of them in memory. A row whose reading a compaction has overtaken goes on as it is by
 * then, and is counted: to fail the task would be to read the same row again, which takes as long again.
 */
final class CellRecords implements Records<Cell> {
    private final CellScanner scanner;
    private final Counter rows;
    private final Counter cells;
    private final Counter cellsSeen;
    private final Counter twoMoments;
    private Bytes row = Bytes.EMPTY;

    CellRecords(CellScanner scanner, Function<InputCounter, Counter> counters) {
        this.scanner = scanner;
        rows = counters.apply(InputCounter.ROWS);
        cells = counters.apply(InputCounter.CELLS);
        cellsSeen = counters.apply(InputCounter.CELLS_SEEN);
        twoMoments = counters.apply(InputCounter.TWO_MOMENTS);
    }

    @Override
    public Optional<Cell> next() throws BigtableException {
        Optional<Cell> next = read();
        cellsSeen.setValue(scanner.cellsSeen());
        if (next.isPresent()) {
            cells.increment(1);
            if (!next.get().row().equals(row)) {
                row = next.get().row();
                rows.increment(1);
            }
        }
        return next;
    }

    private Optional<Cell> read() throws BigtableException {
        try {
            return scanner.next();
        } catch (RejectedException overtaken) {
            // What was refused for another reason is refused again.
            Optional<Cell> next = scanner.next();
            twoMoments.increment(1);
            return next;
        }
    }

    @Override
    public Bytes row(Cell cell) {
        return cell.row();
    }

    @Override
    public void close() {
        scanner.close();
    }
}
