package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.base.OverloadedException;
import bt.model.ColumnKey;
import bt.model.GcRule;
import bt.model.LocalityGroup;
import bt.model.RowMutation;
import bt.model.SchemaChange;
import bt.model.TableSchema;
import bt.protocol.WriteResult;
import bt.record.Phase;
import bt.testing.SeededTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Who gives tablets a file for each of many locality groups takes no more of a server than there is, and nothing that others need. */
class WriteRoomSimTest {
    private static final int GROUPS = 16;
    private static final long TABLET_BYTES = 1 << 20;

    /** With all groups they take three times of what there is. */
    private static final List<String> MANY_ROWS =
            IntStream.range(0, 40).mapToObj("row %02d"::formatted).toList();

    private static final List<String> SOME_ROWS = MANY_ROWS.subList(0, 4);

    private static TableSchema draft(String name, int groups) {
        TableSchema.Builder draft = TableSchema.draft(name);
        for (int i = 0; i < groups; i++) {
            draft.group(group(i)).family("f" + i, "g" + i, GcRule.KEEP_ALL);
        }
        return draft.build();
    }

    private static LocalityGroup group(int number) {
        LocalityGroup like = LocalityGroup.DEFAULT;
        return new LocalityGroup("g" + number, like.blockBytes(), like.codec(), like.inMemory(), like.bloom());
    }

    private static RowMutation cellInEach(String row, int groups) {
        RowMutation.Builder mutation = RowMutation.of(row);
        for (int i = 0; i < groups; i++) {
            mutation.set(ColumnKey.of("f" + i, ""), Bytes.EMPTY);
        }
        return mutation.build();
    }

    private static List<RowMutation> cellInEach(List<String> rows) {
        return rows.stream().map(row -> cellInEach(row, GROUPS)).toList();
    }

