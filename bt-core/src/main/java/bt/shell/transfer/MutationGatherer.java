package bt.shell.transfer;

import bt.base.BigtableException;
import bt.client.BatchWriter;
import bt.model.Cell;
import bt.model.Change;
import bt.model.ColumnKey;
import bt.model.RowMutation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Makes one mutation of cells of one row that come one after the other, as long as it stays small. Two cells of a column that
 * a server gives timestamps never come into one: they would get the same, and be one version. One thread.
 */
final class MutationGatherer {
    private static final int MAX_CELLS = 1_000;
    private static final long MAX_BYTES = 1 << 20;

    private final BatchWriter batch;
    private final List<Cell> gathered = new ArrayList<>();
    private final Set<ColumnKey> stamped = new HashSet<>();
    private long bytes;

    MutationGatherer(BatchWriter batch) {
        this.batch = batch;
    }

    void add(Cell cell) throws BigtableException {
        boolean goesOn = !gathered.isEmpty()
                && gathered.get(0).row().equals(cell.row())
                && gathered.size() < MAX_CELLS
                && bytes + cell.bytes() <= MAX_BYTES
                && !(isStamped(cell) && stamped.contains(cell.column()));
        if (!goesOn) {
            send();
        }
        gathered.add(cell);
        bytes += cell.bytes();
        if (isStamped(cell)) {
            stamped.add(cell.column());
        }
    }

    private static boolean isStamped(Cell cell) {
        return cell.timestamp() == Change.SERVER_TIME;
    }

    /** Waits until all that was added is applied. */
    void flush() throws BigtableException {
        send();
        batch.flush();
    }

    private void send() throws BigtableException {
        if (gathered.isEmpty()) {
            return;
        }
        RowMutation.Builder mutation = RowMutation.of(gathered.get(0).row());
        gathered.forEach(cell -> mutation.set(cell.column(), cell.timestamp(), cell.value()));
        gathered.clear();
        stamped.clear();
        bytes = 0;
        batch.add(mutation.build());
    }
}
