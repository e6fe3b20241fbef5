package bt.master;

import bt.base.BigtableException;
import bt.base.Scheduler;
import bt.master.Balance.Server;
import bt.master.Balance.Step;
import bt.master.Balance.Weighed;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataSchema;
import bt.metadata.MetadataTable;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.record.Phase;
import bt.record.TabletReport;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does what {@link Relief} says, and otherwise {@link Balance}, slowly: a look now and then, while everything is served that can be; two moves of each server at a time,
 * those of drains among them, and in all as many as a tenth of the servers, but two at least, those of drains aside; a tablet that has moved
 * rests. Servers that drain are left out, whether they have tablets still or are only kept from getting any, and so are those that do not
 * answer or have no lock: the others need not wait for what becomes of them. METADATA's tablets are balanced among themselves, and one
 * moves at a time, while no other does but those of drains, which may go on for hours: for whoever looks for the tablets that it tells of
 * waits meanwhile; the root tablet stays where it is. Owned by the master's thread.
 */
final class Balancer {
    private static final Logger log = LoggerFactory.getLogger(Balancer.class);

    /** From a server, or to it. */
    private static final int MOVES_OF_A_SERVER = 2;

    /** Of so many servers there is one more move at a time. */
    private static final int SERVERS_PER_MOVE = 10;

    private static final long EVERY_NANOS = 10_000_000_000L;
    private static final long REST_MILLIS = 300_000;

    private final MetadataTable metadata;
    private final Moves moves;
    private final Homes homes;
    private final Scheduler scheduler;

    /** What METADATA says of a tablet that a server's report does not, as far as it is to be balanced. */
    private final Function<TabletId, Optional<KnownTablet>> rows;

    private List<Member> servers = List.of();
    private long lookedNanos;

    Balancer(
            MetadataTable metadata,
            Moves moves,
            Homes homes,
            Function<TabletId, Optional<KnownTablet>> rows,
            Scheduler scheduler) {
        this.metadata = metadata;
        this.moves = moves;
        this.homes = homes;
        this.rows = rows;
        this.scheduler = scheduler;
        this.lookedNanos = scheduler.clock().nanos();
    }

    /** Begins moves if it is time; everything is served that can be. */
    void look(Sight sight) throws BigtableException, InterruptedException {
        long now = scheduler.clock().nanos();
        if (!sight.living().equals(servers)) {
            // Who has just come is given what has no server; only then it is time to move what has one.
            servers = sight.living();
            lookedNanos = now;
        }
        long most = Math.max(MOVES_OF_A_SERVER, sight.takers().size() / SERVERS_PER_MOVE) - countOwn(sight);
        if (now - lookedNanos < EVERY_NANOS || most <= 0 || sight.takers().size() < 2) {
            return;
        }
        lookedNanos = now;
        if (moves.isOfMetadata()) {
            return;
        }
        List<Step> steps = countOwn(sight) > 0 ? List.of() : ofMetadata(sight);
        if (!steps.isEmpty()) {
            boolean unused = begin(steps, sight);
            return;
        }
        // Full servers first: they refuse writes.
        List<Relief.Server> memory = Relief.of(sight, moves.targets(), this::isMovable);
        if (!begin(Relief.plan(memory, (int) most, this::room), sight)) {
            boolean unused = begin(ofUsers(sight, memory, (int) most), sight);
        }
    }

    /** Whether one of them could be begun: what a merge has unloaded, say, does not move. */
    private boolean begin(List<Step> steps, Sight sight) throws BigtableException, InterruptedException {
        boolean begun = false;
        for (Step step : steps) {
            Optional<MetadataRow> row = metadata.read(step.tablet());
            if (row.isPresent() && moves.obstacle(row.get(), sight).isEmpty()) {
                log.info("balance: {} to {}", step.tablet(), step.to().id());
                CompletableFuture<?> unused = moves.begin(row.get(), step.to(), sight);
                begun = true;
            }
        }
        return begun;
    }

    private List<Step> ofMetadata(Sight sight) {
        return Balance.plan(
                weigh(sight, Balancer::isOfMetadata), 1, this::room, member -> true, (member, tablet) -> true);
    }

    private List<Step> ofUsers(Sight sight, List<Relief.Server> memory, int most) {
        Set<Member> nearlyFull = Relief.nearlyFull(memory);
        return Balance.plan(
                weigh(sight, Balancer::isOfUsers),
                most,
                this::room,
                member -> !sight.isFull(member) && !nearlyFull.contains(member),
                Relief.fitting(memory));
    }

    /** How many move that are not of a drain. */
    private long countOwn(Sight sight) {
        long ofDrains = sight.living().stream()
                .filter(member -> sight.draining().contains(member.id()))
                .mapToLong(moves::countFrom)
                .sum();
        return moves.size() - ofDrains;
    }

    private int room(Member server) {
        return (int) Math.max(0, MOVES_OF_A_SERVER - moves.countFrom(server) - moves.countTo(server));
    }

    private static boolean isOfMetadata(TabletId id) {
        return id.tableId() == TableSchema.METADATA_ID && !id.equals(MetadataSchema.ROOT);
    }

    private static boolean isOfUsers(TabletId id) {
        return id.tableId() != TableSchema.METADATA_ID;
    }

    /** What moves is where it goes. */
    private List<Server> weigh(Sight sight, Predicate<TabletId> which) {
        Set<String> hosts =
                sight.takers().stream().map(member -> member.address().host()).collect(Collectors.toSet());
        Map<TabletId, Member> moving = moves.targets();
        Map<Member, List<Weighed>> all = new LinkedHashMap<>();
        sight.takers().forEach(taker -> all.put(taker, new ArrayList<>()));
        Set<TabletId> counted = new HashSet<>();
        sight.answered().forEach((member, holdings) -> holdings.tablets().forEach((id, report) -> {
            List<Weighed> there = all.get(moving.getOrDefault(id, member));
            // What moves may be told of by both.
            if (there != null && which.test(id) && (!moving.containsKey(id) || counted.add(id))) {
                there.add(weigh(id, report, hosts));
            }
        }));
        return all.entrySet().stream()
                .map(taker -> new Server(taker.getKey(), taker.getValue()))
                .toList();
    }

    private Weighed weigh(TabletId id, TabletReport report, Set<String> hosts) {
        Optional<KnownTablet> row = rows.apply(id);
        return Weighed.of(
                id,
                report,
                isMovable(id, report),
                hosts.size() == 1 ? Optional.empty() : homes.of(row.flatMap(KnownTablet::largestFile), hosts));
    }

    private boolean isMovable(TabletId id, TabletReport report) {
        return rows.apply(id).filter(KnownTablet::isMovable).isPresent()
                && report.getPhase() == Phase.SERVING
                && !moves.isBegunWithin(id, REST_MILLIS);
    }
}