    @SeededTest(runs = 3)
    void filesOfOneTableHaveABoundAndAreNoReasonToRefuseWritesOfASmallOne(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 1, 1 << 20, 8 << 20, TABLET_BYTES);
        sim.run(Duration.ofMinutes(60), () -> {
            long small = sim.createTable(draft("small", 1));
            long middle = sim.createTable(draft("middle", GROUPS), SOME_ROWS.toArray(String[]::new));
            long large = sim.createTable(draft("large", GROUPS), MANY_ROWS.toArray(String[]::new));
            sim.awaitServed();
            assertThat(sim.writeOnce("server-1", middle, cellInEach(SOME_ROWS)))
                    .allSatisfy(result -> assertThat(result.failure()).isEmpty());
            sim.flush(middle, "server-1");

            List<RowMutation> left = cellInEach(MANY_ROWS);
            for (int i = 0; i < 3; i++) {
                List<WriteResult> results = sim.writeOnce("server-1", large, left);
                assertThat(results).anySatisfy(result -> assertThat(result.failure())
                        .get()
                        .isInstanceOf(OverloadedException.class)
                        .asString()
                        .contains("its tablet would get " + GROUPS + " more files"));
                if (i == 0) {
                    assertThat(results)
                            .anySatisfy(result -> assertThat(result.failure()).isEmpty());
                }
                left = refused(left, results);
                assertThat(sim.servedBytes("server-1", TABLET_BYTES)).isLessThan(TABLET_BYTES);
                sim.flush(large, "server-1");
                sim.scheduler.pause(2_000);
                assertThat(sim.servedBytes("server-1", TABLET_BYTES)).isLessThan(TABLET_BYTES);
                assertThat(refusal(sim)).contains("most of all table large with ");

                assertThat(sim.writeOnce("server-1", small, List.of(cellInEach("row", 1))))
                        .allSatisfy(result -> assertThat(result.failure()).isEmpty());
                sim.flush(small, "server-1");
            }
            assertThat(sim.writeOnce("server-1", middle, cellInEach(SOME_ROWS)))
                    .as("they have files")
                    .allSatisfy(result -> assertThat(result.failure()).isEmpty());

            sim.dropTable("large", large);
            sim.scheduler.pause(60_000);
            assertThat(refusal(sim)).isEmpty();
        });
    }

    /** What its memtables have was counted as one file each. */
    @SeededTest(runs = 3)
    void aTableThatIsAlteredToManyGroupsTakesHardlyMoreThanThereIs(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 1, 1 << 20, 8 << 20, TABLET_BYTES);
        sim.run(Duration.ofMinutes(60), () -> {
            long table = sim.createTable(inOneGroup(), MANY_ROWS.toArray(String[]::new));
            sim.awaitServed();
            assertAllTaken(sim.writeOnce("server-1", table, cellInEach(MANY_ROWS)));
            assertThat(sim.servedBytes("server-1", TABLET_BYTES)).isLessThan(TABLET_BYTES);
            sim.rewriteTable(table, inGroups());
            for (int i = 0; i < 3; i++) {
                sim.flush(table);
                sim.scheduler.pause(120_000);
                assertThat(sim.servedBytes("server-1", TABLET_BYTES)).isLessThan(TABLET_BYTES + TABLET_BYTES / 8);
                assertAllTaken(sim.writeOnce("server-1", table, cellInEach(MANY_ROWS)));
            }
        });
    }

    private static TableSchema inOneGroup() {
        TableSchema.Builder draft = TableSchema.draft("altered");
        for (int i = 0; i < GROUPS; i++) {
            draft.family("f" + i, GcRule.KEEP_ALL);
        }
        return draft.build();
    }

    private static TableSchema inGroups() {
        SchemaChange change = inOneGroup().change();
        for (int i = 0; i < GROUPS; i++) {
            change.group(group(i)).moveFamily("f" + i, "g" + i);
        }
        return change.build();
    }

    /** What writes may take ends where there is room left for what other servers have had. */
    @SeededTest(runs = 3)
    void whoTakesWhatHeMayOfAllServersKeepsNobodysTabletsFromBeingServedAfterADeath(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 3, 1 << 20, 32 << 20, TABLET_BYTES);
        sim.run(Duration.ofMinutes(60), () -> {
            long small = sim.createTable(draft("small", 1));
            sim.awaitServed();
            assertThat(sim.write(small, cellInEach("row", 1), Optional.empty()).failure())
                    .isEmpty();
            List<String> rows =
                    IntStream.range(0, 60).mapToObj("row %02d"::formatted).toList();
            long large = sim.createTable(draft("large", GROUPS), rows.toArray(String[]::new));
            sim.awaitServed();
            for (int i = 1; i <= 3; i++) {
                assertThat(sim.writeOnce("server-" + i, large, cellInEach(rows)))
                        .anySatisfy(
                                result -> assertThat(result.failure()).get().isInstanceOf(OverloadedException.class));
                sim.flush(large, "server-" + i);
            }
            sim.scheduler.pause(10_000);
            sim.crash(sim.serverOf(small));
            sim.scheduler.pause(120_000);
            assertThat(sim.tablets(small))
                    .allSatisfy(row -> assertThat(row.location().getPhase()).isEqualTo(Phase.SERVING));
        });
    }

    /** All of them one user's, who may have any number. */
    @SeededTest(runs = 3)
    void manyTablesThatTakeWhatTheyMayKeepNoneFromBeingWrittenNorFromBeingServedAfterARestart(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 1, 1 << 20, 32 << 20, TABLET_BYTES);
        sim.run(Duration.ofHours(2), () -> {
            List<String> rows = MANY_ROWS.subList(0, 12);
            List<RowMutation> cells =
                    rows.stream().map(row -> cellInEach(row, 1)).toList();
            long good = sim.createTable(draft("good", 1), rows.toArray(String[]::new));
            List<Long> others = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                others.add(sim.createTable(draft("other" + i, GROUPS)));
            }
            sim.awaitServed();
            assertAllTaken(sim.writeOnce("server-1", good, cells));
            sim.flush(good, "server-1");

            List<WriteResult> results = new ArrayList<>();
            for (long other : others) {
                results.addAll(sim.writeOnce("server-1", other, List.of(cellInEach("row", GROUPS))));
                sim.flush(other, "server-1");
            }
            assertThat(results)
                    .anySatisfy(result -> assertThat(result.failure()).get().isInstanceOf(OverloadedException.class));
            for (int i = 0; i < 4; i++) {
                sim.scheduler.pause(10_000);
                assertAllTaken(sim.writeOnce("server-1", good, cells));
                sim.flush(good, "server-1");
            }

            sim.crash("server-1");
            sim.startServer("server-2");
            sim.awaitServed();
        });
    }

    /** By all else that they have to do the two are alike. */
    @SeededTest(runs = 3)
    void aFullServerGivesTabletsToOneThatHasMuchLeftAndTakesWritesAgain(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 2, 1 << 20, 32 << 20, TABLET_BYTES);
        sim.run(Duration.ofMinutes(60), () -> {
            long large = sim.createTable(draft("large", GROUPS), MANY_ROWS.toArray(String[]::new));
            sim.awaitServed();
            List<RowMutation> own = cellInEach(sim.tablets(large).stream()
                    .filter(row -> row.location().getAddress().startsWith("server-1:"))
                    .flatMap(row -> row.id().endRow().stream().map(Bytes::toUtf8))
                    .toList());
            List<RowMutation> refused = refused(own, sim.writeOnce("server-1", large, own));
            assertThat(refused).isNotEmpty().hasSizeLessThan(own.size());
            assertThat(sim.status("server-1").getFull()).isTrue();
            assertThat(sim.status("server-2").getFull()).isFalse();

            sim.scheduler.pause(120_000);
            assertThat(sim.status("server-1").getFull()).isFalse();
            assertThat(sim.status("server-2").getFull()).isFalse();
            assertThat(refusal(sim)).isEmpty();
            assertThat(sim.write(large, refused.get(0), Optional.empty()).failure())
                    .isEmpty();
        });
    }

    private static List<RowMutation> refused(List<RowMutation> mutations, List<WriteResult> results) {
        return IntStream.range(0, results.size())
                .filter(i -> results.get(i).failure().isPresent())
                .mapToObj(mutations::get)
                .toList();
    }

    private static void assertAllTaken(List<WriteResult> results) {
        assertThat(results).allSatisfy(result -> assertThat(result.failure()).isEmpty());
    }

    private static String refusal(SimServers sim) throws InterruptedException {
        return sim.status("server-1").getProblems().stream()
                .map(Object::toString)
                .filter(problem -> problem.startsWith("it refuses writes that give tablets files"))
                .findFirst()
                .orElse("");
    }
}
