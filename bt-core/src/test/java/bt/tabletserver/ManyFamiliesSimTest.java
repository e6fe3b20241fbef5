package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.model.ColumnKey;
import bt.model.GcRule;
import bt.model.Limits;
import bt.model.RowMutation;
import bt.model.TableSchema;
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

    /** For four of those whose files tell a long rule of each family. */
    private static final long TABLET_BYTES = 1 << 20;

    private static TableSchema draft(GcRule rule) {
        TableSchema.Builder draft = TableSchema.draft("t");
        IntStream.range(0, Limits.FAMILIES).forEach(i -> draft.family("f" + i, rule));
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
        SimServers sim = new SimServers(random.nextLong(), 1, 1 << 20, 32 << 20, TABLET_BYTES);
        sim.run(Duration.ofMinutes(60), () -> {
            List<String> rows = ROWS.subList(0, 20);
            long table = sim.createTable(draft(longRule()), rows.toArray(String[]::new));
            for (String row : rows) {
                assertThat(sim.write(table, cellInEach(row), Optional.empty()).failure())
                        .isEmpty();
            }
            assertThat(sim.status("server-1").getFull()).isFalse();
            sim.flush(table, "server-1");
            sim.scheduler.pause(2_000);
            assertThat(sim.status("server-1").getFull()).isTrue();

            sim.crash("server-1");
            sim.startServer("server-2");
            sim.scheduler.pause(120_000);
            assertThat(servedBy(sim, "server-2", table)).isBetween(2, 14);
            assertThat(sim.status("server-2").getFull()).isTrue();

            for (int i = 3; i < 12; i++) {
                sim.startServer("server-" + i);
            }
            sim.awaitServed();
        });
    }

    /** A file tells it of each family, in some 400 bytes. */
    private static GcRule longRule() {
        return new GcRule.Any(LongStream.range(0, 18)
                .<GcRule>mapToObj(i -> new GcRule.MaxAge(1_000_000_000_000_000L + i))
                .toList());
    }

    private static int servedBy(SimServers sim, String server, long table) throws InterruptedException {
        return sim.schemas(server, table).size();
    }

    private static RowMutation cellInEach(String row) {
        RowMutation.Builder mutation = RowMutation.of(row);
        DRAFT.families().forEach(family -> mutation.set(ColumnKey.of(family.name(), ""), Bytes.EMPTY));
        return mutation.build();
    }

    private static long memoryBytes(SimServers sim, long table) throws InterruptedException {
        return sim.status("server-1").getTablets().stream()
                .filter(report -> report.getTableId() == table)
                .mapToLong(TabletReport::getMemtableBytes)
                .sum();
    }
}
