package bt.master;

import bt.base.BigtableException;
import bt.base.Clock;
import bt.base.RejectedException;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.model.TabletId;
import bt.record.CompactionWish;
import bt.record.TablePhase;
import bt.record.TableRecord;
import bt.record.TableWork;
import bt.record.WorkLine;
import bt.record.WorkOnTable;
import bt.record.WorkReport;
import bt.record.WorkRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What somebody has begun on the tablets of a table: flushes, major compactions, splits, merges and moves, and tables that come to be. A table has one of each kind. It
 * goes on whether anybody waits or not, under the next master too, until it is done, somebody takes it back, or the table
 * is dropped. Owned by the master's thread.
 */
final class TableWishes {
    private static final Logger log = LoggerFactory.getLogger(TableWishes.class);

    private final Catalogue catalogue;
    private final TableCompactions compactions;
    private final TableCompactions flushes;
    private final TableSplits splits;
    private final TableMerges merges;
    private final TableMoves moves;
    private final TableCreations creations;

    private TableWishes(
            Catalogue catalogue,
            TableCompactions compactions,
            TableCompactions flushes,
            TableSplits splits,
            TableMerges merges,
            TableMoves moves,
            TableCreations creations) {
        this.catalogue = catalogue;
        this.compactions = compactions;
        this.flushes = flushes;
        this.splits = splits;
        this.merges = merges;
        this.moves = moves;
        this.creations = creations;
    }

    /** Work of one kind. */
    interface Kind {
        /** The ids of those of which something is wished for. */
        Set<Long> tables();

        WorkLine begin(WorkOnTable asked, TableRecord table, WorkSight seen) throws BigtableException;

        /** All of it is. */
        default void done(long tableId) throws BigtableException {
            forget(tableId);
        }

        /** It is not to go on. */
        void forget(long tableId) throws BigtableException;

        List<WorkLine> lines(WorkSight seen);

        /** Does what can be done now for one of the tables, none of whose tablets waits to be served; true when all is done. */
        boolean look(long tableId, Set<TabletId> tablets, Sight sight) throws BigtableException, InterruptedException;
    }

    /** With what earlier masters were asked for. {@code wake} has the master look at once. */
    static TableWishes load(
            LockService locks,
            Catalogue catalogue,
            Merges merges,
            MoveCommands moves,
            TabletOrders orders,
            Clock clock,
            Runnable wake,
            TabletRoom room)
            throws BigtableException {
        WishRoom all = new WishRoom();
        return new TableWishes(
                catalogue,
                TableCompactions.load(TableWork.COMPACTION, new WishFiles(locks, Paths.COMPACTIONS, all)),
                TableCompactions.load(TableWork.FLUSH, new WishFiles(locks, Paths.FLUSHES, all)),
                TableSplits.load(new WishFiles(locks, Paths.SPLITS, all), orders, clock, wake, room),
                TableMerges.load(new WishFiles(locks, Paths.MERGES, all), merges, clock, wake),
                TableMoves.load(new WishFiles(locks, Paths.MOVES, all), moves, clock, wake),
                TableCreations.load(new WishFiles(locks, Paths.CREATIONS, all)));
    }

    /** The major compactions, as every look tells them to the servers. */
    List<CompactionWish> toldCompactions() {
        return compactions.told();
    }

    List<CompactionWish> toldFlushes() {
        return flushes.told();
    }

    /** Of tables that come to be. */
    TableCreations creations() {
        return creations;
    }

    boolean concern(long tableId) {
        return kinds().stream().anyMatch(kind -> kind.tables().contains(tableId));
    }

    private List<Kind> kinds() {
        return List.of(compactions, flushes, splits, merges, moves, creations);
    }

    private Kind kind(TableWork work) {
        return switch (work) {
            case COMPACTION -> compactions;
            case FLUSH -> flushes;
            case SPLIT -> splits;
            case MERGE -> merges;
            case MOVE -> moves;
            case CREATION -> creations;
        };
    }

    /** The answer; empty when the message is for somebody else. */
    Optional<SpecificRecord> hear(SpecificRecord message, WorkSight seen) throws BigtableException {
        if (message instanceof WorkRequest) {
            List<WorkLine> lines = new ArrayList<>();
            kinds().forEach(kind -> lines.addAll(kind.lines(seen)));
            return Optional.of(new WorkReport(lines));
        }
        if (message instanceof WorkOnTable asked) {
            Kind kind = kind(asked.getWork());
            if (asked.getUndo()) {
                kind.forget(asked.getTableId());
                return Optional.of(new WorkReport(List.of()));
            }
            return Optional.of(new WorkReport(List.of(kind.begin(asked, existing(asked.getTableId()), seen))));
        }
        return Optional.empty();
    }

    /** One of which something may be wished for; REJECTED where there is none, or none any more. */
    private TableRecord existing(long tableId) throws BigtableException {
        return active(tableId).orElseThrow(TableWishes::dropped);
    }

    /** REJECTED as above. Whoever waits asks each few seconds, so where the master knows the table nobody is asked for it. */
    void checkExists(long tableId) throws BigtableException {
        if (catalogue.known(tableId).filter(TableWishes::isActive).isEmpty()) {
            throw dropped();
        }
    }

    private static RejectedException dropped() {
        return new RejectedException("the table was dropped, or truncated", "list the tables that exist");
    }

    private Optional<TableRecord> active(long tableId) throws BigtableException {
        return catalogue.table(tableId).filter(TableWishes::isActive);
    }

    private static boolean isActive(TableRecord table) {
        return table.getPhase() == TablePhase.ACTIVE;
    }

    /**
     * Does what can be done now. What is done is forgotten, and what concerns a table that is not active any more.
     *
     * @param active those of the active tables whose files the last pass could read
     * @param tablets of each table that we concern, as the last pass saw them, where that left nothing to do
     */
    void look(Optional<Set<Long>> active, Optional<Map<Long, Set<TabletId>>> tablets, Sight sight)
            throws InterruptedException {
        for (Kind kind : kinds()) {
            for (long tableId : kind.tables()) {
                try {
                    look(kind, tableId, active, tablets, sight);
                } catch (BigtableException notNow) {
                    // The next look finds it so too.
                    log.debug("table {}: {}", tableId, notNow.getMessage());
                }
            }
        }
    }

    private void look(
            Kind kind,
            long tableId,
            Optional<Set<Long>> active,
            Optional<Map<Long, Set<TabletId>>> tablets,
            Sight sight)
            throws BigtableException, InterruptedException {
        boolean mayBeGone = active.isPresent() && !active.get().contains(tableId);
        // The pass may be older than the table, or than its coming back, or its file was damaged: the catalogue has the
        // last word.
        if (mayBeGone && active(tableId).isEmpty()) {
            kind.forget(tableId);
            log.info("table {}: {} ends, it is dropped", tableId, kind);
            return;
        }
        Set<TabletId> seen =
                tablets.map(all -> all.getOrDefault(tableId, Set.of())).orElse(Set.of());
        if (!seen.isEmpty() && kind.look(tableId, seen, sight)) {
            kind.done(tableId);
            log.info("table {}: {} is done", tableId, kind);
        }
    }
}
