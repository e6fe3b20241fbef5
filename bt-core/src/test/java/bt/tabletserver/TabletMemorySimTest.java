package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.metadata.MetadataRow;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.record.Phase;
import bt.record.TabletReport;
import bt.testing.SeededTest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Servers that are given more tablets than their memory has room for: with all of them one after the other would end. */
class TabletMemorySimTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();

    /** For some thirteen tablets at each of two servers, beside those of METADATA with what their memtables become. */
    private static final long TABLET_BYTES = 60_000;

    private static final int MOST_OF_ONE = 17;
    private static final List<String> ROWS =
            IntStream.range(0, 29).mapToObj("row %02d"::formatted).toList();

    @SeededTest(runs = 3)
    void whatFindsNoRoomAnywhereWaitsAndIsServedWhereThereIsSomeAgain(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 2, 1 << 20, 8 << 20, TABLET_BYTES);
        sim.run(Duration.ofMinutes(30), () -> {
            long table = sim.createTable(DRAFT, ROWS.toArray(String[]::new));
            sim.scheduler.pause(60_000);
            assertThat(served(sim, table)).hasSizeBetween(16, 2 * MOST_OF_ONE);
            for (String server : List.of("server-1", "server-2")) {
                assertThat(sim.isAlive(server)).isTrue();
                assertThat(servedBy(sim, server)).isBetween(8L, (long) MOST_OF_ONE);
                assertThat(sim.status(server).getFull()).isTrue();
                assertThat(sim.status(server).getProblems()).anySatisfy(problem -> assertThat(problem)
                        .startsWith("it loads no new tablets: ")
                        .contains(" of " + TABLET_BYTES + " bytes: start another server"));
            }
            // METADATA's always have room.
            assertThat(served(sim, TableSchema.METADATA_ID)).hasSize(2);
            assertThat(sim.report().getProblems()).anySatisfy(problem -> assertThat(problem)
                    .contains(" is offline: it takes ")
                    .contains("bytes of the server's memory"));

            // A try is two writes of the row, and a pass that has something open: there is none while none has room.
            Map<TabletId, Long> waiting = generations(sim, table);
            sim.scheduler.pause(300_000);
            Map<TabletId, Long> later = generations(sim, table);
            assertThat(later).isEqualTo(waiting);

            sim.startServer("server-3");
            long began = sim.scheduler.clock().nanos();
            while (served(sim, table).size() < ROWS.size() + 1) {
                assertThat(Duration.ofNanos(sim.scheduler.clock().nanos() - began))
                        .isLessThan(Duration.ofMinutes(2));
                sim.scheduler.pause(1_000);
            }
            assertThat(servedBy(sim, "server-3")).isLessThanOrEqualTo(MOST_OF_ONE);
        });
    }

    /** What is said of a table may be a megabyte, and a server have thousands of its tablets. */
    @SeededTest(runs = 3)
    void tabletsThatAreLoadedOneAfterTheOtherHaveOneDescriptionOfTheirTable(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 2, 1 << 20);
        sim.run(Duration.ofMinutes(30), () -> {
            long table = sim.createTable(DRAFT, ROWS.toArray(String[]::new));
            while (served(sim, table).size() < ROWS.size() + 1) {
                sim.scheduler.pause(1_000);
            }
            assertOneDescription(sim.schemas("server-1", table), 1);
            assertOneDescription(sim.schemas("server-2", table), 1);
            int before = sim.schemas("server-2", table).size();
            assertThat(before).as("what server-1 has comes to others").isPositive();

            sim.drain("server-1");
            while (served(sim, table).size() < ROWS.size() + 1) {
                sim.scheduler.pause(1_000);
            }
            assertThat(sim.schemas("server-2", table)).hasSize(ROWS.size() + 1).hasSizeGreaterThan(before);
            assertOneDescription(sim.schemas("server-2", table), 1);

            sim.rewriteTable(
                    table, DRAFT.change().addFamily("g", GcRule.KEEP_ALL).build());
            assertOneDescription(sim.schemas("server-2", table), 2);
        });
    }

    private static void assertOneDescription(List<TableSchema> schemas, long version) {
        assertThat(schemas).allSatisfy(schema -> assertThat(schema).isSameAs(schemas.get(0)));
        assertThat(schemas).extracting(TableSchema::version).containsOnly(version);
    }

    private static List<MetadataRow> served(SimServers sim, long table) throws InterruptedException {
        return sim.tablets(table).stream()
                .filter(row -> row.location().getPhase() == Phase.SERVING)
                .toList();
    }

    /** Of those that are not served. */
    private static Map<TabletId, Long> generations(SimServers sim, long table) throws InterruptedException {
        Map<TabletId, Long> generations = new TreeMap<>();
        sim.tablets(table).stream()
                .filter(row -> row.location().getPhase() != Phase.SERVING)
                .forEach(row -> generations.put(row.id(), row.generation()));
        return generations;
    }

    /** Of users. */
    private static long servedBy(SimServers sim, String server) throws InterruptedException {
        return sim.status(server).getTablets().stream()
                .filter(report -> report.getTableId() != TableSchema.METADATA_ID)
                .map(TabletReport::getPhase)
                .filter(Phase.SERVING::equals)
                .count();
    }
}
