package bt.master;

import bt.base.BigtableException;
import bt.base.BigtableException.Kind;
import bt.base.FencedException;
import bt.base.Scheduler;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.metadata.TabletStates;
import bt.model.TabletId;
import bt.record.Phase;
import bt.record.TabletState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
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

    private static final long WRITE_NANOS = 1_000_000_000L;

    /** Rows, before the time is looked at: a few for each writer. */
    private static final int AT_A_TIME = 4 * RowWrites.WRITERS;

    private final MetadataTable metadata;
    private final Scheduler scheduler;
    private final Graves graves;
    private final TabletOrders orders;
    private final Assigner assigner;
    private final RowWrites writes;
    private final Hindrances hindrances;
    private final Map<TabletId, Attempt> attempts = new HashMap<>();

    /** By this pass. */
    private final List<Change> decided = new ArrayList<>();

    /** The hindrances say too where the rows are that {@code writes} writes. */
    Retirement(
            MetadataTable metadata,
            Scheduler scheduler,
            Graves graves,
            TabletOrders orders,
            Assigner assigner,
            RowWrites writes,
            Hindrances hindrances) {
        this.writes = writes;
        this.hindrances = hindrances;
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

    /** What a row is to become; only then made of it, for a table may have many rows, and each of these many files. */
    private record Change(MetadataRow row, UnaryOperator<TabletState> state, String event) {}

    /** A pass begins: what one that failed in the middle had decided is decided anew. */
    void begin() {
        decided.clear();
    }

    /** What was asked for of tables that are not dropped any more is nobody's: their tablets may be others by now. */
    void keepOnlyOf(Predicate<Long> tables) {
        attempts.keySet().removeIf(id -> !tables.test(id.tableId()));
    }

    /** Tablets that servers were asked to unload, as far as is not known what came of it. */
    Set<TabletId> asked() {
        return Set.copyOf(attempts.keySet());
    }

    /**
     * Sees to it that nobody serves the tablet, and that all it had is in files and logs. True when that is so; what is to be written for it is
     * written by {@link #finish}.
     */
    boolean retire(MetadataRow row, Sight sight) {
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
        List<Long> needed = logs.get();
        decided.add(new Change(
                row, state -> TabletState.newBuilder(state).setLogs(needed).build(), "unloaded: the table is dropped"));
        return false;
    }

    /** Sees to it that nobody serves the tablet; its row is marked gone by {@link #finish}. */
    void remove(MetadataRow row, Sight sight) {
        if (sight.holder(row.location()).isEmpty() || isLetGo(row, sight, false)) {
            decided.add(new Change(
                    row, state -> TabletState.newBuilder(state).setGone(true).build(), "gone"));
        }
    }

    /**
     * Writes what was decided, as much as takes a second: the master has servers to look at, and tablets to assign, and decides the rest anew
     * with the next pass. The tablets that are as they should be now.
     */
    Set<TabletId> finish() throws FencedException, InterruptedException {
        long begun = scheduler.clock().nanos();
        Set<TabletId> done = new HashSet<>();
        for (int i = 0; i < decided.size() && scheduler.clock().nanos() - begun < WRITE_NANOS; i += AT_A_TIME) {
            write(decided.subList(i, Math.min(i + AT_A_TIME, decided.size())), done);
        }
        decided.clear();
        return done;
    }

    private void write(List<Change> changes, Set<TabletId> done) throws FencedException, InterruptedException {
        Set<TabletId> begun = new HashSet<>();
        for (Change change : changes) {
            MetadataRow row = change.row;
            if (!hindrances.isInVain(List.of(row.id()))) {
                writes.begin(row.id(), () -> {
                    MetadataRow unused = metadata.replace(
                            row, TabletStates.unassigned(), change.state.apply(row.state()), change.event);
                });
                begun.add(row.id());
            }
        }
        Map<TabletId, BigtableException> failures = writes.finish();
        for (Map.Entry<TabletId, BigtableException> failed : failures.entrySet()) {
            if (failed.getValue().kind() == Kind.REJECTED) {
                // Its server has handed it back since we read the row: the next pass decides on what it wrote.
                log.debug("{}: {}", failed.getKey(), failed.getValue().getMessage());
            } else {
                hindrances.failed(List.of(failed.getKey()), failed.getValue());
            }
        }
        begun.removeAll(failures.keySet());
        attempts.keySet().removeAll(begun);
        done.addAll(begun);
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
