package bt.master;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.RejectedException;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.master.Balance.Server;
import bt.master.Balance.Weighed;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataSchema;
import bt.metadata.MetadataTable;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.record.Phase;
import bt.record.ServerDraining;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Servers that are to be left without tablets: before they stop, or because an operator wants so. They are given none, and
 * what they have is moved away, where many can take it a few tablets at a time, each to another: two that leave one server, or come to one,
 * are each without service for longer. METADATA's go one after the other, for whoever looks up what they tell of waits meanwhile. What could not be loaded there is not waited for: nobody serves
 * it, and a pass gives it to another server if one may load it. Nor are tablets of a table whose file is damaged, which no
 * other server could load: they stay while the server lives. The wish lies in the lock service, so the next master knows it,
 * and goes with the server. Owned by the master's thread.
 */
final class Drains {
    private static final Logger log = LoggerFactory.getLogger(Drains.class);

    /** Of few servers each has a good part of what there is to do, and a second move would cost the tablets more than it saves the drain. */
    private static final int TAKERS_PER_MOVE = 4;

    /** Tablets of users first: each row of theirs is in METADATA, whose tablets must be there until they have moved. */
    private static final List<Predicate<TabletId>> LEVELS =
            List.of(Drains::isOfUsers, tablet -> !tablet.equals(MetadataSchema.ROOT), tablet -> true);

    private final LockService locks;
    private final MetadataTable metadata;
    private final Moves moves;
    private final Catalogue catalogue;
    private final int mostMoves;
    private final Set<String> ids = new TreeSet<>();

    private Drains(LockService locks, MetadataTable metadata, Moves moves, Catalogue catalogue, int mostMoves) {
        this.locks = locks;
        this.metadata = metadata;
        this.moves = moves;
        this.catalogue = catalogue;
        this.mostMoves = mostMoves;
    }

    /** With what an earlier master was asked for. From one server so many tablets of users are moved at a time, at most. */
    static Drains load(LockService locks, MetadataTable metadata, Moves moves, Catalogue catalogue, int mostMoves)
            throws BigtableException {
        Drains drains = new Drains(locks, metadata, moves, catalogue, mostMoves);
        drains.ids.addAll(locks.children(Paths.DRAINING));
        return drains;
    }

    /** The ids of the servers. */
    Set<String> ids() {
        return Set.copyOf(ids);
    }

    /** How many tablets the server still has. REJECTED when nobody could take them. */
    ServerDraining begin(Member member, Sight sight) throws BigtableException {
        if (!ids.contains(member.id())) {
            if (sight.takers().stream().allMatch(member::equals)) {
                throw new RejectedException(
                        member.id() + " cannot be drained: no other server takes tablets",
                        "start another, or let one that drains take them again");
            }
            if (sight.takers().stream().allMatch(taker -> taker.equals(member) || sight.isOverfull(taker))) {
                throw new RejectedException(
                        member.id() + " cannot be drained: no other server has memory for more tablets",
                        Sight.TO_MAKE_ROOM);
            }
            if (locks.read(Paths.draining(member.id())).isEmpty()) {
                locks.create(Paths.draining(member.id()), Bytes.EMPTY);
            }
            ids.add(member.id());
            log.info("{} drains", member.id());
        }
        Poll.Holdings held = sight.heard().get(member);
        if (held == null) {
            return new ServerDraining(1, 0, false);
        }
        int movable = movable(held).size();
        int leaving = held.leavingInAll();
        // Who does not answer has some, as far as we know.
        int least = sight.answered().containsKey(member) ? 0 : 1;
        return new ServerDraining(
                Math.max(least, movable + leaving),
                countFailed(held, sight) + held.held().size() - movable,
                true);
    }

    private List<TabletId> movable(Poll.Holdings held) {
        return held.held().stream()
                .filter(tablet -> catalogue.damage(tablet.tableId()).isEmpty())
                .toList();
    }

    /** What the server could not load and no other one has. */
    private static int countFailed(Poll.Holdings held, Sight sight) {
        Set<TabletId> failed = new HashSet<>(held.tablets().keySet());
        failed.removeAll(held.held());
        sight.answered().values().forEach(holdings -> failed.removeAll(holdings.held()));
        return failed.size();
    }

    void undo(Member member) throws BigtableException {
        locks.delete(Paths.draining(member.id()));
        if (ids.remove(member.id())) {
            log.info("{} drains no more", member.id());
        }
    }

