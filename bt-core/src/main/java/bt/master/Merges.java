package bt.master;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.FencedException;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.base.Scheduler;
import bt.metadata.MergeIntent;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.metadata.RowMerge;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.NamedRows;
import bt.record.Phase;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes one tablet of several: has them unloaded, keeps them from being given to anybody, and merges their rows in METADATA
 * ({@link RowMerge}). What is wished for is in memory alone; a master that takes over gives the tablets back to servers, and
 * whoever wished asks again. Owned by the master's thread.
 */
final class Merges {
    private static final Logger log = LoggerFactory.getLogger(Merges.class);

    private static final long MOST_WAIT_NANOS = 2 * MergeTerms.HOLD_NANOS;

    /** Each takes three mutations of METADATA, one after the other, and the pass waits for them. */
    private static final int SERVERS_PER_MERGE = 50;

    /** What a pass merges begins within that; the rest is for the next, so that servers are looked at in between, and assigned to. */
    static final long PASS_NANOS = 1_000_000_000L;

    /**
     * That somebody waits for, at a time, and as many that are wished for in turn. Each may hold two row keys of 64 KB, and every pass looks
     * at each.
     */
    static final int MOST_ASKED = 200;

    private static final long AGAIN_MILLIS = 1_000;
    private static final long ROOM_MILLIS = 5_000;

    private final RowMerge merge;
    private final SmallTablets small;
    private final Hindrances hindrances;
    private final Scheduler scheduler;
    private final TabletOrders orders;
    private final Runnable wake;

    /** Those that have waited for longest first. */
    private final Map<Wish, MergeTerms> wishes = new LinkedHashMap<>();

    private final MergeSteps steps = new MergeSteps();

    /** They have their places until they are forgotten. */
    private final RefusedMerges refused = new RefusedMerges();

    /** Of those that somebody waits for, the host that asked first; some may be over. */
    private final Map<Wish, String> hosts = new HashMap<>();

    private final HostPlaces places = new HostPlaces(MOST_ASKED, "merges");

    /** Since when passes have let others wait. */
    private OptionalLong othersWaitSince = OptionalLong.empty();

    /** Whether the last run changed rows: a tablet is to be assigned that the next pass sees. */
    private boolean hasChanged;

    /** When this run begins nothing any more. */
    private long endNanos;

    private final MergeTurns turns = new MergeTurns();

    /** {@code wake} has the master look at once. */
    Merges(
            MetadataTable metadata,
            Hindrances hindrances,
            Scheduler scheduler,
            MasterConfig config,
            TabletOrders orders,
            Runnable wake) {
        this.hindrances = hindrances;
        this.merge = new RowMerge(metadata);
        this.small =
                new SmallTablets(config.merges(), new FairShare(config.splitRequestsPerSecond()), scheduler.clock());
        this.scheduler = scheduler;
        this.orders = orders;
        this.wake = wake;
    }

    /** The tablets of a table that hold the rows are to be one. */
    record Wish(long tableId, RowRange rows) {
        boolean concerns(MetadataRow row) {
            return row.id().tableId() == tableId && !row.range().intersect(rows).isEmpty();
        }
    }

    /**
     * Of somebody who waits for it, at this host. Passes do it. Asking again is asking once, and for longer. REJECTED where the range
     * is not from one row key to another, included, or its tablets were found to be too large for one a moment ago; OVERLOADED where too many are asked for.
     */
    void wish(long tableId, RowRange rows, String host) throws RejectedException, OverloadedException {
        NamedRows.checkSpan("of id " + tableId, rows.start(), last(rows));
        checkIsOfUsers(tableId);
        Wish wish = new Wish(tableId, rows);
        refused.forgetOld(scheduler.clock().nanos());
        refused.check(wish);
        if (!wishes.containsKey(wish)) {
            giveBackPlaces();
            places.take(host, AGAIN_MILLIS);
            hosts.put(wish, host);
        }
        wish(wish, MergeTerms.Asked.FOR_NOW);
    }

    /** OVERLOADED where no server has memory for what a merge makes: what is served is not taken away for it. */
    static void checkRoom(Sight sight) throws OverloadedException {
        Optional<String> noRoom = sight.noRoom();
        if (noRoom.isPresent()) {
            throw new OverloadedException(
                    "no tablets are merged: " + noRoom.get() + ": " + Sight.TO_MAKE_ROOM, ROOM_MILLIS);
        }
    }

