package bt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.metadata.MergeIntent;
import bt.metadata.MetadataKeys;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataSchema;
import bt.metadata.TabletStates;
import bt.model.Limits;
import bt.model.RowRange;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.record.Phase;
import bt.record.TabletLocation;
import bt.record.TabletReport;
import bt.record.TabletState;
import bt.testing.MemoryCluster;
import bt.testing.SimScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A table of small tablets, two neighbours of which lie with each server. */
class MergesTest {
    private static final MasterConfig AT_ONCE = new MasterConfig(
            6_000, 300, 10_000, 5_000, Graces.DEFAULT, new MergeConfig(40L << 20, 0), 3_000, 1_000, 10_000);

    private static final int MANY = 2 * MergeSteps.MOST_TABLETS + 20;

    private static final Member SERVER = new Member("s1", MemoryCluster.address(1), 101, "");
    static final TabletLocation SERVED =
            new TabletLocation(Phase.SERVING, "s1", SERVER.address().toString(), 101L);

    private final SimScheduler scheduler = new SimScheduler(1);
    private final MemoryCluster cluster = new MemoryCluster();
    private final Merges merges = new Merges(
            cluster.metadata, new Hindrances(), scheduler, AT_ONCE, new TabletOrders(cluster, 5_000, 1), () -> {});

    MergesTest() throws Exception {}

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void fewServersMergeOnePairAtATime() {
        seek(10, server -> server);
        assertThat(merges.wishes()).hasSize(1);
    }

    @Test
    void manyMergeAsManyPairsAsAFiftiethOfThem() {
        seek(150, server -> server);
        assertThat(merges.wishes()).hasSize(3).extracting(Merges.Wish::tableId).containsOnly(4L);
        for (int tablet = 0; tablet < 300; tablet++) {
            Bytes row = Bytes.utf8("%04d".formatted(tablet));
            assertThat(merges.wishes())
                    .filteredOn(wish -> wish.rows().contains(row))
                    .as("of one tablet")
                    .hasSizeLessThanOrEqualTo(1);
        }
    }

    /** Who hands back two one after the other keeps the first, and its neighbour, from being served for longer. */
    @Test
    void noServerHasTabletsOfTwo() {
        seek(150, server -> 0);
        assertThat(merges.wishes()).hasSize(1);
    }

    /** Whoever speaks the protocol may ask for others. */
    @Test
    void aWishIsForRowsThatThereMayBe() throws Exception {
        Bytes first = Bytes.utf8("a");
        Bytes longest = Bytes.wrap(new byte[Limits.ROW_BYTES]);
        for (RowRange rows : List.of(
                RowRange.upTo(first),
                RowRange.from(first),
                RowRange.closed(first, Bytes.EMPTY),
                RowRange.closed(first, longest.successor()),
                RowRange.closed(longest.successor(), first),
                RowRange.closed(first, longest))) {
            assertThatThrownBy(() -> merges.wish(4, rows, "host")).isInstanceOf(RejectedException.class);
        }
        assertThat(merges.wishes()).isEmpty();
        merges.wish(4, RowRange.closed(longest, first), "host");
        merges.wish(4, RowRange.closed(first, first), "host");
        assertThat(merges.wishes()).hasSize(2);
    }

    /** Each is two row keys of 64 KB at most, kept for a minute, and a pass looks at each for every row. */
    @Test
    void ofOneHostNoMoreAreTakenThanThereAreLeft() throws Exception {
        List<RowRange> ranges = IntStream.range(0, Merges.MOST_ASKED)
                .mapToObj(i -> Bytes.utf8("row" + i))
                .map(row -> RowRange.closed(row, row))
                .toList();
        int half = Merges.MOST_ASKED / 2;
        for (RowRange rows : ranges.subList(0, half)) {
            merges.wish(4, rows, "greedy");
        }
        assertThatThrownBy(() -> merges.wish(4, ranges.get(half), "greedy")).isInstanceOf(OverloadedException.class);
        merges.wish(4, ranges.get(half), "modest");
        // Who waits asks again.
        merges.wish(4, ranges.get(0), "greedy");
        assertThat(merges.wishes()).hasSize(half + 1);

        // None of these tablets is there.
        Set<TabletId> unused = merges.run(List.of(), Sights.of(Map.of()));
        assertThat(merges.wishes()).isEmpty();
        for (RowRange rows : ranges.subList(0, half)) {
            merges.wish(4, rows, "greedy");
        }
    }