    /** Begins the moves that are next, and forgets servers that are gone. */
    void look(Sight sight) throws BigtableException, InterruptedException {
        for (String id : List.copyOf(ids)) {
            Optional<Member> member = sight.find(id);
            if (member.isPresent()) {
                drain(member.get(), sight);
            } else if (!sight.isRegistered(id)) {
                locks.delete(Paths.draining(id));
                ids.remove(id);
            }
        }
    }

    private void drain(Member member, Sight sight) throws BigtableException, InterruptedException {
        Poll.Holdings held = sight.answered().get(member);
        if (held == null || sight.takers().isEmpty()) {
            return;
        }
        for (Predicate<TabletId> level : LEVELS) {
            List<TabletId> left = movable(held).stream().filter(level).sorted().toList();
            boolean begun = false;
            for (TabletId tablet : left) {
                if (!mayMoveOneMore(member, tablet, sight)) {
                    break;
                }
                boolean served = sight.report(member, tablet)
                        .filter(report -> report.getPhase() == Phase.SERVING)
                        .isPresent();
                if (served && moves.mayBegin(tablet)) {
                    begun |= move(tablet, sight);
                }
            }
            // What cannot be moved now, because it cannot be written say, is no reason to keep the next level.
            if (begun || moves.countFrom(member) > 0) {
                return;
            }
        }
    }

    private static boolean isOfUsers(TabletId tablet) {
        return tablet.tableId() != TableSchema.METADATA_ID;
    }

    /** Where each that could take one has one coming, one at a time all the same: others that drain may have most of them. */
    private boolean mayMoveOneMore(Member source, TabletId tablet, Sight sight) {
        long underWay = moves.countFrom(source);
        List<Member> takers = takers(tablet, sight);
        int most = isOfUsers(tablet) ? Math.min(mostMoves, takers.size() / TAKERS_PER_MOVE) : 1;
        return !takers.isEmpty()
                && (underWay == 0 || (underWay < most && takers.stream().anyMatch(this::takesNone)));
    }

    /** METADATA's are loaded by whoever is given them. */
    private static List<Member> takers(TabletId tablet, Sight sight) {
        return isOfUsers(tablet) ? sight.takersOfServed() : sight.takers();
    }

    private boolean takesNone(Member taker) {
        return moves.countTo(taker) == 0;
    }

    /** Whether it is on its way now. */
    private boolean move(TabletId tablet, Sight sight) throws BigtableException, InterruptedException {
        Optional<MetadataRow> row = read(tablet);
        if (row.isEmpty() || moves.obstacle(row.get(), sight).isPresent()) {
            return false;
        }
        List<Server> takers = loaded(takers(tablet, sight), sight);
        Member target = Balance.leastLoaded(takers, this::takesNone)
                .or(() -> Balance.leastLoaded(takers, taker -> true))
                .orElseThrow();
        CompletableFuture<?> unused = moves.begin(row.get(), target, sight);
        return moves.isUnderWay(tablet);
    }

    /** With what they have, or will have when the moves under way have ended. */
    private List<Server> loaded(List<Member> members, Sight sight) {
        Map<TabletId, Member> moving = moves.targets();
        Map<Member, List<Weighed>> tablets = new LinkedHashMap<>();
        members.forEach(taker -> tablets.put(taker, new ArrayList<>()));
        Set<TabletId> counted = new HashSet<>();
        sight.answered().forEach((member, holdings) -> holdings.tablets().forEach((id, report) -> {
            List<Weighed> there = tablets.get(moving.getOrDefault(id, member));
            // What moves may be told of by both.
            if (there != null && (!moving.containsKey(id) || counted.add(id))) {
                there.add(Weighed.of(id, report, false, Optional.empty()));
            }
        }));
        return tablets.entrySet().stream()
                .map(taker -> new Server(taker.getKey(), taker.getValue()))
                .toList();
    }

    /** Empty also where the row is damaged: the tablet stays, and every pass tells why. */
    private Optional<MetadataRow> read(TabletId tablet) throws BigtableException, InterruptedException {
        try {
            return metadata.read(tablet);
        } catch (CorruptionException damaged) {
            // Thrown on, it would keep the master from every pass for as long as the drain lasts.
            log.debug("drains: {}", damaged.getMessage());
            return Optional.empty();
        }
    }
}
