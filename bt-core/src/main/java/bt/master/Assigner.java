package bt.master;

import bt.base.FencedException;
import bt.base.Scheduler;
import bt.metadata.MetadataRow;
import bt.metadata.TabletStates;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.record.Phase;
import bt.record.TabletLocation;
import bt.record.TabletReport;
import bt.record.TabletState;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives tablets to servers. METADATA is written first and says who loads; only then is that server asked, so a lost
 * request is repeated and a lost answer does no harm. Owned by the master's thread, which decides; {@link AssignmentWrites}
 * writes.
 */
final class Assigner {
    private static final Logger log = LoggerFactory.getLogger(Assigner.class);

    /** How long an attempt may take before it is repeated. */
    private static final long REPEAT_NANOS = 1_000_000_000L;

    /** The version with which a table came back that never was away. */
    static final long NEVER_DROPPED = 0;

    private final Scheduler scheduler;
    private final Graves graves;
    private final Homes homes;
    private final MasterConfig config;
    private final TabletOrders orders;
    private final AssignmentWrites writes;
    private final Setbacks setbacks = new Setbacks();
    private final Absences absences = new Absences();
    private final Map<TabletId, Long> attempts = new HashMap<>();

    /** Those that were asked for what they do not tell of. */
    private final FewAMinute mayEnd = new FewAMinute();

    private final Map<Long, Integer> given = new HashMap<>();

    /** Those that live and do not answer, since the first pass that saw that. */
    private final Map<Member, Long> silentSince = new HashMap<>();

    private List<Member> living = List.of();

    Assigner(
            Scheduler scheduler,
            Graves graves,
            Homes homes,
            MasterConfig config,
            TabletOrders orders,
            AssignmentWrites writes) {
        this.scheduler = scheduler;
        this.graves = graves;
        this.homes = homes;
        this.config = config;
        this.orders = orders;
        this.writes = writes;
    }

    /** Counts anew how many tablets each server has, and looks whether others live: before the rows of a pass are settled. */
    void begin(Sight sight) throws FencedException, InterruptedException {
        // What a pass that failed in the middle had begun.
        finish();
        given.clear();
        sight.answered()
                .forEach((member, holdings) ->
                        given.put(member.epoch(), holdings.tablets().size()));
        attempts.keySet().removeIf(tablet -> !isRecent(tablet));
        if (!sight.living().equals(living)) {
            living = sight.living();
            setbacks.othersLive(
                    living.stream().map(Member::epoch).collect(Collectors.toSet()),
                    scheduler.clock().nanos());
        }
        silentSince.keySet().retainAll(living);
        silentSince.keySet().removeAll(sight.answered().keySet());
        living.stream()
                .filter(member -> !sight.answered().containsKey(member))
                .forEach(member ->
                        silentSince.putIfAbsent(member, scheduler.clock().nanos()));
        setbacks.forgetGone(scheduler.clock().nanos());
        absences.begin(sight, scheduler.clock().nanos());
    }

    /** Whether a server, asked once more, may tell another thing of a tablet than in this pass: it may just give that up. */
    boolean missesSome() {
        return absences.hasBegun();
    }

    /** Whether the tablet is served, as far as its row and its server tell. Asks for nothing. */
    boolean isServed(MetadataRow row, Sight sight) {
        return row.location().getPhase() == Phase.SERVING
                && sight.holder(row.location())
                        .filter(holder -> failure(row, holder, sight).isEmpty()
                                && !absences.isAbsent(
                                        row, holder, scheduler.clock().nanos()))
                        .isPresent();
    }

    /** Finds out where the blocks of those are that are to be given to somebody: for all of a level at a time. */
    void seek(List<MetadataRow> rows, Sight sight) throws InterruptedException {
        if (hosts(sight.takersOfUnserved()).size() <= 1) {
            return;
        }
        homes.ask(rows.stream()
                .filter(row -> sight.holder(row.location()).isEmpty())
                .flatMap(row -> Homes.largestFile(row.state()).stream())
                .toList());
    }