    /** Of a table with many tablets each wish may be for most of them. */
    @Test
    void aTabletIsAskedToLeaveOnceInAPassAndOthersAreServedMeanwhile() throws Exception {
        List<MetadataRow> rows = rows(MANY, SERVED);
        Sight sight = served(rows);
        for (int i = 0; i < 10; i++) {
            merges.wish(4, RowRange.closed(row(i), row(MANY - 1)), "host");
            assertThat(merges.attempt(4, RowRange.closed(row(i), row(MANY - 2))))
                    .isTrue();
        }
        AtomicInteger orders = new AtomicInteger();
        cluster.fates((to, request) -> {
            orders.incrementAndGet();
            return MemoryCluster.Fate.NO_CONNECTION;
        });
        for (int pass = 1; pass <= 3; pass++) {
            assertThat(merges.run(rows, sight)).isEmpty();
            assertThat(orders).hasValue(pass * MergeSteps.MOST_TABLETS);
        }
    }

    @Test
    void ofManyTabletsAFewAreAwayAtATime() throws Exception {
        for (MetadataRow row : rows(MANY, TabletStates.unassigned())) {
            cluster.metadata.create(row.id(), row.state(), "created");
        }
        assertThat(merges.attempt(4, RowRange.closed(row(0), row(MANY - 1)))).isTrue();
        List<Integer> away = new ArrayList<>();
        while (!merges.wishes().isEmpty()) {
            away.add(merges.run(tablets(), Sights.of(Map.of())).size());
        }
        int rest = MANY - 2 * MergeSteps.MOST_TABLETS;
        assertThat(away).containsExactly(MergeSteps.MOST_TABLETS, MergeSteps.MOST_TABLETS, rest, 3);
        assertThat(tablets()).singleElement().satisfies(whole -> assertThat(whole.range())
                .isEqualTo(RowRange.upTo(row(MANY - 1))));
    }

    /** What is made of them nobody might have room for. */
    @Test
    void whereEveryServerIsFullNoTabletIsTakenAwayButThoseThatAreAreMerged() throws Exception {
        List<MetadataRow> rows = rows(3, SERVED);
        Sight sight = served(rows);
        Sight full = Sights.full(sight);
        AtomicInteger orders = new AtomicInteger();
        cluster.fates((to, request) -> {
            orders.incrementAndGet();
            return MemoryCluster.Fate.NO_CONNECTION;
        });
        assertThat(merges.attempt(4, RowRange.closed(row(0), row(2)))).isTrue();
        scheduler.run(Duration.ofMinutes(60), () -> {
            try {
                for (int i = 0; i < 30; i++) {
                    assertThat(merges.run(rows, full)).isEmpty();
                    scheduler.pause(50_000);
                }
                assertThat(orders).hasValue(0);
                assertThat(merges.wishes()).as("it waits").hasSize(1);
                assertThat(merges.run(rows, sight)).isEmpty();
                assertThat(orders).hasValue(3);
                List<MetadataRow> one = new ArrayList<>(rows(1, TabletStates.unassigned()));
                one.addAll(rows.subList(1, 3));
                assertThat(merges.run(one, sight)).containsExactly(one.get(0).id());
                assertThat(merges.run(one, full)).containsExactly(one.get(0).id());
                assertThat(orders).hasValue(7);
            } catch (Exception failed) {
                throw new AssertionError(failed);
            }
        });
    }

    @Test
    void whereEveryServerIsFullNoneIsSoughtButOfMetadata() {
        seek(10, server -> server, Sights::full);
        assertThat(merges.wishes()).isEmpty();
        assertThat(metadataIsMerged(1_000, Sights::full))
                .as("its tablets are loaded by whoever is given them")
                .isTrue();
        seek(10, server -> server);
        assertThat(merges.wishes()).hasSize(1);
    }

