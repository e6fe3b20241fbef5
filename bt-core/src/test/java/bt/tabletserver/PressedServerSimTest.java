package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.Bytes;
import bt.model.ColumnKey;
import bt.model.GcRule;
import bt.model.LocalityGroup;
import bt.model.RowMutation;
import bt.model.SchemaChange;
import bt.model.TableSchema;
import bt.protocol.Address;
import bt.protocol.Request;
import bt.protocol.WriteResult;
import bt.record.TableWork;
import bt.record.TabletReport;
import bt.record.WorkOnTable;
import bt.tablet.OpenWrites;
import bt.testing.SeededTest;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** A server whose tablets take more of its memory than their share merges their files sooner, and makes no more of them. */
class PressedServerSimTest {
    private static final long TABLET_BYTES = 200_000;
    private static final int FAMILIES = 4;
    private static final List<String> ROWS = List.of("a", "b", "c", "d", "e");

    /** With a change in each of its groups a tablet of the second table is to become as many files. */
    private static final int GROUPS = 8;

    private static LocalityGroup group(int number) {
        LocalityGroup like = LocalityGroup.DEFAULT;
        return new LocalityGroup("g" + number, like.blockBytes(), like.codec(), like.inMemory(), like.bloom());
    }

    private static TableSchema oneGroup() {
        TableSchema.Builder draft = TableSchema.draft("files");
        for (int i = 0; i < FAMILIES; i++) {
            draft.family("f" + i, GcRule.KEEP_ALL);
        }
        return draft.build();
    }

    private static TableSchema groupsOfOneFamily() {
        SchemaChange change = oneGroup().change();
        for (int i = 0; i < FAMILIES; i++) {
            change.group(group(i)).moveFamily("f" + i, "g" + i);
        }
        return change.build();
    }

    private static TableSchema manyGroups() {
        TableSchema.Builder draft = TableSchema.draft("memtables");
        for (int i = 0; i < GROUPS; i++) {
            draft.group(group(i)).family("f" + i, "g" + i, GcRule.KEEP_ALL);
        }
        return draft.build();
    }

    private static RowMutation cells(String row, int families) {
        RowMutation.Builder mutation = RowMutation.of(row);
        for (int i = 0; i < families; i++) {
            mutation.set(ColumnKey.of("f" + i, ""), Bytes.EMPTY);
        }
        return mutation.build();
    }

    /** Each tablet of these rows gets so many files. */
    private static long tableOfFiles(SimServers sim, List<String> rows, int files) throws InterruptedException {
        long table = sim.createTable(oneGroup(), rows.toArray(String[]::new));
        sim.awaitServed();
        for (int i = 0; i < files; i++) {
            for (String row : rows) {
                assertThat(sim.write(table, cells(row, FAMILIES), Optional.empty())
                                .failure())
                        .isEmpty();
            }
            sim.flush(table);
        }
        return table;
    }

    private static long tableOfMemtables(SimServers sim, int tablets) throws InterruptedException {
        List<String> rows = ROWS.subList(0, tablets);
        long table = sim.createTable(manyGroups(), rows.subList(1, tablets).toArray(String[]::new));
        sim.awaitServed();
        assertThat(sim.servedBytes("server-1", TABLET_BYTES)).isLessThan(TABLET_BYTES);
        assertAllTaken(sim.writeOnce(
                "server-1", table, rows.stream().map(row -> cells(row, GROUPS)).toList()));
        assertThat(sim.servedBytes("server-1", TABLET_BYTES)).isGreaterThan(TABLET_BYTES);
        return table;
    }

    /** How many files with cells each tablet of these rows has. */
    private static List<Long> files(SimServers sim, long table, List<String> rows) throws InterruptedException {
        return sim.tablets(table).stream()
                .limit(rows.size())
                .map(row -> row.state().getFiles().stream()
                        .filter(file -> !OpenWrites.isFile(file))
                        .count())
                .toList();
    }

