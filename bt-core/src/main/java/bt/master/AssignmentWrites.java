package bt.master;

import bt.base.BigtableException;
import bt.base.BigtableException.Kind;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.model.TabletId;
import bt.record.TabletLocation;
import bt.record.TabletState;
import java.util.ArrayList;
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

    AssignmentWrites(MetadataTable metadata, TabletOrders orders, RowWrites writes) {
        this.metadata = metadata;
        this.orders = orders;
        this.writes = writes;
    }

    void begin(MetadataRow row, TabletLocation location, TabletState state, Member target) {
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
    }

    /** Whether nothing more may begin before {@link #finish}. */
    boolean isFull() {
        return writes.isFull();
    }

    /**
     * Waits until METADATA has what was decided, or has refused it because the row has changed since: that is decided anew by
     * the next pass. Else the first failure, FENCED before any other. Told are the tablets of which the decision fell.
     */
    void finish(Consumer<TabletId> fallen) throws BigtableException, InterruptedException {
        List<BigtableException> failures = new ArrayList<>();
        for (Map.Entry<TabletId, BigtableException> failed : writes.finish().entrySet()) {
            fallen.accept(failed.getKey());
            if (failed.getValue().kind() == Kind.REJECTED) {
                log.info("{}: {}", failed.getKey(), failed.getValue().getMessage());
            } else {
                failures.add(failed.getValue());
            }
        }
        RowWrites.check(failures);
    }
}