    private void giveBackPlaces() {
        hosts.entrySet().removeIf(asked -> {
            boolean isOver = !wishes.containsKey(asked.getKey()) && !refused.has(asked.getKey());
            if (isOver) {
                places.giveBack(asked.getValue());
            }
            return isOver;
        });
    }

    /** The highest row there can be in it, as {@link Bytes#successor} has made its end; of another range its end. */
    private static Bytes last(RowRange rows) {
        Bytes end = rows.end().orElse(Bytes.EMPTY);
        boolean isSuccessor = !end.isEmpty() && end.at(end.length() - 1) == 0;
        return isSuccessor ? end.slice(0, end.length() - 1) : end;
    }

    /**
     * Of somebody who wishes again after a while where it is given up, unless it is {@linkplain #refusal refused}. False where too
     * many are under way: of one table no more are than there are places left.
     */
    boolean attempt(long tableId, RowRange rows) throws RejectedException {
        checkIsOfUsers(tableId);
        Wish wish = new Wish(tableId, rows);
        if (!wishes.containsKey(wish) && !hasPlace(tableId)) {
            return false;
        }
        wish(wish, MergeTerms.Asked.IN_TURN);
        return true;
    }

    /** Nobody wishes for those of the table any more that somebody wished for in turn. */
    void giveUp(long tableId) {
        List.copyOf(wishes.entrySet()).stream()
                .filter(wished -> wished.getKey().tableId() == tableId
                        && wished.getValue().asked() == MergeTerms.Asked.IN_TURN)
                .forEach(wished -> end(wished.getKey()));
        refused.forgetInTurn(tableId);
    }

    /** Why what somebody wishes for in turn can never be done. */
    Optional<RejectedException> refusal(Wish wish) {
        return refused.why(wish);
    }

    /** Whoever wished for it in turn has been told. */
    void told(Wish wish) {
        refused.told(wish);
    }

    /** Ends those of all tables but these: one that is dropped may come back, with the tablets that it has now. */
    void keep(Set<Long> tables) {
        List.copyOf(wishes.keySet()).stream()
                .filter(wish -> !tables.contains(wish.tableId()))
                .forEach(this::end);
        refused.keep(tables);
    }

    private boolean hasPlace(long tableId) {
        int inTurn = 0;
        int ofTable = 0;
        for (Map.Entry<Wish, MergeTerms> wished : wishes.entrySet()) {
            if (wished.getValue().asked() == MergeTerms.Asked.IN_TURN) {
                inTurn++;
                ofTable += wished.getKey().tableId() == tableId ? 1 : 0;
            }
        }
        for (Wish wish : refused.inTurn()) {
            inTurn++;
            ofTable += wish.tableId() == tableId ? 1 : 0;
        }
        return ofTable < MOST_ASKED - inTurn;
    }

    static void checkIsOfUsers(long tableId) throws RejectedException {
        if (tableId == TableSchema.METADATA_ID) {
            throw new RejectedException(
                    "METADATA's tablets are not merged by wish",
                    "leave it to the master, which merges them where they are small");
        }
    }

    private void wish(Wish wish, MergeTerms.Asked asked) {
        wishes.merge(wish, MergeTerms.of(asked, scheduler.clock().nanos()), MergeTerms::again);
    }

    /** A pass has come to an end that left nothing to do for now: what waits for that has its turn. */
    void settled() {
        turns.settled(scheduler.clock().nanos());
    }

    /** Whether it has been wished for, and is neither done nor given up. */
    boolean isUnderWay(Wish wish) {
        return wishes.containsKey(wish);
    }

    /** Whether the tablet is to become part of another soon. */
    boolean concerns(MetadataRow row) {
        return current().anyMatch(wish -> wish.concerns(row));
    }

    /** What the next run has to see of what is wished for. */
    Stream<Wish> current() {
        return wishes.keySet().stream().map(steps::current);
    }

