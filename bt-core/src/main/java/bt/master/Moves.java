package bt.master;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.CorruptionException;
import bt.base.Failures;
import bt.base.OverloadedException;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.metadata.TabletStates;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.record.Phase;
import bt.record.TabletLocation;
import bt.record.TabletReport;
import bt.record.TabletState;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tablets on their way from one living server to another. The source writes the memtable to files while it serves, stops,
 * writes what little came since, and names the target in METADATA with the mutation that gives the tablet up; so the
 * target replays nothing, and should the master die in between, the next one sees a load to be repeated. Owned by the
 * master's thread.
 */
final class Moves {
    private static final Logger log = LoggerFactory.getLogger(Moves.class);

    /** Most of it is the first minor compaction, during which the tablet is served. */
    private static final long MOVE_MILLIS = 120_000;

    private static final long REPEAT_NANOS = 1_000_000_000L;
    private static final long PAUSE_MILLIS = 5_000;
    private static final long REMEMBERED_MILLIS = 600_000;

    private final MetadataTable metadata;
    private final Scheduler scheduler;
    private final TabletOrders orders;
    private final Predicate<MetadataRow> isToBeMerged;
    private final Catalogue catalogue;
    private final Runnable wake;
    private final Map<TabletId, Move> moves = new LinkedHashMap<>();

    /** When a move of a tablet was last begun, where that is not long ago. */
    private final Map<TabletId, Long> begun = new HashMap<>();

    /** Seen by this look: one that waited for METADATA in vain is enough. */
    private boolean metadataFails;

    /** {@code wake} makes the master look again; any thread may call it. */
    Moves(
            MetadataTable metadata,
            Scheduler scheduler,
            TabletOrders orders,
            Predicate<MetadataRow> isToBeMerged,
            Catalogue catalogue,
            Runnable wake) {
        this.metadata = metadata;
        this.scheduler = scheduler;
        this.orders = orders;
        this.isToBeMerged = isToBeMerged;
        this.catalogue = catalogue;
        this.wake = wake;
    }

    /** How many are under way. */
    int size() {
        return moves.size();
    }

    /** Whether one of METADATA's tablets is under way. */
    boolean isOfMetadata() {
        return moves.keySet().stream().anyMatch(id -> id.tableId() == TableSchema.METADATA_ID);
    }

    /** Whether the tablet is. */
    boolean isUnderWay(TabletId tablet) {
        return moves.containsKey(tablet);
    }

    /** Where those go that are under way. */
    Map<TabletId, Member> targets() {
        Map<TabletId, Member> targets = new HashMap<>();
        moves.forEach((id, move) -> targets.put(id, move.target));
        return targets;
    }

    /** How many are leaving the server. */
    long countFrom(Member source) {
        return moves.values().stream()
                .filter(move -> move.row.location().getEpoch() == source.epoch())
                .count();
    }

    /** How many are coming to the server. */
    long countTo(Member target) {
        return moves.values().stream()
                .filter(move -> move.target.equals(target))
                .count();
    }

    /** False while it moves, and for a while after a move was begun: one that failed is not begun again at once. */
    boolean mayBegin(TabletId tablet) {
        return !moves.containsKey(tablet) && !isBegunWithin(tablet, PAUSE_MILLIS);
    }

    boolean isBegunWithin(TabletId tablet, long millis) {
        Long last = begun.get(tablet);
        return last != null && scheduler.clock().nanos() - last < millis * 1_000_000;
    }

    /** Why a tablet cannot be moved as it is now; empty when it can. */
    Optional<String> obstacle(MetadataRow row, Sight sight) {
        TabletState state = row.state();
        if (row.location().getPhase() != Phase.SERVING
                || sight.holder(row.location()).isEmpty()) {
            return Optional.of("it is not served now");
        }
        Optional<TabletReport> failed = sight.holder(row.location())
                .flatMap(holder -> sight.report(holder, row.id()))
                .filter(report -> report.getFailure() != null);
        if (failed.isPresent()) {
            // Asked to give it up, it would forget that it never served it, and end for a tablet that it has lost.
            return Optional.of("its server could not load it: " + failed.get().getFailure());
        }
        if (!state.getLogs().isEmpty()) {
            return Optional.of("it is being recovered");
        }
        Optional<CorruptionException> damage = catalogue.damage(row.id().tableId());
        if (damage.isPresent()) {
            return damage.map(damaged -> "no other server could load it: " + damaged.getMessage());
        }
        // A merge has it unloaded to nobody: who asked then to have it unloaded to a server would wait in vain.
        return TabletStates.isHalfDone(state) || isToBeMerged.test(row)
                ? Optional.of("a split or merge of it is not completed")
                : Optional.empty();
    }