    /**
     * Does what the tablet needs next. True when it is served. The version is that with which its table came back, if it did: a tablet that
     * has given its room to others since is a new one to servers until it is served again.
     */
    boolean settle(MetadataRow row, long returnedVersion, Sight sight) throws FencedException, InterruptedException {
        TabletLocation location = row.location();
        Optional<Member> holder = sight.holder(location);
        return switch (location.getPhase()) {
            case SERVING -> {
                Optional<TabletReport> failed = holder.flatMap(server -> failure(row, server, sight));
                boolean isAbsent = holder.filter(server ->
                                absences.isAbsent(row, server, scheduler.clock().nanos()))
                        .isPresent();
                if (failed.isPresent()) {
                    loadAnew(row, failed.get(), holder.get());
                } else if (isAbsent) {
                    askFor(row, holder.get());
                } else if (holder.isPresent()) {
                    setbacks.isServed(row.id(), scheduler.clock().nanos());
                } else {
                    replace(row, sight);
                }
                yield holder.isPresent() && failed.isEmpty() && !isAbsent;
            }
            case LOADING -> {
                if (holder.isPresent()) {
                    repeat(row, holder.get(), sight);
                } else {
                    replace(row, sight);
                }
                yield false;
            }
            case UNASSIGNED -> {
                // Here alone: what a server has, or had when it died, has kept its room.
                assign(row, state -> TabletStates.returned(state, returnedVersion), sight, Optional.empty());
                yield false;
            }
        };
    }

    /**
     * Whether nothing will come of waiting for the tablet, which {@link #settle} has just left unserved: somebody must see
     * to it. The report of its server says why.
     */
    boolean isStuck(MetadataRow row, Sight sight) {
        boolean mustStay = row.location().getPhase() == Phase.LOADING
                && row.state().getOffline() != null
                && sight.holder(row.location())
                        .flatMap(holder -> sight.report(holder, row.id()))
                        .filter(report -> report.getFailure() != null)
                        .isPresent();
        return mustStay
                || awaitsRoom(row, sight)
                || graves.isStuck(row, PassScope.STUCK_MILLIS)
                || setbacks.isStuck(row, scheduler.clock().nanos());
    }

    /**
     * Whether its last load has failed for what does not pass, as one for want of room does, and all who could be given it have failed to
     * load it, and say that they are full. Setbacks are forgotten in time, so now and then it is tried all the same.
     */
    private boolean awaitsRoom(MetadataRow row, Sight sight) {
        boolean hasFailed = row.id().tableId() != TableSchema.METADATA_ID
                && row.location().getPhase() == Phase.LOADING
                && sight.holder(row.location())
                        .flatMap(holder -> sight.report(holder, row.id()))
                        .filter(report -> report.getFailure() != null && !report.getFailurePasses())
                        .isPresent();
        boolean noRoom = hasFailed
                && (TabletStates.wasServed(row.state())
                        ? sight.hasNoRoomForServed()
                        : sight.noRoom().isPresent());
        return noRoom
                && sight.takersOfUnserved().stream().allMatch(taker -> setbacks.failures(row.id(), taker.epoch()) > 0);
    }

    /** The server of the location is dead: once it is closed, its log counts among those that the next one replays. */
    private void replace(MetadataRow row, Sight sight) throws FencedException, InterruptedException {
        Optional<List<Long>> logs = graves.logsToReplay(row, sight);
        if (logs.isPresent() && !mayComeBack(row, sight)) {
            List<Long> needed = List.copyOf(logs.get());
            assign(row, state -> TabletState.newBuilder(state).setLogs(needed).build(), sight, Optional.empty());
        }
    }

    /** Whether another server may soon be on the dead one's host, where the tablet's blocks are. METADATA does not wait. */
    private boolean mayComeBack(MetadataRow row, Sight sight) {
        return row.id().tableId() != TableSchema.METADATA_ID
                && !graves.isKnownFor(row.location().getEpoch(), config.returnWaitMillis())
                && sight.takersOfUnserved().stream().noneMatch(taker -> isOn(taker, hostOf(row.location())));
    }

    private static Optional<TabletReport> failure(MetadataRow row, Member holder, Sight sight) {
        return sight.report(holder, row.id()).filter(report -> report.getFailure() != null);
    }

    /**
     * METADATA names a server that could not load the tablet. Since it was asked it may have come to serve it, or be about to: it
     * alone knows, and loads the tablet unless it does.
     */
    private void loadAnew(MetadataRow row, TabletReport failed, Member holder) {
        long now = scheduler.clock().nanos();
        if (!isRecent(row.id()) && setbacks.mayTryAgain(row, failed.getFailurePasses(), now)) {
            log.error("{} does not serve {}, as METADATA says: {}", holder.id(), row.id(), failed.getFailure());
            load(row, holder);
        }
    }

    /**
     * METADATA names a server that does not tell of the tablet. Only it knows whether it has it, or is about to: if not, it ends, for
     * what it may have acknowledged is in its log alone.
     */
    void askFor(MetadataRow row, Member holder) {
        if (!isRecent(row.id())
                && mayEnd.admits(holder, living.size(), scheduler.clock().nanos())) {
            log.warn("{} does not tell of {}, which METADATA says it serves: asked for it", holder.id(), row.id());
            load(row, holder);
        }
    }