    /** Of many steps too, which could take an hour: each has terms of its own, and whoever waits asks again while he does. */
    @Test
    void whatNobodyWishesForAnyMoreGoesNoFurther() throws Exception {
        for (MetadataRow row : rows(MANY, TabletStates.unassigned())) {
            cluster.metadata.create(row.id(), row.state(), "created");
        }
        scheduler.run(Duration.ofMinutes(5), () -> {
            try {
                merges.wish(4, RowRange.closed(row(0), row(MANY - 1)), "host");
                assertThat(merges.run(tablets(), Sights.of(Map.of()))).hasSize(MergeSteps.MOST_TABLETS);
                merges.settled();
                scheduler.pause(40_000);
                assertThat(merges.run(tablets(), Sights.of(Map.of()))).hasSize(MergeSteps.MOST_TABLETS);
                assertThat(merges.wishes()).hasSize(1);
                merges.settled();
                scheduler.pause(40_000);
                assertThat(merges.run(tablets(), Sights.of(Map.of()))).hasSize(MANY - 2 * MergeSteps.MOST_TABLETS);
                assertThat(merges.wishes()).as("who asked has gone").isEmpty();
                assertThat(merges.attempt(4, RowRange.closed(row(0), row(MANY - 1))))
                        .isTrue();
                merges.giveUp(4);
                assertThat(merges.wishes()).isEmpty();
            } catch (Exception failed) {
                throw new AssertionError(failed);
            }
        });
    }

    /** While one rests the next has a step: passes would leave tablets to be assigned for as long as there are any. */
    @Test
    void stepsOfManyMergesLeaveOthersATurnNowAndThen() throws Exception {
        for (long table = 4; table < 7; table++) {
            for (MetadataRow row : rows(table, 5 * MergeSteps.MOST_TABLETS, TabletStates.unassigned())) {
                cluster.metadata.create(row.id(), row.state(), "created");
            }
            assertThat(merges.attempt(table, RowRange.closed(row(0), row(9_999))))
                    .isTrue();
        }
        List<Integer> away = new ArrayList<>();
        scheduler.run(Duration.ofMinutes(30), () -> {
            try {
                while (!merges.wishes().isEmpty()) {
                    List<MetadataRow> rows = cluster.metadata.scan(4, 6);
                    away.add(merges.run(rows, Sights.of(Map.of())).size());
                    if (away.get(away.size() - 1) == 0) {
                        merges.settled();
                    }
                    scheduler.pause(1_000);
                }
            } catch (Exception failed) {
                throw new AssertionError(failed);
            }
        });
        assertThat(away).as("it goes on meanwhile").hasSizeBetween(18, 40);
        int longest = 0;
        int here = 0;
        for (int tablets : away) {
            here = tablets > 0 ? here + 1 : 0;
            longest = Math.max(longest, here);
        }
        assertThat(longest).as("seconds in which others have none").isBetween(5, 12);
    }

    /** Its server decides that alone, while the step waits. */
    @Test
    void aStepInWhichATabletSplitsIsMergedAllTheSame() throws Exception {
        List<MetadataRow> before = rows(MANY, SERVED);
        Sight sight = served(before);
        assertThat(merges.attempt(4, RowRange.closed(row(0), row(MANY - 1)))).isTrue();
        assertThat(merges.run(before, sight)).as("the first are leaving").isEmpty();

        Bytes between = Bytes.utf8("0010m");
        Optional<Bytes> previous = Optional.empty();
        for (MetadataRow row : rows(MANY, TabletStates.unassigned())) {
            if (previous.equals(Optional.of(row(10)))) {
                cluster.metadata.create(new TabletId(4, Optional.of(between)), TabletStates.empty(previous), "created");
                previous = Optional.of(between);
            }
            cluster.metadata.create(row.id(), TabletStates.empty(previous), "created");
            previous = row.id().endRow();
        }
        for (int pass = 0; pass < 10 && !merges.wishes().isEmpty(); pass++) {
            Set<TabletId> unused = merges.run(tablets(), Sights.of(Map.of()));
        }
        assertThat(merges.wishes()).isEmpty();
        assertThat(tablets()).hasSize(1);
    }