    @SeededTest(runs = 3)
    void filesAreMergedWhenOtherTabletsTakeTheMemoryThoughNobodyWritesToThem(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 1, 1 << 20, 8 << 20, TABLET_BYTES);
        sim.run(Duration.ofMinutes(60), () -> {
            long table = tableOfFiles(sim, ROWS, 3);
            sim.scheduler.pause(Duration.ofMinutes(3).toMillis());
            assertThat(files(sim, table, ROWS)).containsOnly(3L);

            long unused = tableOfMemtables(sim, 2);
            sim.scheduler.pause(Duration.ofMinutes(3).toMillis());
            assertThat(sim.servedBytes("server-1", TABLET_BYTES)).isLessThanOrEqualTo(TABLET_BYTES);
            assertThat(files(sim, table, ROWS)).contains(1L);
        });
    }

    @SeededTest(runs = 3)
    void anAlteredTableIsNotRegroupedIntoMoreFilesBeforeThereIsMemory(RandomGenerator random) {
        List<String> rows = ROWS.subList(0, 2);
        SimServers sim = new SimServers(random.nextLong(), 1, 1 << 20, 8 << 20, TABLET_BYTES);
        sim.run(Duration.ofMinutes(90), () -> {
            long table = tableOfFiles(sim, rows, 2);
            long other = tableOfMemtables(sim, 4);
            sim.scheduler.pause(Duration.ofMinutes(3).toMillis());
            assertThat(files(sim, table, rows)).containsOnly(1L);

            sim.rewriteTable(table, groupsOfOneFamily());
            sim.scheduler.pause(Duration.ofMinutes(3).toMillis());
            compact(sim, table);
            sim.scheduler.pause(Duration.ofMinutes(3).toMillis());
            assertThat(sim.servedBytes("server-1", TABLET_BYTES)).isGreaterThan(TABLET_BYTES);
            assertThat(files(sim, table, rows)).containsOnly(1L);
            assertThat(hindrances(sim, table)).hasSize(rows.size()).allSatisfy(why -> assertThat(why)
                    .startsWith("it would make more files of the tablet"));

            sim.dropTable("memtables", other);
            sim.scheduler.pause(Duration.ofMinutes(15).toMillis());
            assertThat(files(sim, table, rows)).containsOnly((long) FAMILIES);
            assertThat(hindrances(sim, table)).isEmpty();
        });
    }

    /** They were counted as one file when they came, and so are those that follow. */
    @SeededTest(runs = 3)
    void changesToATableThatIsAlteredBecomeNoMoreFilesBeforeThereIsMemory(RandomGenerator random) {
        List<String> rows = ROWS.subList(0, 2);
        List<RowMutation> cells = rows.stream().map(row -> cells(row, FAMILIES)).toList();
        SimServers sim = new SimServers(random.nextLong(), 1, 1 << 20, 8 << 20, TABLET_BYTES);
        sim.run(Duration.ofMinutes(90), () -> {
            long table = tableOfFiles(sim, rows, 0);
            assertAllTaken(sim.writeOnce("server-1", table, cells));
            long other = tableOfMemtables(sim, 4);
            long before = sim.servedBytes("server-1", TABLET_BYTES);
            sim.rewriteTable(table, groupsOfOneFamily());
            assertThat(sim.servedBytes("server-1", TABLET_BYTES)).isEqualTo(before);

            for (int i = 0; i < 3; i++) {
                assertAllTaken(sim.writeOnce("server-1", table, cells));
                sim.flush(table);
                sim.scheduler.pause(Duration.ofMinutes(3).toMillis());
                assertThat(files(sim, table, rows)).containsOnly(1L);
            }

            sim.dropTable("memtables", other);
            sim.scheduler.pause(Duration.ofMinutes(15).toMillis());
            assertThat(files(sim, table, rows)).containsOnly((long) FAMILIES);
        });
    }

    private static void assertAllTaken(List<WriteResult> results) {
        assertThat(results).allSatisfy(result -> assertThat(result.failure()).isEmpty());
    }

    private static void compact(SimServers sim, long table) {
        WorkOnTable message =
                new WorkOnTable(table, TableWork.COMPACTION, AvroBytes.buffer(Bytes.EMPTY), null, false, null);
        var unused = sim.network.of("test").send(new Address("master", 1), new Request.Control(message), 60_000);
    }

    /** Why tablets are not compacted for which somebody has asked for it. */
    private static List<String> hindrances(SimServers sim, long table) throws InterruptedException {
        return sim.status("server-1").getTablets().stream()
                .filter(report -> report.getTableId() == table)
                .map(TabletReport::getCompactionFailure)
                .filter(Objects::nonNull)
                .map(Object::toString)
                .toList();
    }
}
