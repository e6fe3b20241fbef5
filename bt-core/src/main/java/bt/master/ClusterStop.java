package bt.master;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Deadline;
import bt.base.Dwindling;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.metadata.MetadataSchema;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Answer;
import bt.protocol.Network;
import bt.protocol.Request;
import bt.record.StopProcess;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a cluster in the order in which nothing is left to recovery: the tablets of users are handed back by all servers,
 * then METADATA's, then the root tablet, and only then do servers end. Who hands a tablet back writes METADATA, so each
 * level must be there until the one below is done, wherever its tablets lie. What a server holds that does not answer nobody
 * knows, so it is waited for; when a level was given up for it, not in the next. The master's thread, once.
 */
final class ClusterStop {
    private static final Logger log = LoggerFactory.getLogger(ClusterStop.class);

    /** For so long none may be handed back. */
    private static final long STOP_MILLIS = 60_000;

    private static final long MOST_MILLIS = 3_600_000;
    private static final long LOOK_MILLIS = 100;
    private static final long AWAIT_MILLIS = 1_000;

    private final Network network;
    private final Scheduler scheduler;
    private final MasterConfig config;
    private final TabletOrders orders;

    /** Who did not answer when they were asked last, and is waited for. */
    private List<Member> silent = List.of();

    /** They were silent when a level was given up. */
    private final Set<Member> hung = new HashSet<>();

    ClusterStop(Network network, Scheduler scheduler, MasterConfig config, TabletOrders orders) {
        this.network = network;
        this.scheduler = scheduler;
        this.config = config;
        this.orders = orders;
    }

    void run(StopLooks looks) throws InterruptedException {
        Level metadata = new Level(
                "METADATA",
                tablet -> tablet.tableId() == TableSchema.METADATA_ID && !tablet.equals(MetadataSchema.ROOT));
        unload(new Level("users", tablet -> tablet.tableId() != TableSchema.METADATA_ID), looks);
        unload(metadata, looks);
        unload(new Level("root", tablet -> tablet.equals(MetadataSchema.ROOT)), looks);
        end(looks);
    }

    /**
     * Asks until nobody holds a tablet of the level: one that is still being loaded must be served before it can be handed
     * back, and what the master saw before may be older than a load that it began itself. One that its server has given up, and METADATA
     * does not know to have left, needs the level above as well.
     */
    private void unload(Level level, StopLooks looks) throws InterruptedException {
        looks.begin("tablets of " + level.name() + " are handed back");
        Departures departures = new Departures(
                level.tablets(),
                new Dwindling(scheduler.clock(), STOP_MILLIS, Deadline.after(scheduler.clock(), MOST_MILLIS)));
        for (Optional<BigtableException> failure = unloadOnce(departures, looks);
                failure.isPresent();
                failure = unloadOnce(departures, looks)) {
            if (departures.isOver()) {
                log.warn(
                        "tablets of {} are handed back no more, or too slowly, and are left to recovery: {}",
                        level.name(),
                        failure.get().getMessage());
                hung.addAll(silent);
                return;
            }
            scheduler.pause(LOOK_MILLIS);
        }
    }

    /** Empty when all of it is handed back; otherwise something that was in the way. */
    private Optional<BigtableException> unloadOnce(Departures departures, StopLooks looks) throws InterruptedException {
        try {
            Sight seen = looks.look();
            departures.saw(seen);
            Map<Member, Poll.Holdings> answered = seen.answered();
            silent = seen.living().stream()
                    .filter(member -> !answered.containsKey(member) && !hung.contains(member))
                    .toList();
            List<Asked> asked = new ArrayList<>();
            answered.forEach((member, holdings) -> holdings.tablets().keySet().stream()
                    .filter(departures::concern)
                    .forEach(tablet -> asked.add(
                            new Asked(tablet, member, orders.unload(tablet, member, true, null, STOP_MILLIS)))));
            Optional<BigtableException> failure = awaitAll(asked, departures, looks);
            return failure.or(() -> undecided(answered, departures))
                    .or(() -> unnamed(answered, departures))
                    .or(this::unknown);
        } catch (BigtableException inTheWay) {
            return Optional.of(inTheWay);
        }
    }