    /**
     * Asked once in a pass: whether rows are away for a merge that the next may end, as the last run left it, for what a pass does keeps them
     * away for longer. Not for more than {@link MergeTerms#HOLD_NANOS} before the first tablet has left its server, and as long behind it;
     * of many merges one behind the other not for more than twice that, for other tablets wait.
     */
    boolean othersShouldWait() {
        long now = scheduler.clock().nanos();
        boolean isAway = hasChanged || wishes.values().stream().anyMatch(terms -> terms.isShort(now));
        if (!isAway) {
            othersWaitSince = OptionalLong.empty();
            return false;
        }
        long since = othersWaitSince.orElse(now);
        boolean isLong = now - since > MOST_WAIT_NANOS;
        othersWaitSince = isLong ? OptionalLong.empty() : OptionalLong.of(since);
        return !isLong;
    }

    /** How many pairs of users' tablets are merged at a time that nobody asked for. */
    static int atATime(Sight sight) {
        return Math.max(1, sight.takers().size() / SERVERS_PER_MERGE);
    }

    /** Wishes for what should be one tablet of these, which come in the order of their keys, of so many at most; unless something is wished for. */
    void seek(Iterable<KnownTablet> tablets, Sight sight, int most) {
        if (wishes.isEmpty()) {
            long now = scheduler.clock().nanos();
            boolean noRoom = sight.noRoom().isPresent();
            small.neighbours(tablets, sight, most).stream()
                    .filter(pair -> !noRoom || !isOfUsers(pair))
                    .forEach(pair -> wishes.put(pair, MergeTerms.of(MergeTerms.Asked.BY_NOBODY, now)));
        }
    }

    /** Of neighbours that should be one whatever they have, though nobody asks for it; it is given up as one of small tablets is. */
    void need(Wish wish) {
        wish(wish, MergeTerms.Asked.BY_NOBODY);
    }

    /** METADATA's tablets are loaded by whoever is given them. */
    private static boolean isOfUsers(Wish wish) {
        return wish.tableId() != TableSchema.METADATA_ID;
    }

    /** What is wished for. */
    Set<Wish> wishes() {
        return wishes.keySet();
    }

    /**
     * Does what can be done now; the tablets of these rows that must be given to nobody, and not be looked at. Of {@link #current}
     * they are all there are: of those whose neighbours are not among them it would be taken that they have none. No tablet is part of
     * two merges at a time, and no more than {@link MergeSteps#MOST_TABLETS} are on their way: the others wait, and are served; and so do
     * those that {@code mustWait}, which is told the tablets of a step that would begin.
     */
    Set<TabletId> run(List<MetadataRow> rows, Sight sight, Predicate<List<TabletId>> mustWait)
            throws BigtableException, InterruptedException {
        hasChanged = false;
        refused.forgetOld(scheduler.clock().nanos());
        endNanos = scheduler.clock().nanos() + PASS_NANOS;
        Set<TabletId> halfDone = settle(rows);
        Set<TabletId> held = new HashSet<>(halfDone);
        Set<TabletId> taken = new HashSet<>();
        int left = MergeSteps.MOST_TABLETS;
        boolean noRoom = sight.noRoom().isPresent();
        boolean isOthersTurn = turns.isOthers(scheduler.clock().nanos());
        Set<Wish> underWay = new HashSet<>();
        steps.read(wishes.isEmpty() ? List.of() : rows);
        for (Wish wish : List.copyOf(wishes.keySet())) {
            List<MetadataRow> members = steps.tablets(wish);
            List<TabletId> ids = members.stream().map(MetadataRow::id).toList();
            if (members.size() < 2) {
                passOver(wish, members);
            } else if (!steps.isChosen(wish)) {
                refuse(wish, ids.size());
            } else if (ids.stream().anyMatch(halfDone::contains)) {
                // It is another row by now; of one that stays so it is given up in its time.
                boolean unused = mayHold(wish, members);
            } else if (ids.size() > left
                    || ids.stream().anyMatch(taken::contains)
                    || (isOthersTurn && isOfUsers(wish) && !turns.isUnderWay(wish))) {
                await(wish);
            } else if (noRoom && takesFirstAway(wish, members)) {
                awaitRoom(wish);
            } else if (!turns.isUnderWay(wish) && mustWait.test(ids)) {
                await(wish);
            } else if (run(wish, members, sight, held)) {
                taken.addAll(ids);
                left -= ids.size();
                if (steps.isChosen(wish)) {
                    underWay.add(wish);
                }
            }
        }
        turns.ran(!taken.isEmpty(), underWay, scheduler.clock().nanos());
        steps.read(List.of());
        return held;
    }

