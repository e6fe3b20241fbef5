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
import java.util.function.Supplier;

/**
 * Makes one mutation of cells of one row that come one after the other, as long as it stays small. Two cells of a column that
 * a server gives timestamps never come into one: they would get the same, and be one version. A write that fails is told
 * with the place in the file up to which cells had been read by then. One thread.
 */
final class MutationGatherer implements AutoCloseable {
    private static final int MAX_CELLS = 1_000;
    private static final long MAX_BYTES = 1 << 20;

    private final BatchWriter batch;
    private final Supplier<String> place;
    private final List<Cell> gathered = new ArrayList<>();
    private final Set<ColumnKey> stamped = new HashSet<>();
    private long bytes;

    MutationGatherer(BatchWriter batch, Supplier<String> place) {
        this.batch = batch;
        this.place = place;
    }

    void add(Cell cell) throws BigtableException {
        boolean goesOn = !gathered.isEmpty()
                && gathered.get(0).row().equals(cell.row())
                && gathered.size() < MAX_CELLS
                && bytes + cell.bytes() <= MAX_BYTES
                && !(isStamped(cell) && stamped.contains(cell.column()));
        if (!goesOn) {
            placed(this::send);
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

    /** Waits until all that was added is applied, or tells of all that is not. */
    @Override
    public void close() throws BigtableException {
        placed(() -> {
            try {
                send();
            } catch (BigtableException failed) {
                throw flushBehind(failed);
            }
            batch.flush();
        });
    }

    private BigtableException flushBehind(BigtableException failed) {
        try {
            batch.flush();
            return failed;
        } catch (BigtableException too) {
            return Unwritten.both(failed, too);
        }
    }

    /** Something that writes. */
    @FunctionalInterface
    private interface Writing {
        void write() throws BigtableException;
    }

    private void placed(Writing writing) throws BigtableException {
        try {
            writing.write();
        } catch (BigtableException failed) {
            throw failed.about("up to " + place.get());
        }
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
