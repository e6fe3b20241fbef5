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
    private final Assigner assigner;
    private final Map<TabletId, Attempt> attempts = new HashMap<>();

    Retirement(MetadataTable metadata, Scheduler scheduler, Graves graves, TabletOrders orders, Assigner assigner) {
        this.metadata = metadata;
        this.scheduler = scheduler;
        this.graves = graves;
        this.orders = orders;
        this.assigner = assigner;
    }

    /**
     * An order to unload what the row of this generation names.
     *
     * @param neverServed whether the holder has not come to serve it, as the row or the holder itself said before an order of ours
     * @param seen whether a pass has seen before that it is answered
     */
    private record Attempt(
            long generation, long nanos, boolean neverServed, boolean seen, CompletableFuture<Boolean> done) {
        private Attempt beingSeen() {
            return new Attempt(generation, nanos, neverServed, true, done);
        }
    }

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
     * not load it, and with this row it never will have. What it was to have served, and must not be lost, it has lost then, but for
     * its log: it is asked for it, as for a tablet of a table that is there, and ends.
     *
     * @param keep whether nothing may be lost
     */
    private boolean isLetGo(MetadataRow row, Sight sight, boolean keep) {
        Member holder = sight.holder(row.location()).orElseThrow();
        Optional<Attempt> last =
                Optional.ofNullable(attempts.get(row.id())).filter(each -> each.generation() == row.generation());
        boolean neverServed = last.map(Attempt::neverServed).orElse(false)
                || row.location().getPhase() != Phase.SERVING
                || sight.report(holder, row.id())
                        .filter(report -> report.getFailure() != null)
                        .isPresent();
        if (last.isPresent()) {
            Attempt attempt = last.get();
            if (attempt.done().getNow(false)) {
                if (neverServed || !keep) {
                    return true;
                }
                if (attempt.seen()) {
                    assigner.askFor(row, holder);
                }
                // Else the row may be older than the answer.
                attempts.put(row.id(), attempt.beingSeen());
                return false;
            }
            if (scheduler.clock().nanos() - attempt.nanos() < REPEAT_NANOS) {
                return false;
            }
        }
        CompletableFuture<Boolean> done = orders.askToUnload(row.id(), holder, keep);
        attempts.put(row.id(), new Attempt(row.generation(), scheduler.clock().nanos(), neverServed, false, done));
        return false;
    }
}