    /** The same where nothing has to wait. */
    Set<TabletId> run(List<MetadataRow> rows, Sight sight) throws BigtableException, InterruptedException {
        return run(rows, sight, step -> false);
    }

    /** Others have their turn. */
    private void await(Wish wish) {
        long now = scheduler.clock().nanos();
        MergeTerms terms = Objects.requireNonNull(wishes.get(wish));
        if (terms.isAbandoned(now)) {
            end(wish);
        } else {
            wishes.put(wish, terms.waiting(now));
        }
    }

    /** Whether it keeps no tablet away yet, and would take such as are served: nobody might have room for what is made of them. */
    private boolean takesFirstAway(Wish wish, List<MetadataRow> members) {
        MergeTerms terms = Objects.requireNonNull(wishes.get(wish));
        return isOfUsers(wish)
                && terms.holdsSinceNanos().isEmpty()
                && !members.stream().allMatch(RowMerge::isClean);
    }

    /** One that nobody asked for is sought anew when there is room. */
    private void awaitRoom(Wish wish) {
        if (Objects.requireNonNull(wishes.get(wish)).asked() == MergeTerms.Asked.BY_NOBODY) {
            end(wish);
            small.beginAnew(wish);
        } else {
            await(wish);
        }
    }

    /** There is nothing to merge, or in this step nothing any more: another merge has, or the table is dropped. */
    private void passOver(Wish wish, List<MetadataRow> members) {
        if (steps.isChosen(wish)) {
            members.stream()
                    .map(MetadataRow::id)
                    .findFirst()
                    .ifPresentOrElse(only -> steps.passed(wish, only), () -> steps.forget(wish));
            wake.run();
        } else {
            end(wish);
        }
    }

    /** Whoever wishes again is told why. */
    private void refuse(Wish wish, int tablets) {
        log.info("table {}: {} tablets are too large to be one", wish.tableId(), tablets);
        MergeTerms.Asked asked = Objects.requireNonNull(wishes.get(wish)).asked();
        end(wish);
        refused.add(wish, tablets, asked, scheduler.clock().nanos());
    }

    private void end(Wish wish) {
        wishes.remove(wish);
        steps.forget(wish);
    }

    /** Of a merge that was left in the middle: these must be given to nobody before {@link #run} has seen all rows. */
    static Set<TabletId> halfDone(List<MetadataRow> rows) throws CorruptionException {
        Set<TabletId> touched = new HashSet<>();
        for (MetadataRow row : rows) {
            Optional<MergeIntent> intent = MergeIntent.of(row);
            if (intent.isPresent()) {
                touched.add(row.id());
                touched.add(intent.get().upper());
            }
        }
        return touched;
    }

    /** What another master, or a mutation that failed, left in the middle: it stays so where there is no time for it. */
    private Set<TabletId> settle(List<MetadataRow> rows) throws BigtableException, InterruptedException {
        for (MetadataRow row : rows) {
            Optional<MergeIntent> intent = MergeIntent.of(row);
            if (intent.isPresent() && !isLate()) {
                List<TabletId> both = List.of(row.id(), intent.get().upper());
                hasChanged |= hindrances.attempt(both, () -> {
                    merge.settle(row, intent.get());
                    return true;
                });
            }
        }
        return halfDone(rows);
    }

    /** Whether tablets of it are away now, or are leaving their servers. */
    private boolean run(Wish wish, List<MetadataRow> members, Sight sight, Set<TabletId> held)
            throws FencedException, InterruptedException {
        boolean areNeighbours = areNeighbours(members);
        if (areNeighbours && members.stream().allMatch(RowMerge::isClean)) {
            List<TabletId> ids = members.stream().map(MetadataRow::id).toList();
            if (!isLate() && hindrances.attempt(ids, () -> merge(wish, members))) {
                held.addAll(ids);
                // The one that they are now is assigned by the next pass.
                wake.run();
                return true;
            }
            if (mayHold(wish, members)) {
                hold(wish, ids, held);
                return true;
            }
            return false;
        }
        // Else one between them cannot be read, or is just being split.
        return mayHold(wish, members) && areNeighbours && collect(wish, members, sight, held);
    }

    /** Whether this pass is to merge no more. */
    private boolean isLate() {
        return scheduler.clock().nanos() - endNanos >= 0;
    }

