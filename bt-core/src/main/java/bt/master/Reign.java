package bt.master;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Clock;
import bt.model.RowRange;
import bt.model.TabletId;
import bt.record.ClusterStatus;
import bt.record.MergeTablets;
import bt.record.QuotaStand;
import bt.record.RecoveryRequest;
import bt.record.ServerStatusRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What an active master works with, and what it saw last. Owned by the master's thread. */
final class Reign {
    private static final Logger log = LoggerFactory.getLogger(Reign.class);
    private static final int MOST_DOUBLINGS = 10;

    private final Membership membership;
    private final Poll poll;
    private final TabletImage image;
    private final TabletRoom room;
    private final ImageCheck check;
    private final Pass pass;
    private final Merges merges;
    private final TableOperations operations;
    private final TableChanges changes;
    private final ClusterReport report;
    private final ClusterStop stop;
    private final MoveCommands moves;
    private final Balancer balancer;
    private final Deaths deaths;
    private final Detours detours;
    private final Recoveries recoveries;
    private final FairShare share;
    private final Usage usage;
    private final TableWishes wishes;
    private final Bulletin bulletin;
    private final AskedSweeps sweeps;
    private final LoadFailures failures = new LoadFailures();
    private Sight sight = new Sight(List.of(), List.of(), Map.of(), Set.of());
    private int unsettled = 1;

    /** Whether another pass should follow at once. Not for tablets that are stuck: for them the cluster would stand still. */
    private boolean settling = true;

    /** Passes one after the other that had nothing to do but what METADATA did not let them do. */
    private int hinderedPasses;

    private Optional<String> problem = Optional.empty();

    Reign(
            Membership membership,
            Poll poll,
            TabletImage image,
            TabletRoom room,
            ImageCheck check,
            Pass pass,
            Merges merges,
            TableOperations operations,
            TableChanges changes,
            ClusterReport report,
            ClusterStop stop,
            MoveCommands moves,
            Balancer balancer,
            Deaths deaths,
            Detours detours,
            Recoveries recoveries,
            FairShare share,
            Usage usage,
            TableWishes wishes,
            Bulletin bulletin,
            AskedSweeps sweeps) {
        this.membership = membership;
        this.poll = poll;
        this.image = image;
        this.room = room;
        this.check = check;
        this.pass = pass;
        this.merges = merges;
        this.operations = operations;
        this.changes = changes;
        this.report = report;
        this.stop = stop;
        this.moves = moves;
        this.balancer = balancer;
        this.deaths = deaths;
        this.detours = detours;
        this.recoveries = recoveries;
        this.share = share;
        this.usage = usage;
        this.wishes = wishes;
        this.bulletin = bulletin;
        this.sweeps = sweeps;
    }

    TableOperations operations() {
        return operations;
    }

    TableChanges changes() {
        return changes;
    }

    /** What the last look at the servers saw. */
    Sight sight() {
        return sight;
    }

    /** Answers what concerns moves, deaths, recoveries, sweeps and work on tables, when it has come so far; empty for any other message. */
    Optional<CompletableFuture<? extends SpecificRecord>> begin(SpecificRecord message, String host)
            throws BigtableException, InterruptedException {
        Optional<SpecificRecord> heard = deaths.hear(message);
        if (heard.isPresent()) {
            return Optional.of(CompletableFuture.completedFuture(heard.get()));
        }
        Optional<SpecificRecord> working = wishes.hear(message, new WorkSight(pass.tablets(), sight, this::whyOffline));
        if (working.isPresent()) {
            return Optional.of(CompletableFuture.completedFuture(working.get()));
        }
        Optional<SpecificRecord> sweeping = sweeps.hear(message);
        if (sweeping.isPresent()) {
            return Optional.of(CompletableFuture.completedFuture(sweeping.get()));
        }
        if (message instanceof RecoveryRequest) {
            return Optional.of(recoveries.report());
        }
        return moves.begin(message, host, sight);
    }

    /** Of a tablet that no server serves. One that a pass has not missed may have been on its way for a moment. */
    private Optional<String> whyOffline(TabletId tablet) {
        Optional<String> failure = failures.of(tablet);
        return failure.isPresent() || !pass.isUnsettled(tablet) ? failure : Optional.of("no server has it yet");
    }

    /** Of somebody at this host who waits for it, and who is not to wait for a table that is dropped: REJECTED. */
    void merge(MergeTablets wish, String host) throws BigtableException {
        Merges.checkIsOfUsers(wish.getTableId());
        wishes.checkExists(wish.getTableId());
        Merges.checkRoom(sight);
        merges.wish(
                wish.getTableId(), RowRange.of(AvroBytes.bytes(wish.getFrom()), AvroBytes.bytes(wish.getTo())), host);
    }