    /** Completes once the target serves the tablet; whoever wants the same move joins. */
    CompletableFuture<Void> begin(MetadataRow row, Member target, Sight sight) throws BigtableException {
        TabletId id = row.id();
        Move before = moves.get(id);
        if (before != null) {
            if (before.target.equals(target)) {
                return before.done;
            }
            // That ends by itself: whoever wants another target tries again.
            throw new UnavailableException(
                    id.inWords() + " is on its way to " + before.target.id(), Outcome.NOT_APPLIED);
        }
        if (row.location().getPhase() == Phase.SERVING
                && sight.holder(row.location()).equals(Optional.of(target))) {
            return CompletableFuture.completedFuture(null);
        }
        Optional<String> obstacle = obstacle(row, sight);
        if (obstacle.isPresent()) {
            throw new UnavailableException(id.inWords() + " cannot be moved: " + obstacle.get(), Outcome.NOT_APPLIED);
        }
        Move move = new Move(row, target, scheduler.clock().nanos());
        moves.put(id, move);
        begun.keySet().removeIf(tablet -> !isBegunWithin(tablet, REMEMBERED_MILLIS));
        begun.put(id, scheduler.clock().nanos());
        log.info("{} moves from {} to {}", id, row.location().getServer(), target.id());
        unload(move, sight.holder(row.location()).orElseThrow());
        return move.done;
    }

    /** Sees how far each has come; true when one has not ended as it should. */
    boolean look(Sight sight) throws BigtableException, InterruptedException {
        boolean failed = false;
        metadataFails = false;
        for (Iterator<Move> all = moves.values().iterator(); all.hasNext(); ) {
            Move move = all.next();
            follow(move, sight);
            if (move.done.isDone()) {
                all.remove();
                failed |= move.done.isCompletedExceptionally();
            }
        }
        return failed;
    }

    private void follow(Move move, Sight sight) throws BigtableException, InterruptedException {
        long now = scheduler.clock().nanos();
        Optional<TabletReport> there = sight.report(move.target, move.row.id());
        if (move.refusal.isPresent()) {
            fail(move, move.refusal.get());
        } else if (there.isPresent() && there.get().getPhase() == Phase.SERVING) {
            move.done.complete(null);
        } else if (move.loadSeen && there.isPresent() && there.get().getFailure() != null) {
            fail(move, move.target.id() + " could not load it: " + there.get().getFailure());
        } else if (!sight.living().contains(move.target) || now - move.sinceNanos > MOVE_MILLIS * 1_000_000) {
            fail(move, move.target.id() + " does not serve it");
        } else if (move.left && there.isEmpty() && now - move.askedNanos > REPEAT_NANOS) {
            if (move.repeated && sight.answered().containsKey(move.target) && !isGivenToTarget(move)) {
                fail(move, "it went another way");
            } else {
                load(move);
                move.repeated = true;
            }
        }
        // What a server says of an earlier load that failed must not be taken for this one.
        move.loadSeen = move.loadBegun;
    }

    /**
     * Whether METADATA still names the target, which has answered that it has not the tablet. The tablet may have left for
     * somebody else, if its server was asked to unload it before we asked, or have left the target again since. True as long
     * as METADATA cannot be read.
     */
    private boolean isGivenToTarget(Move move) throws BigtableException, InterruptedException {
        if (metadataFails) {
            return true;
        }
        try {
            return metadata.read(move.row.id())
                    .map(MetadataRow::location)
                    .filter(location -> location.getEpoch() == move.target.epoch())
                    .isPresent();
        } catch (UnavailableException | OverloadedException unread) {
            log.debug("moves: {}", unread.getMessage());
            metadataFails = true;
            return true;
        } catch (CorruptionException damaged) {
            // Thrown on, it would keep the master from every pass for as long as the move lasts.
            log.warn("moves: {}", damaged.getMessage());
            return false;
        }
    }

    private static void fail(Move move, String why) {
        log.warn("{} was to move to {}: {}", move.row.id(), move.target.id(), why);
        move.done.completeExceptionally(
                new UnavailableException(move.row.id().inWords() + " was to move: " + why, Outcome.UNKNOWN));
    }

    private void unload(Move move, Member source) {
        Member target = move.target;
        TabletLocation next =
                new TabletLocation(Phase.LOADING, target.id(), target.address().toString(), target.epoch());
        CompletableFuture<?> unused = orders.unload(move.row.id(), source, true, next, MOVE_MILLIS)
                .whenComplete((answer, failure) -> {
                    if (failure == null) {
                        // Not by way of the master's thread: nobody serves the tablet now.
                        load(move);
                        move.left = true;
                    } else {
                        move.refusal = Optional.of(Failures.unwrap(failure).toString());
                    }
                    wake.run();
                });
    }

    /** Any thread. A lost one is repeated, one too many does no harm. */
    private void load(Move move) {
        move.askedNanos = scheduler.clock().nanos();
        CompletableFuture<?> unused = orders.load(move.row, move.target).thenAccept(begun -> move.loadBegun = true);
    }

    private static final class Move {
        private final MetadataRow row;
        private final Member target;
        private final long sinceNanos;
        private final CompletableFuture<Void> done = new CompletableFuture<>();
        private volatile boolean left;
        private volatile Optional<String> refusal = Optional.empty();
        private volatile long askedNanos;
        private volatile boolean loadBegun;
        private boolean loadSeen;
        private boolean repeated;

        private Move(MetadataRow row, Member target, long sinceNanos) {
            this.row = row;
            this.target = target;
            this.sinceNanos = sinceNanos;
            this.askedNanos = sinceNanos;
        }
    }
}
