package bt.master;

import bt.base.BigtableException;
import bt.base.RejectedException;
import bt.base.Scheduler;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.metadata.TabletStates;
import bt.model.TabletId;
import bt.record.Phase;
import bt.record.TabletState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the tablets of dropped tables from their servers. While the table may come back nothing of it is lost: what is in
 * memory is written to files, and the logs of dead servers stay needed. Once it is gone its rows are marked so. No server
 * is waited for: what it does shows in the row, or in its answer, and is looked at by a later pass. Owned by the master's
 * thread.
 */
final class Retirement {
    private static final Logger log = LoggerFactory.getLogger(Retirement.class);

    /** How long an attempt may take before it is repeated; a server joins those that ask again. */
    private static final long REPEAT_NANOS = 5_000_000_000L;

    private final MetadataTable metadata;
    private final Scheduler scheduler;
    private final Graves graves;
    private final TabletOrders orders;
    private final Map<TabletId, Attempt> attempts = new HashMap<>();

    Retirement(MetadataTable metadata, Scheduler scheduler, Graves graves, TabletOrders orders) {
        this.metadata = metadata;
        this.scheduler = scheduler;
        this.graves = graves;
        this.orders = orders;
    }

    private record Attempt(long generation, long nanos, CompletableFuture<Boolean> done) {}

    /** Sees to it that nobody serves the tablet, and that all it had is in files and logs. True when that is so. */
    boolean retire(MetadataRow row, Sight sight) throws BigtableException, InterruptedException {
        if (row.location().getPhase() == Phase.UNASSIGNED) {
            attempts.remove(row.id());
            return true;
        }
        Optional<List<Long>> logs;
        if (sight.holder(row.location()).isPresent()) {
            logs = isLetGo(row, sight, true) ? Optional.of(row.state().getLogs()) : Optional.empty();
        } else {
            logs = graves.logsToReplay(row, sight);
        }
        if (logs.isEmpty()) {
            return false;
        }
        TabletState state =
                TabletState.newBuilder(row.state()).setLogs(logs.get()).build();
        return write(row, state, "unloaded: the table is dropped");
    }

    /** Sees to it that nobody serves the tablet and marks its row gone. True when it is. */
    boolean remove(MetadataRow row, Sight sight) throws BigtableException, InterruptedException {
        if (sight.holder(row.location()).isPresent() && !isLetGo(row, sight, false)) {
            return false;
        }
        return write(row, TabletState.newBuilder(row.state()).setGone(true).build(), "gone");
    }

    private boolean write(MetadataRow row, TabletState state, String event)
            throws BigtableException, InterruptedException {
        try {
            metadata.replace(row, TabletStates.unassigned(), state, event);
            attempts.remove(row.id());
            return true;
        } catch (RejectedException moved) {
            // Its server has handed it back since we read the row: the next pass decides on what it wrote.
            log.debug("{}: {}", row.id(), moved.getMessage());
            return false;
        }
    }

    /**
     * Asks the holder to unload. True when it has answered that it does not hold the tablet and yet the row names it: it could
     * not load it, and with this row it never will have.
     */
    private boolean isLetGo(MetadataRow row, Sight sight, boolean flush) {
        Attempt last = attempts.get(row.id());
        if (last != null && last.generation() == row.generation()) {
            if (last.done().getNow(false)) {
                return true;
            }
            if (scheduler.clock().nanos() - last.nanos() < REPEAT_NANOS) {
                return false;
            }
        }
        Member holder = sight.holder(row.location()).orElseThrow();
        CompletableFuture<Boolean> done = orders.askToUnload(row.id(), holder, flush);
        attempts.put(row.id(), new Attempt(row.generation(), scheduler.clock().nanos(), done));
        return false;
    }
}