    /**
     * Looks at the servers; true if a pass should follow, because others live or answer than before, a move has failed, or a tablet was
     * handed back that goes to nobody else.
     */
    boolean look(long masterEpoch) throws BigtableException, InterruptedException {
        Membership.Roll roll = membership.call();
        boolean changed = !roll.living().equals(sight.living());
        if (!roll.living().containsAll(sight.living())) {
            // Those who wait for what it had come before all else.
            settling = true;
            check.hurry();
        }
        List<QuotaStand> stands = usage.stands();
        // Those that split because they have grown bring little, and do it as fast as somebody writes.
        long busy = room.isFull() ? 0 : share.perMinute(sight);
        long busyOfMetadata = share.ofMetadataPerMinute(sight);
        @Nullable String noRoom = room.problem().orElse(null);
        List<Long> closing = recoveries.beingClosed();
        deaths.asking();
        Map<Member, Poll.Holdings> answered = poll.ask(
                roll.living(),
                member -> new ServerStatusRequest(
                        masterEpoch,
                        stands,
                        busy,
                        usage.heardReport(member),
                        closing,
                        wishes.toldCompactions(),
                        wishes.toldFlushes(),
                        poll.heardList(member),
                        busyOfMetadata,
                        noRoom));
        changed |= !sight.answered().keySet().containsAll(answered.keySet());
        sight = new Sight(roll.living(), roll.unlocked(), answered, moves.draining(), poll.heard());
        image.heard(sight);
        changed |= sight.left().stream().anyMatch(tablet -> !moves.isMoving(tablet));
        failures.saw(sight);
        if (pass.sawAll()) {
            failures.keepUnsettled(pass);
        }
        boolean failed = moves.look(sight);
        failed |= deaths.look(sight);
        if (!settling && pass.changedAll()) {
            balancer.look(sight);
        }
        boolean settled = !settling && pass.sawAll();
        pass.tables().ifPresent(tables -> usage.look(tables, pass.tablets(), sight, settled, pass.readAllTables()));
        wishes.look(pass.tables().map(Map::keySet), settled ? Optional.of(pass.tablets()) : Optional.empty(), sight);
        sweeps.look();
        bulletin.look(sight, report(), pass.tables().map(Map::size).orElse(0));
        return changed || failed;
    }

    /** Whether some tablet is on its way from one server to another. */
    boolean isMoving() {
        return moves.isMoving();
    }

    /** Whether some server has its file and not its lock yet: it is coming up, or is declared dead with a later look. */
    boolean awaitsServer() {
        return !sight.unlocked().isEmpty();
    }

    boolean needsPass() {
        return settling || pass.isToFollow() || (image.isWhole() && check.isUrgent());
    }

    void pass() throws BigtableException, InterruptedException {
        unsettled = Math.max(1, unsettled);
        boolean tabletsWait = settling;
        settling = true;
        unsettled = pass.run(sight, tabletsWait);
        if (pass.sawAll()) {
            failures.keepUnsettled(pass);
        }
        settling = unsettled > pass.stuck() + pass.hindered();
        if (!settling) {
            merges.settled();
        }
        hinderedPasses = settling || pass.hindered() == 0 ? 0 : hinderedPasses + 1;
        problem = Optional.empty();
    }

    /** How long after a pass the next one is due though nothing has happened: where METADATA hinders them, ever longer. */
    long restMillis(long leastMillis, long mostMillis) {
        return hinderedPasses == 0
                ? mostMillis
                : Math.min(mostMillis, leastMillis << Math.min(hinderedPasses, MOST_DOUBLINGS));
    }

    /** Whether the last pass could read all of METADATA. */
    boolean metadataIsServed() {
        return pass.sawAll();
    }

    /** Said once, not with every loop: whoever waits for a lease to end has nothing new to tell. */
    void passFailed(BigtableException why) {
        unsettled = Math.max(1, unsettled);
        settling = true;
        if (problem.isEmpty()) {
            log.warn("pass: {}", why.getMessage());
        }
        problem = Optional.of(why.getMessage());
    }

    ClusterStatus report() {
        List<String> problems = new ArrayList<>(pass.problems());
        problem.ifPresent(problems::add);
        problems.addAll(recoveries.problems());
        problems.addAll(failures.problems(pass::name));
        problems.addAll(membership.problems());
        problems.addAll(detours.problems());
        problems.addAll(usage.problems());
        room.problem().ifPresent(problems::add);
        return report.of(sight, unsettled, problems);
    }

    /** With each look {@code told} is told what is left. */
    void stopServers(Clock clock, Consumer<ClusterStatus> told) throws InterruptedException {
        StopLooks.Ports ports = new StopLooks.Ports(membership, poll, report.masterEpoch(), clock);
        stop.run(new StopLooks(ports, sight, (stage, seen) -> told.accept(stopping(stage, seen))));
    }

    /** What passes found wrong is of no interest any more; what servers tell of themselves may be in the way. */
    private ClusterStatus stopping(String stage, Sight seen) {
        return report.of(seen, unsettled, List.of("the cluster is being stopped: " + stage));
    }
}
