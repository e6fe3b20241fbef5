package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.model.ColumnKey;
import bt.model.GcRule;
import bt.model.Limits;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.protocol.WriteResult;
import bt.record.TabletReport;
import bt.testing.SeededTest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Tablets of a table of as many families as there may be, with a short cell in each: most of what there is of them is counted of families. */
class ManyFamiliesSimTest {
    private static final TableSchema DRAFT = draft(GcRule.KEEP_ALL);
    private static final List<String> ROWS =
            IntStream.range(0, 40).mapToObj("row %02d"::formatted).toList();

    /** Three times what the entries of all of them take, and less than is counted of their families. */
    private static final long MEMTABLE_BYTES = 3 << 20;

    /** For ten of those that have a cell in each family. */
    private static final long TABLET_BYTES = 1 << 19;

    private static TableSchema draft(GcRule rule) {
        return draft(Limits.FAMILIES, rule);
    }

    private static TableSchema draft(int families, GcRule rule) {
        TableSchema.Builder draft = TableSchema.draft("t");
        IntStream.range(0, families).forEach(i -> draft.family("f" + i, rule));
        return draft.build();
    }

    @SeededTest(runs = 2)
    void memtablesBecomeFilesBeforeTheyAndWhatIsCountedOfFamiliesTakeMoreThanTheirShare(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 1, 1 << 20, MEMTABLE_BYTES);
        sim.run(Duration.ofMinutes(30), () -> {
            long table = sim.createTable(DRAFT, ROWS.toArray(String[]::new));
            for (String row : ROWS) {
                assertThat(sim.write(table, cellInEach(row), Optional.empty()).failure())
                        .isEmpty();
                assertThat(memoryBytes(sim, table)).isLessThan(MEMTABLE_BYTES + (1 << 20));
            }
            sim.scheduler.pause(10_000);
            assertThat(memoryBytes(sim, table)).isLessThan(MEMTABLE_BYTES);
            assertThat(sim.tablets(table))
                    .anySatisfy(tablet -> assertThat(tablet.state().getFiles()).isNotEmpty());
        });
    }

    /** How much they tell of families is known when they are open: with all of them the server would end, and the next one. */
    @SeededTest(runs = 2)
    void tabletsWhoseFilesTellMuchOfFamiliesAreLoadedAsLongAsThereIsRoomForThem(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 3, 1 << 20, 32 << 20, TABLET_BYTES);
        sim.run(Duration.ofMinutes(60), () -> {
            long table = sim.createTable(draft(longRule(18)), ROWS.toArray(String[]::new));
            sim.awaitServed();
            for (int i = 1; i <= 3; i++) {
                List<WriteResult> unused = sim.writeOnce("server-" + i, table, cellsInEach(Limits.FAMILIES));
                sim.flush(table, "server-" + i);
            }
            sim.crashServers();
            sim.startServer("server-4");
            sim.scheduler.pause(120_000);
            assertThat(sim.schemas("server-4", table)).hasSizeBetween(2, ROWS.size());
            assertThat(sim.status("server-4").getFull()).isTrue();
            assertThat(sim.servedBytes("server-4", TABLET_BYTES)).isLessThan(2 * TABLET_BYTES);

            for (int i = 5; i < 9; i++) {
                sim.startServer("server-" + i);
            }
            sim.awaitServed();
        });
    }

    /** A rule may be as long as two thousand characters, and each family of each file tells it. */
    @SeededTest(runs = 2)
    void whatFilesTellOfLongRulesIsWhatWasForeseenOfThemOrLess(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 1, 1 << 20, 32 << 20, TABLET_BYTES);
        sim.run(Duration.ofMinutes(60), () -> {
            int families = 99;
            long table = sim.createTable(draft(families, longRule(98)), ROWS.toArray(String[]::new));
            sim.awaitServed();
            assertThat(sim.writeOnce("server-1", table, cellsInEach(1)))
                    .anySatisfy(result -> assertThat(result.failure()).isEmpty());
            assertThat(sim.writeOnce("server-1", table, cellsInEach(families)))
                    .anySatisfy(result -> assertThat(result.failure()).isEmpty())
                    .anySatisfy(result -> assertThat(result.failure()).isPresent());
            long foreseen = sim.servedBytes("server-1", TABLET_BYTES);
            assertThat(foreseen).isLessThan(TABLET_BYTES);
            sim.flush(table, "server-1");
            sim.scheduler.pause(2_000);
            assertThat(sim.servedBytes("server-1", TABLET_BYTES)).isLessThan(foreseen);
        });
    }

    /** Of so many parts, each of some 20 characters. */
    private static GcRule longRule(int parts) {
        return new GcRule.Any(LongStream.range(0, parts)
                .<GcRule>mapToObj(i -> new GcRule.MaxAge(1_000_000_000_000_000L + i))
                .toList());
    }

    private static List<RowMutation> cellsInEach(int families) {
        return ROWS.stream().map(row -> cellInEach(row, families)).toList();
    }

    private static RowMutation cellInEach(String row) {
        return cellInEach(row, Limits.FAMILIES);
    }

    private static RowMutation cellInEach(String row, int families) {
        RowMutation.Builder mutation = RowMutation.of(row);
        IntStream.range(0, families).forEach(i -> mutation.set(ColumnKey.of("f" + i, ""), Bytes.EMPTY));
        return mutation.build();
    }

    private static long memoryBytes(SimServers sim, long table) throws InterruptedException {
        return sim.status("server-1").getTablets().stream()
                .filter(report -> report.getTableId() == table)
                .mapToLong(TabletReport::getMemtableBytes)
                .sum();
    }
}