    private static Optional<String> hostOf(TabletLocation location) {
        return location.getAddress().isEmpty()
                ? Optional.empty()
                : Optional.of(Address.parse(location.getAddress()).host());
    }

    private static boolean isOn(Member member, Optional<String> host) {
        return host.equals(Optional.of(member.address().host()));
    }

    private void repeat(MetadataRow row, Member holder, Sight sight) throws FencedException, InterruptedException {
        if (isRecent(row.id())) {
            return;
        }
        Optional<TabletReport> report = sight.report(holder, row.id());
        if (report.isPresent() && report.get().getFailure() != null) {
            if (row.state().getOffline() != null) {
                // No other server may load it either. Once the mark is taken back, the next one tries at once.
                setbacks.forget(row.id());
                return;
            }
            boolean mayTry = setbacks.mayTryAgain(
                    row, report.get().getFailurePasses(), scheduler.clock().nanos());
            // Where it awaits room each attempt would fail, be two writes of the row, and keep passes from coming to an
            // end.
            if (!mayTry || awaitsRoom(row, sight)) {
                return;
            }
            log.error(
                    "{} could not load {}: {}",
                    holder.id(),
                    row.id(),
                    report.get().getFailure());
            assign(row, UnaryOperator.identity(), sight, Optional.of(holder));
        } else if (isSilentForLong(holder) && row.state().getOffline() == null) {
            // Others may reach it, and then it is not taken for dead. It has served nothing of the tablet, and should
            // it
            // have heard of it after all, its last step comes too late.
            log.warn("{} was to load {}, and does not answer", holder.id(), row.id());
            assign(row, UnaryOperator.identity(), sight, Optional.of(holder));
        } else if (report.isEmpty()) {
            load(row, holder);
        }
    }

    private boolean isSilentForLong(Member member) {
        Long since = silentSince.get(member);
        return since != null && scheduler.clock().nanos() - since >= config.silenceMillis() * 1_000_000;
    }

    private void assign(MetadataRow row, UnaryOperator<TabletState> change, Sight sight, Optional<Member> not)
            throws FencedException, InterruptedException {
        if (isRecent(row.id())) {
            return;
        }
        Optional<Member> target = choose(row, sight, not);
        if (target.isEmpty()) {
            return;
        }
        Member member = target.get();
        TabletLocation location =
                new TabletLocation(Phase.LOADING, member.id(), member.address().toString(), member.epoch());
        if (writes.begin(row, location, change.apply(row.state()), member)) {
            count(row, member);
        }
        if (writes.isFull()) {
            finish();
        }
    }

    private void load(MetadataRow row, Member target) {
        count(row, target);
        orders.askToLoad(row, target);
    }

    private void count(MetadataRow row, Member target) {
        attempts.put(row.id(), scheduler.clock().nanos());
        given.merge(target.epoch(), 1, Integer::sum);
    }

    /** Waits until what was decided is written; what was not is decided anew. */
    void finish() throws FencedException, InterruptedException {
        writes.finish(attempts::remove);
    }

    /**
     * The server on the host that has the tablet's blocks, unless that has more than its share already; else the one with
     * the fewest tablets. The one that has just failed, or whose memory is full, only if there is no other, and before one that has failed all that have not:
     * perhaps one alone can load the tablet, because it is of a later release.
     */
    private Optional<Member> choose(MetadataRow row, Sight sight, Optional<Member> not) {
        List<Member> takers = sight.takersOfUnserved();
        Optional<String> home = home(row, takers);
        int share = 1 + takers.stream().mapToInt(this::given).sum() / Math.max(1, takers.size());
        Comparator<Member> best = Comparator.comparing((Member member) -> not.equals(Optional.of(member)))
                .thenComparing(sight::isFull)
                .thenComparing(sight::isOverfull)
                .thenComparing(member -> setbacks.failures(row.id(), member.epoch()))
                .thenComparing(member -> !isOn(member, home) || given(member) > share)
                .thenComparing(this::given)
                .thenComparing(Member::id);
        return takers.stream().min(best);
    }

    /** Nobody is asked where all servers are on one host. */
    private Optional<String> home(MetadataRow row, List<Member> takers) {
        Set<String> hosts = hosts(takers);
        return hosts.size() > 1
                ? homes.of(Homes.largestFile(row.state()), hosts).or(() -> hostOf(row.location()))
                : Optional.empty();
    }

    private static Set<String> hosts(List<Member> members) {
        return members.stream().map(member -> member.address().host()).collect(Collectors.toSet());
    }

    private int given(Member member) {
        return given.getOrDefault(member.epoch(), 0);
    }

    private boolean isRecent(TabletId tablet) {
        Long last = attempts.get(tablet);
        return last != null && scheduler.clock().nanos() - last < REPEAT_NANOS;
    }
}
