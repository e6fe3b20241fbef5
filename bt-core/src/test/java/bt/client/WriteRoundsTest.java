package bt.client;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.model.ColumnKey;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.protocol.Request;
import bt.protocol.WriteNumbers;
import bt.testing.LimitCases;
import bt.testing.MemoryCluster;
import bt.testing.MemoryCluster.Fate;
import bt.testing.SimScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WriteRoundsTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
    private static final ColumnKey TEXT = ColumnKey.of("f", "q");

    private MemoryCluster cluster;
    private Bigtable bigtable;
    private Table table;

    @BeforeEach
    void start() throws Exception {
        cluster = new MemoryCluster();
        cluster.table(4, DRAFT, List.of(Bytes.utf8("r4")), 2);
        bigtable = Bigtable.over(cluster, cluster.locks, cluster.scheduler);
        table = bigtable.table("t");
    }

    @AfterEach
    void stop() {
        bigtable.close();
        cluster.close();
    }

    @Test
    void severalMutationsAreAppliedEachByItselfAndThoseOfARowInTheirOrder() throws Exception {
        List<RowMutation> mutations = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            RowMutation.Builder mutation = RowMutation.of("r" + i % 1_100);
            boolean isCounter = i % 1_000 == 7;
            mutations.add(
                    (isCounter ? mutation.increment(TEXT, 1) : mutation.append(TEXT, Bytes.utf8(i + " "))).build());
        }

        List<Written> written = table.applyAll(mutations);

        for (int i = 0; i < 3_000; i++) {
            // The first finds nothing yet, which is a counter.
            assertThat(written.get(i).failure().isPresent()).isEqualTo(i % 1_000 == 7 && i > 1_100);
        }
        assertThat(written.get(2_007).failure()).containsInstanceOf(RejectedException.class);
        assertThat(table.read(Bytes.utf8("r5")).orElseThrow().value(TEXT)).contains(Bytes.utf8("5 1105 2205 "));
        assertThat(written.get(2205).answer()).isEqualTo("5 1105 2205 ".length());
    }

    /** Together they would be one request that no server takes, though it takes each. */
    @Test
    void mutationsOfManyLongDeletionsAreSentInRequestsOfTheirOwn() throws Exception {
        List<RowMutation> deletions =
                List.of(LimitCases.deletions(Bytes.utf8("r5")), LimitCases.deletions(Bytes.utf8("r6")));
        List<Integer> writes = Collections.synchronizedList(new ArrayList<>());
        cluster.fates((to, request) -> {
            if (request instanceof Request.Mutate mutate) {
                writes.add(mutate.writes().size());
            }
            return Fate.DELIVERED;
        });

        assertThat(table.applyAll(deletions))
                .allSatisfy(written -> assertThat(written.failure()).isEmpty());

        assertThat(writes).containsExactly(1, 1);
    }

    /** Writes to one row are rounds of one. */
    @Test
    void allRoundsTogetherWaitNoLongerThanOneWrite() {
        cluster.fates((to, request) -> request instanceof Request.Mutate ? Fate.NO_CONNECTION : Fate.DELIVERED);
        List<RowMutation> mutations = Collections.nCopies(
                5, RowMutation.of("r").append(TEXT, Bytes.utf8("x")).build());
        SimScheduler time = new SimScheduler(1);

        time.run(Duration.ofHours(1), () -> {
            try (Bigtable client = Bigtable.over(cluster, cluster.locks, time, time.random("client"))) {
                long begin = time.clock().nanos();
                List<Written> written = client.table("t").applyAll(mutations);

                assertThat(Duration.ofNanos(time.clock().nanos() - begin))
                        .isBetween(Duration.ofSeconds(50), Duration.ofSeconds(61));
                assertThat(written).hasSize(5).allSatisfy(each -> assertThat(each.failure())
                        .get(InstanceOfAssertFactories.throwable(BigtableException.class))
                        .hasMessageStartingWith("table t row r: ")
                        .isInstanceOfSatisfying(UnavailableException.class, failure -> assertThat(failure.outcome())
                                .isEqualTo(Outcome.NOT_APPLIED)));
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    /** More than a round of them come first, and one of the others is to a row that is written before. */
    @Test
    void aTabletThatNobodyServesKeepsNoWriteToOthersBackAndItsOwnStayInTheirOrder() throws Exception {
        Address away = MemoryCluster.address(5);
        cluster.move(new TabletId(4, Optional.of(Bytes.utf8("r4"))), 2, 5);
        SimScheduler time = new SimScheduler(1);
        List<RowMutation> mutations = new ArrayList<>();
        for (int i = 0; i < 2_500; i++) {
            mutations.add(append("r1/" + i, "x"));
        }
        mutations.addAll(List.of(append("r1/0", "y"), append("r5", "a"), append("r5", "b"), append("r6", "c")));
        AtomicBoolean isServed = new AtomicBoolean();
        cluster.fates((to, request) -> to.equals(away) && !isServed.get() ? Fate.NO_CONNECTION : Fate.DELIVERED);
        List<Long> answered = new ArrayList<>();
        time.run(Duration.ofHours(1), () -> {
            try (Bigtable client = Bigtable.over(cluster, cluster.locks, time, time.random("client"))) {
                time.start("look", () -> {
                    time.pause(20_000);
                    answered.add(values("r5", "r6"));
                    isServed.set(true);
                });
                assertThat(client.table("t").applyAll(mutations))
                        .allSatisfy(each -> assertThat(each.failure()).isEmpty());
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
        assertThat(answered)
                .as("of those that are served, long before the others")
                .containsExactly(3L);
        assertThat(table.read(Bytes.utf8("r1/0")).orElseThrow().value(TEXT)).contains(Bytes.utf8("xy"));
        assertThat(table.read(Bytes.utf8("r5")).orElseThrow().value(TEXT)).contains(Bytes.utf8("ab"));
    }

    /** One of each round is refused: a pause behind each would be as long as the call. */
    @Test
    void writesToATabletThatNobodyServesKeepNoneBackWhereTheyStandBetweenThem() throws Exception {
        List<RowMutation> mutations = new ArrayList<>();
        for (int i = 0; i < 50_000; i++) {
            mutations.add(append((i % 10 == 0 ? "r1/" : "r5/") + i, "x"));
        }
        mutations.addAll(List.of(append("r1/0", "y"), append("r6", "a"), append("r6", "b"), append("r6", "c")));
        assertThat(whileOneTabletIsAway(Fate.NO_CONNECTION, mutations, (client, time) -> values("r5/49999", "r6")))
                .as("of those that are served, long before the others")
                .isEqualTo(4);
        assertThat(table.read(Bytes.utf8("r1/0")).orElseThrow().value(TEXT)).contains(Bytes.utf8("xy"));
        assertThat(table.read(Bytes.utf8("r6")).orElseThrow().value(TEXT)).contains(Bytes.utf8("abc"));
    }

    /** A number that is given back too early has a write applied twice, or before the one in front of it. */
    @Test
    void eachIsAppliedOnceAndInItsOrderWhateverBecomesOfRequestsAndAnswers() throws Exception {
        List<RowMutation> mutations = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            mutations.add(append("r" + i % 700, i + " "));
        }
        SimScheduler time = new SimScheduler(1);
        RandomGenerator random = time.random("fates");
        List<Fate> fates =
                List.of(Fate.DELIVERED, Fate.DELIVERED, Fate.NO_CONNECTION, Fate.REQUEST_LOST, Fate.ANSWER_LOST);
        AtomicInteger requests = new AtomicInteger();
        cluster.fates((to, request) -> request instanceof Request.Mutate && requests.incrementAndGet() <= 8
                ? fates.get(random.nextInt(fates.size()))
                : Fate.DELIVERED);
        time.run(Duration.ofHours(1), () -> {
            ClientOptions patient = ClientOptions.DEFAULT.operationTimeout(Duration.ofMinutes(5));
            try (Bigtable client = Bigtable.over(cluster, cluster.locks, time, time.random("client"), patient)) {
                assertThat(client.table("t").applyAll(mutations))
                        .allSatisfy(each -> assertThat(each.failure()).isEmpty());
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
        for (int row = 0; row < 700; row++) {
            StringBuilder all = new StringBuilder();
            for (int i = row; i < 3_000; i += 700) {
                all.append(i).append(' ');
            }
            assertThat(table.read(Bytes.utf8("r" + row)).orElseThrow().value(TEXT))
                    .contains(Bytes.utf8(all.toString()));
        }
    }

    /** Or servers would be asked again and again by who is refused. */
    @Test
    void behindARoundOfWhichNothingWasTakenThereIsAPause() {
        List<RowMutation> mutations = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            mutations.add(append("r5/" + i, "x"));
        }
        SimScheduler time = new SimScheduler(1);
        List<Long> tried = new ArrayList<>();
        cluster.fates((to, request) -> {
            if (request instanceof Request.Mutate) {
                tried.add(TimeUnit.NANOSECONDS.toMillis(time.clock().nanos()));
                return Fate.NO_CONNECTION;
            }
            return Fate.DELIVERED;
        });
        time.run(Duration.ofHours(1), () -> {
            try (Bigtable client = Bigtable.over(cluster, cluster.locks, time, time.random("client"))) {
                assertThat(client.table("t").applyAll(mutations))
                        .allSatisfy(each -> assertThat(each.failure()).isPresent());
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
        assertThat(tried).hasSizeBetween(60, 200).doesNotHaveDuplicates();
    }

    /** What no server has heard of holds no number, however often it was tried. */
    @Test
    void aWriteThatNobodyTakesLeavesTheNumbersToAllOthers() throws Exception {
        List<RowMutation> mutations = new ArrayList<>(List.of(append("r1", "x"), append("r1", "y")));
        for (int i = 0; i < WriteNumbers.SPAN + 2_000; i++) {
            mutations.add(append("r5/" + i, "x"));
        }
        String lastRow = "r5/" + (WriteNumbers.SPAN + 1_999);
        assertThat(whileOneTabletIsAway(Fate.NO_CONNECTION, mutations, (client, time) -> values(lastRow)))
                .as("more than there are numbers")
                .isEqualTo(1);
        assertThat(table.read(Bytes.utf8("r1")).orElseThrow().value(TEXT)).contains(Bytes.utf8("xy"));
    }

    /** It keeps its number, or could be applied twice. */
    @Test
    void behindAWriteThatAServerMayHaveOneCallTakesHalfOfTheNumbers() throws Exception {
        List<RowMutation> mutations = new ArrayList<>(List.of(append("r1", "x"), append("r1", "y")));
        for (int i = 0; i < WriteNumbers.SPAN + 2_000; i++) {
            mutations.add(append("r5/" + i, "x"));
        }
        long waited = whileOneTabletIsAway(Fate.ANSWER_LOST, mutations, (client, time) -> {
            long begin = time.clock().nanos();
            client.table("t").apply(append("r7", "z"));
            return Duration.ofNanos(time.clock().nanos() - begin).toMillis();
        });
        assertThat(waited).as("milliseconds of another call").isLessThan(100);
        assertThat(table.read(Bytes.utf8("r1")).orElseThrow().value(TEXT)).contains(Bytes.utf8("xy"));
    }

    /** All are applied within a minute, of which one tablet's requests share this fate for the first 35 s; a look at 30 s. */
    private long whileOneTabletIsAway(Fate fate, List<RowMutation> mutations, Look look) throws Exception {
        Address away = MemoryCluster.address(5);
        cluster.move(new TabletId(4, Optional.of(Bytes.utf8("r4"))), 2, 5);
        AtomicBoolean isServed = new AtomicBoolean();
        cluster.fates((to, request) -> to.equals(away) && !isServed.get() ? fate : Fate.DELIVERED);
        List<Long> seen = new ArrayList<>();
        SimScheduler time = new SimScheduler(1);
        time.run(Duration.ofHours(1), () -> {
            try (Bigtable client = Bigtable.over(cluster, cluster.locks, time, time.random("client"))) {
                time.start("look", () -> {
                    time.pause(30_000);
                    try {
                        seen.add(look.at(client, time));
                    } catch (BigtableException failed) {
                        throw new AssertionError(failed);
                    }
                    time.pause(5_000);
                    isServed.set(true);
                });
                assertThat(client.table("t").applyAll(mutations))
                        .allSatisfy(each -> assertThat(each.failure()).isEmpty());
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
        assertThat(seen).hasSize(1);
        return seen.get(0);
    }

    /** At what has become of others while writes are under way. */
    @FunctionalInterface
    private interface Look {
        long at(Bigtable client, SimScheduler time) throws BigtableException;
    }

    private static RowMutation append(String row, String text) {
        return RowMutation.of(row).append(TEXT, Bytes.utf8(text)).build();
    }

    /** How many bytes they have. */
    private long values(String... rows) {
        long bytes = 0;
        for (String row : rows) {
            try {
                Optional<Bytes> value = table.read(Bytes.utf8(row)).flatMap(found -> found.value(TEXT));
                bytes += value.map(Bytes::length).orElse(0);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        }
        return bytes;
    }

    @Test
    void whatIsToATabletThatNobodyServesFailsAloneAndSaysWhatItIs() throws Exception {
        Address away = MemoryCluster.address(5);
        cluster.move(new TabletId(4, Optional.of(Bytes.utf8("r4"))), 2, 5);
        cluster.fates((to, request) -> to.equals(away) ? Fate.NO_CONNECTION : Fate.DELIVERED);
        SimScheduler time = new SimScheduler(1);
        List<RowMutation> mutations =
                List.of(append("r1", "x"), append("r5", "a"), append("r5", "b"), append("r1", "y"), append("r6", "c"));
        time.run(Duration.ofHours(1), () -> {
            try (Bigtable client = Bigtable.over(cluster, cluster.locks, time, time.random("client"))) {
                List<Written> written = client.table("t").applyAll(mutations);
                assertThat(written)
                        .extracting(each -> each.failure().isPresent())
                        .containsExactly(true, false, false, true, false);
                assertThat(written.get(0).failure().orElseThrow()).hasMessageStartingWith("table t row r1: ");
                assertThat(written.get(3).failure().orElseThrow())
                        .isInstanceOf(UnavailableException.class)
                        .hasMessageStartingWith("table t row r1: ");
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    @Test
    void whatIsOpenWhenTheClientIsClosedBetweenTwoRoundsIsToldSo() throws Exception {
        Address away = MemoryCluster.address(5);
        cluster.move(new TabletId(4, Optional.of(Bytes.utf8("r4"))), 2, 5);
        List<RowMutation> mutations = new ArrayList<>(List.of(append("r1", "x")));
        for (int i = 0; i < 2_500; i++) {
            mutations.add(append("r5/" + i, "a"));
        }
        Bigtable client = Bigtable.over(cluster, cluster.locks, cluster.scheduler);
        AtomicInteger requests = new AtomicInteger();
        Table closing = client.table("t");
        cluster.fates((to, request) -> {
            if (request instanceof Request.Mutate && !to.equals(away) && requests.incrementAndGet() == 2) {
                client.close();
            }
            return to.equals(away) ? Fate.NO_CONNECTION : Fate.DELIVERED;
        });
        List<Written> written = closing.applyAll(mutations);
        assertThat(written.subList(1, 2_000))
                .allSatisfy(each -> assertThat(each.failure()).isEmpty());
        for (Written untold : List.of(written.get(0), written.get(2_500))) {
            assertThat(untold.failure())
                    .get(InstanceOfAssertFactories.throwable(BigtableException.class))
                    .isInstanceOf(RejectedException.class)
                    .hasMessageContaining("the client was closed");
        }
    }

    /** What was not sent is told as what it is, among as many others as there are. */
    @Test
    void whatThereIsNoTimeForIsToldWithItsTableAndItsRow() {
        List<RowMutation> mutations = Collections.nCopies(
                3, RowMutation.of("r").append(TEXT, Bytes.utf8("x")).build());
        SimScheduler time = new SimScheduler(1);
        cluster.fates((to, request) -> request instanceof Request.Mutate ? lateRefusal(time) : Fate.DELIVERED);
        time.run(Duration.ofHours(1), () -> {
            try (Bigtable client = Bigtable.over(cluster, cluster.locks, time, time.random("client"))) {
                List<Written> written = client.table("t").applyAll(mutations);
                assertThat(written.subList(1, 3)).allSatisfy(each -> assertThat(each.failure())
                        .get(InstanceOfAssertFactories.throwable(BigtableException.class))
                        .hasMessageStartingWith("table t row r: the time of the call was over before"));
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    /** Longer than a call may last. */
    private static Fate lateRefusal(SimScheduler time) {
        try {
            time.pause(90_000);
            return Fate.NO_CONNECTION;
        } catch (InterruptedException ended) {
            throw new AssertionError(ended);
        }
    }

    @Test
    void ofNoneNothingBecomes() throws Exception {
        assertThat(table.applyAll(List.of())).isEmpty();
    }
}