    /** Nobody loads it before somebody mends METADATA; it takes no place meanwhile, and keeps small tablets from being merged no longer. */
    @Test
    void aMergeWithATabletThatStaysHalfMergedIsGivenUp() {
        MetadataRow lower = rows(1, TabletStates.unassigned()).get(0);
        TabletId lost = new TabletId(4, Optional.of(row(1)));
        MetadataRow half =
                new MetadataRow(lower.id(), 1, 1, lower.location(), new MergeIntent(lost, 2).addedTo(lower.state()));
        MetadataRow upper = new MetadataRow(
                new TabletId(4, Optional.of(row(2))),
                1,
                1,
                lower.location(),
                TabletStates.empty(lower.id().endRow()));
        scheduler.run(Duration.ofMinutes(5), () -> {
            try {
                merges.wish(4, RowRange.closed(row(0), row(2)), "host");
                assertThat(merges.run(List.of(half, upper), Sights.of(Map.of())))
                        .contains(lower.id());
                assertThat(merges.wishes()).hasSize(1);
                scheduler.pause(61_000);
                assertThat(merges.run(List.of(half, upper), Sights.of(Map.of())))
                        .contains(lower.id());
                assertThat(merges.wishes()).isEmpty();
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    /** They wait in the files of their tables. */
    @Test
    void ofOneTableNoMoreAreTriedInTurnThanThereArePlacesLeft() throws Exception {
        int half = Merges.MOST_ASKED / 2;
        for (int i = 0; i < half; i++) {
            assertThat(merges.attempt(4, RowRange.closed(row(i), row(i)))).isTrue();
        }
        assertThat(merges.attempt(4, RowRange.closed(row(half), row(half)))).isFalse();
        assertThat(merges.attempt(4, RowRange.closed(row(0), row(0)))).isTrue();
        assertThat(merges.attempt(5, RowRange.closed(row(0), row(0)))).isTrue();
        assertThat(merges.wishes()).hasSize(half + 1);
    }

    /** Who waits asks again, and is told why it came to nothing, also where an answer was lost. */
    @Test
    void whoWaitsForAMergeOfWhatIsTooLargeForOneTabletIsRefusedForAMinute() {
        RowRange all = RowRange.closed(row(0), row(MANY - 1));
        scheduler.run(Duration.ofMinutes(5), () -> {
            try {
                merges.wish(4, all, "host");
                haveAllSplitAgain(merges, cluster, rows(MANY, SERVED));
                assertThat(merges.wishes()).isEmpty();
                for (int i = 0; i < 3; i++) {
                    assertThatThrownBy(() -> merges.wish(4, all, "host"))
                            .isInstanceOf(RejectedException.class)
                            .hasMessage("table of id 4: the 120 tablets that are left are too large to be one, what is"
                                    + " made of them splits again: merge some of them");
                    assertThat(merges.wishes()).isEmpty();
                }
                // Some rows of them are others.
                merges.wish(4, RowRange.closed(row(0), row(1)), "host");
                scheduler.pause(61_000);
                merges.wish(4, all, "host");
                assertThat(merges.isUnderWay(new Merges.Wish(4, all))).isTrue();
                haveAllSplitAgain(merges, cluster, rows(MANY, SERVED));
                assertThatThrownBy(() -> merges.wish(4, all, "host")).isInstanceOf(RejectedException.class);
            } catch (Exception failed) {
                throw new AssertionError(failed);
            }
        });
    }

    /** However many are refused at a time. */
    @Test
    void eachThatIsRefusedIsToldAndHasItsPlaceUntilThen() {
        List<RowRange> all = startingWith(" ", Merges.MOST_ASKED);
        // Those one wishes for in turn who does not wait.
        List<RowRange> inTurn = startingWith("!", Merges.MOST_ASKED / 2);
        scheduler.run(Duration.ofMinutes(30), () -> {
            try {
                for (RowRange rows : all) {
                    merges.wish(4, rows, "host of " + rows);
                }
                for (RowRange rows : inTurn) {
                    assertThat(merges.attempt(4, rows)).isTrue();
                }
                haveAllSplitAgain(merges, cluster, rows(MANY, SERVED));
                assertThat(merges.wishes()).isEmpty();
                for (RowRange rows : all) {
                    assertThatThrownBy(() -> merges.wish(4, rows, "host of " + rows))
                            .isInstanceOf(RejectedException.class);
                }
                assertThatThrownBy(() -> merges.wish(4, RowRange.closed(row(1), row(2)), "another"))
                        .isInstanceOf(OverloadedException.class);
                assertThat(merges.attempt(4, RowRange.closed(row(1), row(2)))).isFalse();
                for (RowRange rows : inTurn) {
                    assertThat(merges.refusal(new Merges.Wish(4, rows))).isPresent();
                    merges.told(new Merges.Wish(4, rows));
                    assertThat(merges.refusal(new Merges.Wish(4, rows)))
                            .as("once")
                            .isEmpty();
                }
                assertThat(merges.attempt(4, RowRange.closed(row(1), row(2)))).isTrue();
                scheduler.pause(61_000);
                for (RowRange rows : all) {
                    merges.wish(4, rows, "host of " + rows);
                }
            } catch (Exception failed) {
                throw new AssertionError(failed);
            }
        });
    }

    /** So many that hold rows of all the tablets. */
    private static List<RowRange> startingWith(String prefix, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> RowRange.closed(Bytes.utf8(prefix + "%03d".formatted(i)), row(MANY - 1)))
                .toList();
    }

    /** Nobody may ever ask whether it is. */
    @Test
    void whatIsRefusedInTurnIsForgottenInTime() {
        RowRange all = RowRange.closed(row(0), row(MANY - 1));
        scheduler.run(Duration.ofMinutes(30), () -> {
            try {
                assertThat(merges.attempt(4, all)).isTrue();
                haveAllSplitAgain(merges, cluster, rows(MANY, SERVED));
                scheduler.pause(601_000);
                Set<TabletId> unused = merges.run(List.of(), Sights.of(Map.of()));
                assertThat(merges.refusal(new Merges.Wish(4, all))).isEmpty();
            } catch (Exception failed) {
                throw new AssertionError(failed);
            }
        });
    }

    /** Passes that see each step of what is wished for become one tablet, and this split when all have had their turn. */
    static void haveAllSplitAgain(Merges merges, MemoryCluster cluster, List<MetadataRow> rows) throws Exception {
        cluster.fates((to, request) -> MemoryCluster.Fate.NO_CONNECTION);
        for (int from = 0; from < rows.size(); from += MergeSteps.MOST_TABLETS) {
            assertThat(merges.run(rows, served(rows))).isEmpty();
            int to = Math.min(from + MergeSteps.MOST_TABLETS, rows.size());
            List<MetadataRow> made = new ArrayList<>(rows.subList(0, from));
            MetadataRow last = rows.get(to - 1);
            TabletState state = TabletStates.empty(rows.get(from).previousEndRow());
            made.add(new MetadataRow(last.id(), 1, 1, last.location(), state));
            made.addAll(rows.subList(to, rows.size()));
            assertThat(merges.run(made, served(made))).isEmpty();
        }
        assertThat(merges.run(rows, served(rows))).isEmpty();
    }

    private List<MetadataRow> tablets() throws Exception {
        return cluster.metadata.scan(4, 4).stream().filter(row -> !row.gone()).toList();
    }

    /** By the server of {@link #SERVED}. */
    private static Sight served(List<MetadataRow> rows) {
        return Sights.of(
                Map.of(SERVER, rows.stream().map(row -> report(row.id(), 0)).toList()));
    }

    private static List<MetadataRow> rows(int tablets, TabletLocation location) {
        return rows(4, tablets, location);
    }

    /** So many tablets of a table, and no last one. */
    static List<MetadataRow> rows(long table, int tablets, TabletLocation location) {
        List<MetadataRow> rows = new ArrayList<>();
        Optional<Bytes> previous = Optional.empty();
        for (int i = 0; i < tablets; i++) {
            TabletId id = new TabletId(table, Optional.of(row(i)));
            rows.add(new MetadataRow(id, 1, 1, location, TabletStates.empty(previous)));
            previous = id.endRow();
        }
        return rows;
    }

    static Bytes row(int number) {
        return Bytes.utf8("%04d".formatted(number));
    }

    /** However much is asked of tables. */
    @Test
    void whetherMetadataIsBusyIsMeasuredByWhatIsAskedOfMetadata() {
        assertThat(metadataIsMerged(1_000, sight -> sight)).isTrue();
        assertThat(metadataIsMerged(100_000, sight -> sight)).isFalse();
    }

    /** Two of its tablets, of which each gets so much, and one of users that gets a hundred times as much. */
    private boolean metadataIsMerged(long requestsPerMinute, UnaryOperator<Sight> as) {
        Member one = new Member("s1", new Address("host", 1), 101, "");
        Member other = new Member("s2", new Address("host", 2), 102, "");
        TabletId lower = new TabletId(0, Optional.of(MetadataKeys.of(new TabletId(1, Optional.empty()))));
        List<KnownTablet> parts = List.of(
                known(lower, MetadataSchema.ROOT.endRow(), one), known(MetadataSchema.LAST, lower.endRow(), other));
        Map<Member, List<TabletReport>> reports = new LinkedHashMap<>();
        reports.put(
                one, List.of(report(lower, requestsPerMinute), report(new TabletId(4, Optional.empty()), 10_000_000)));
        reports.put(other, List.of(report(MetadataSchema.LAST, requestsPerMinute)));
        Merges fresh = new Merges(
                cluster.metadata, new Hindrances(), scheduler, AT_ONCE, new TabletOrders(cluster, 5_000, 1), () -> {});
        fresh.seek(parts, as.apply(Sights.of(reports)), 1);
        return !fresh.wishes().isEmpty();
    }

    private static KnownTablet known(TabletId id, Optional<Bytes> previousEndRow, Member holder) {
        return new KnownTablet(
                id, previousEndRow, Phase.SERVING, holder.epoch(), false, false, false, 1_000, Optional.empty());
    }

    private static TabletReport report(TabletId id, long requestsPerMinute) {
        return TabletReport.newBuilder()
                .setTableId(id.tableId())
                .setEndRow(AvroBytes.buffer(id.endRow()))
                .setPhase(Phase.SERVING)
                .setMemtableBytes(0)
                .setFileBytes(1_000)
                .setFiles(1)
                .setRequestsPerMinute(requestsPerMinute)
                .build();
    }

    private void seek(int servers, IntUnaryOperator holder) {
        seek(servers, holder, sight -> sight);
    }

    /** So many servers live, and the two tablets of each lie with this one. */
    private void seek(int servers, IntUnaryOperator holder, UnaryOperator<Sight> as) {
        Map<Member, List<TabletReport>> reports = new LinkedHashMap<>();
        List<Member> members = IntStream.range(0, servers)
                .mapToObj(i -> new Member("s" + i, new Address("host", 1 + i), 100 + i, ""))
                .toList();
        members.forEach(member -> reports.put(member, new ArrayList<>()));
        List<KnownTablet> tablets = new ArrayList<>();
        Optional<Bytes> previous = Optional.empty();
        for (int i = 0; i < 2 * servers; i++) {
            Member member = members.get(holder.applyAsInt(i / 2));
            TabletId id = new TabletId(4, Optional.of(Bytes.utf8("%04d".formatted(i))));
            tablets.add(known(id, previous, member));
            Objects.requireNonNull(reports.get(member)).add(report(id, 0));
            previous = id.endRow();
        }
        Sight sight = as.apply(Sights.of(reports));
        merges.seek(tablets, sight, Merges.atATime(sight));
    }
}
