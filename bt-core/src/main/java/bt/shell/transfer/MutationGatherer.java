package bt.shell.transfer;

import bt.base.BigtableException;
import bt.client.BatchWriter;
import bt.model.Cell;
import bt.model.RowMutation;
import java.util.ArrayList;
import java.util.List;

/** Makes one mutation of cells of one row that come one after the other, as long as it stays small. One thread. */
final class MutationGatherer {
    private static final int MAX_CELLS = 1_000;
    private static final long MAX_BYTES = 1 << 20;

    private final BatchWriter batch;
    private final List<Cell> gathered = new ArrayList<>();
    private long bytes;

    MutationGatherer(BatchWriter batch) {
        this.batch = batch;
    }

    void add(Cell cell) throws BigtableException {
        boolean goesOn = !gathered.isEmpty()
                && gathered.get(0).row().equals(cell.row())
                && gathered.size() < MAX_CELLS
                && bytes + cell.bytes() <= MAX_BYTES;
        if (!goesOn) {
            send();
        }
        gathered.add(cell);
        bytes += cell.bytes();
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
        bytes = 0;
        batch.add(mutation.build());
    }
}