    /** A tablet on its way out, by its server's word. */
    private record Asked(TabletId tablet, Member server, CompletableFuture<Answer> answer) {}

    private static Optional<BigtableException> undecided(Map<Member, Poll.Holdings> answered, Departures departures) {
        return answered.entrySet().stream()
                .flatMap(server -> server.getValue().leaving().stream()
                        .filter(departures::concern)
                        .map(tablet -> (BigtableException) new UnavailableException(
                                tablet.inWords() + " is given up by "
                                        + server.getKey().id() + ", and METADATA does not say that it has left",
                                Outcome.NOT_APPLIED)))
                .findFirst();
    }

    private static Optional<BigtableException> unnamed(Map<Member, Poll.Holdings> answered, Departures departures) {
        return answered.entrySet().stream()
                .filter(server -> departures.concernUnnamed(server.getValue()))
                .map(server -> (BigtableException) new UnavailableException(
                        server.getKey().id() + " has given up "
                                + server.getValue().leavingInAll()
                                + " tablets, more than it names, and METADATA does not say that they have left",
                        Outcome.NOT_APPLIED))
                .findFirst();
    }

    private Optional<BigtableException> unknown() {
        return silent.stream()
                .findFirst()
                .map(first -> new UnavailableException(
                        first.id() + ", one of " + silent.size() + ", does not answer: what it holds is not known",
                        Outcome.NOT_APPLIED));
    }

    /** All of them: who hands back still needs the level above. The first failure. */
    private Optional<BigtableException> awaitAll(List<Asked> asked, Departures departures, StopLooks looks)
            throws InterruptedException {
        Optional<BigtableException> first = Optional.empty();
        for (Asked one : asked) {
            try {
                await(one.answer(), departures, looks);
                departures.left(one.tablet(), one.server());
            } catch (BigtableException inTheWay) {
                first = first.or(() -> Optional.of(inTheWay));
            }
        }
        return first;
    }

    /** In the time of several looks, which see what others hand back meanwhile. */
    private void await(CompletableFuture<Answer> one, Departures departures, StopLooks looks)
            throws BigtableException, InterruptedException {
        while (true) {
            looks.lookForOthers().ifPresent(departures::saw);
            try {
                scheduler.await(
                        one, Math.min(AWAIT_MILLIS, departures.deadline().leftMillis()));
                return;
            } catch (BigtableException failed) {
                if (one.isDone() || departures.isOver()) {
                    throw failed;
                }
            }
        }
    }

    /** Asks every server to end, again and again: its answer may be lost, and a server may just have come up. */
    private void end(StopLooks looks) throws InterruptedException {
        looks.begin("tablet servers end");
        Deadline deadline = Deadline.after(scheduler.clock(), STOP_MILLIS);
        Request stop = new Request.Control(new StopProcess("the cluster stops", orders.masterEpoch()));
        Set<Member> told = new HashSet<>();
        List<Member> left = List.of();
        while (!deadline.isOver()) {
            try {
                left = looks.living();
                if (left.isEmpty()) {
                    return;
                }
                tell(left.stream().filter(member -> !told.contains(member)).toList(), stop, told);
            } catch (BigtableException unknown) {
                log.warn("stop: {}", unknown.getMessage());
            }
            scheduler.pause(LOOK_MILLIS);
        }
        log.warn("{} have not stopped within {} ms: their logs stay for the next start", left, STOP_MILLIS);
    }

    /** All at once, so that one that hangs keeps nobody else from hearing it. */
    private void tell(List<Member> servers, Request stop, Set<Member> told) throws InterruptedException {
        Map<Member, CompletableFuture<Answer>> answers = new LinkedHashMap<>();
        servers.forEach(member -> answers.put(member, network.send(member.address(), stop, config.requestMillis())));
        for (Map.Entry<Member, CompletableFuture<Answer>> answer : answers.entrySet()) {
            try {
                scheduler.await(answer.getValue(), config.requestMillis());
                told.add(answer.getKey());
            } catch (BigtableException unknown) {
                log.warn("stop: {}", unknown.getMessage());
            }
        }
    }

    private record Level(String name, Predicate<TabletId> tablets) {}
}