    /**
     * Whether tablets may be kept from being served for it. Where they have been for long enough they are assigned again, and it
     * is given up, or goes on later: by then the memory of the others is in files.
     */
    private boolean mayHold(Wish wish, List<MetadataRow> members) {
        MergeTerms terms = Objects.requireNonNull(wishes.get(wish));
        long now = scheduler.clock().nanos();
        if (!terms.isOver(now)) {
            return !terms.rests(now, members);
        }
        log.info("table {}: {} tablets cannot be merged now", wish.tableId(), members.size());
        if (terms.goesOn(now)) {
            Set<TabletId> away = ids(members.stream().filter(RowMerge::isClean).toList());
            wishes.put(wish, terms.resting(now, away));
        } else {
            end(wish);
            small.beginAnew(wish);
        }
        return false;
    }

    /** Has the tablets unloaded, and keeps those that are. None, while there is one for which the others would wait in vain. */
    private boolean collect(Wish wish, List<MetadataRow> members, Sight sight, Set<TabletId> held) {
        if (!members.stream().allMatch(member -> RowMerge.isClean(member) || mayBeUnloaded(member, sight))) {
            return false;
        }
        for (MetadataRow member : members) {
            if (RowMerge.isClean(member)) {
                hold(wish, List.of(member.id()), held);
            } else {
                unload(member, sight);
            }
        }
        return true;
    }

    /** Whether a living server has it, by METADATA and its own word, and nothing else keeps it from being clean then. */
    private static boolean mayBeUnloaded(MetadataRow row, Sight sight) {
        return row.location().getPhase() == Phase.SERVING
                && row.state().getOffline() == null
                && sight.holder(row.location())
                        .filter(holder -> sight.report(holder, row.id())
                                .filter(report -> report.getFailure() != null)
                                .isEmpty())
                        .isPresent();
    }

    private void hold(Wish wish, List<TabletId> tablets, Set<TabletId> held) {
        held.addAll(tablets);
        wishes.computeIfPresent(
                wish, (same, terms) -> terms.holding(scheduler.clock().nanos()));
    }

    private static boolean areNeighbours(List<MetadataRow> members) {
        for (int i = 1; i < members.size(); i++) {
            if (!members.get(i).previousEndRow().equals(members.get(i - 1).id().endRow())) {
                return false;
            }
        }
        return true;
    }

    /** A server that is asked again joins what it was asked before. One that is dead is recovered from first. */
    private void unload(MetadataRow row, Sight sight) {
        sight.holder(row.location()).ifPresent(holder -> {
            CompletableFuture<?> unused = orders.askToUnload(row.id(), holder, true)
                    .thenAccept(done -> {
                        if (done) {
                            wake.run();
                        }
                    });
        });
    }

    /**
     * As many as there is time for. The next pass goes on with those that are left; where these have been away for long enough they are served
     * for a while, and are part of a later step.
     */
    private boolean merge(Wish wish, List<MetadataRow> members) throws BigtableException, InterruptedException {
        MetadataRow lower = members.get(0);
        int merged = 1;
        do {
            lower = merge.merge(lower, members.get(merged));
            merged++;
            hasChanged = true;
        } while (merged < members.size() && !isLate());
        log.info("{} has the rows of {} tablets", lower.id(), merged);
        ended(wish, lower.id(), members.subList(merged, members.size()));
        return true;
    }

    private void ended(Wish wish, TabletId last, List<MetadataRow> left) {
        long now = scheduler.clock().nanos();
        MergeTerms terms = Objects.requireNonNull(wishes.get(wish));
        if (!left.isEmpty() && !terms.isOver(now)) {
            wishes.put(wish, terms.holding(now));
        } else if (left.isEmpty() && steps.isLast(wish)) {
            end(wish);
        } else {
            steps.passed(wish, last);
            // Behind all others.
            wishes.remove(wish);
            if (terms.isAbandoned(now)) {
                end(wish);
            } else {
                MergeTerms next = terms.ofNextStep(now);
                wishes.put(wish, left.isEmpty() ? next : next.resting(now, ids(left)));
            }
        }
    }

    private static Set<TabletId> ids(List<MetadataRow> rows) {
        return rows.stream().map(MetadataRow::id).collect(Collectors.toSet());
    }
}
