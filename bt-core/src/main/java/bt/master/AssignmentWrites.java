package bt.master;

import bt.base.BigtableException;
import bt.base.FencedException;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.model.TabletId;
import bt.record.TabletLocation;
import bt.record.TabletState;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes to METADATA what an {@link Assigner} has decided, and then asks the servers to load. Owned by the master's thread. */
final class AssignmentWrites {
    private static final Logger log = LoggerFactory.getLogger(AssignmentWrites.class);

    private final MetadataTable metadata;
    private final TabletOrders orders;
    private final RowWrites writes;
    private final Hindrances hindrances;

    /** The hindrances say too where the rows are that {@code writes} writes. */
    AssignmentWrites(MetadataTable metadata, TabletOrders orders, RowWrites writes, Hindrances hindrances) {
        this.metadata = metadata;
        this.orders = orders;
        this.writes = writes;
        this.hindrances = hindrances;
    }

    /** False where METADATA is known not to take it: the tablet waits, and nothing is decided. */
    boolean begin(MetadataRow row, TabletLocation location, TabletState state, Member target) {
        if (hindrances.isInVain(List.of(row.id()))) {
            return false;
        }
        writes.begin(row.id(), () -> {
            MetadataRow written = metadata.replace(row, location, state, "loading on " + target.id());
            List<Long> logs = state.getLogs();
            log.info(
                    "{} goes to {}{}",
                    row.id(),
                    target.id(),
                    logs.isEmpty() ? "" : ", which replays the logs of " + logs);
            orders.askToLoad(written, target);
        });
        return true;
    }

    /** Whether nothing more may begin before {@link #finish}. */
    boolean isFull() {
        return writes.isFull();
    }

    /**
     * Waits until METADATA has what was decided, or has not: that is decided anew by the next pass. Told are the tablets of
     * which the decision fell.
     */
    void finish(Consumer<TabletId> fallen) throws FencedException, InterruptedException {
        Map<TabletId, BigtableException> failures = writes.finish();
        failures.keySet().forEach(fallen);
        for (Map.Entry<TabletId, BigtableException> failed : failures.entrySet()) {
            hindrances.failed(List.of(failed.getKey()), failed.getValue());
        }
    }
}
