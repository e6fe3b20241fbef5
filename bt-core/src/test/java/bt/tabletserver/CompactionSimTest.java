package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.protocol.Address;
import bt.protocol.Request;
import bt.record.CompactionReport;
import bt.record.FileReference;
import bt.record.TableWork;
import bt.record.WorkOnTable;
import bt.testing.Faults;
import bt.testing.Faults.Failure;
import bt.testing.Faults.Fault;
import bt.testing.FileOperation;
import bt.testing.SeededTest;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Compactions of files in a whole cluster: their number stays low, and nothing is lost by whoever dies in the middle. */
class CompactionSimTest {
    private static final int VERSIONS = 3;
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", new GcRule.MaxVersions(VERSIONS)).build();

    @SeededTest(runs = 10)
    void filesStayFewAndAnswersRight(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 2, 1 << 12);
        sim.run(Duration.ofMinutes(90), () -> {
            long table = sim.createTable(DRAFT);
            Random chance = new Random(random.nextLong());
            sim.faults = (operation, path) -> path.startsWith("data/") && chance.nextInt(200) == 0
                    ? new Fault(chance.nextInt(1_000), Failure.INSTEAD)
                    : Faults.NONE;
            Map<Bytes, Deque<Bytes>> written = new TreeMap<>();
            for (int i = 0; i < 150; i++) {
                if (i == 50 || i == 100) {
                    sim.crashOneServer();
                    sim.startServer("server-" + i);
                }
                Bytes row = Bytes.utf8("r" + random.nextInt(6));
                Bytes value = Bytes.wrap(new byte[random.nextInt(4_000)]);
                sim.put(table, row, value);
                Deque<Bytes> versions = written.computeIfAbsent(row, first -> new ArrayDeque<>());
                versions.addFirst(value);
                if (versions.size() > VERSIONS) {
                    versions.removeLast();
                }
            }
            sim.faults = (operation, path) -> Faults.NONE;
            sim.scheduler.pause(Duration.ofMinutes(1).toMillis());
            sim.crashOneServer();
            sim.startServer("server-last");
            for (Map.Entry<Bytes, Deque<Bytes>> entry : written.entrySet()) {
                assertThat(sim.read(table, entry.getKey())).containsExactlyElementsOf(entry.getValue());
            }
            // Some forty flushes, and one of whoever loaded the tablet last.
            List<FileReference> files = sim.files(table);
            assertThat(files).hasSizeLessThanOrEqualTo(9);
        });
    }

    /** Memtables come much faster than their files can be read: whoever writes waits for them to be merged. */
    @SeededTest(runs = 3)
    void filesStayBoundedThoughMergingIsSlow(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 1, 1 << 12);
        sim.run(Duration.ofMinutes(90), () -> {
            long table = sim.createTable(DRAFT);
            Set<String> slow = new HashSet<>();
            sim.faults = (operation, path) -> operation == FileOperation.READ && slow.contains(path)
                    ? new Fault(2_000, Failure.NONE)
                    : Faults.NONE;
            int most = 0;
            for (int i = 0; i < 100; i++) {
                // Files so large that no flush takes any with it.
                sim.put(table, Bytes.utf8("r" + i), Bytes.wrap(new byte[20_000]));
                sim.flush(table);
                List<FileReference> files = sim.files(table);
                if (i < 3) {
                    files.forEach(file -> slow.add(file.getPath()));
                }
                most = Math.max(most, files.size());
            }
            // Those that are merged, and one that was on its way when writes were refused.
            assertThat(most).isBetween(33, 36);
        });
    }

    /** Then what he wrote before is in files when he is answered, as with any other. */
    @Test
    void whoAsksForAFlushWhileOneIsUnderWayWaitsForTheNext() {
        SimServers sim = new SimServers(1, 1, 1 << 20);
        sim.run(Duration.ofMinutes(10), () -> {
            long table = sim.createTable(DRAFT);
            sim.put(table, Bytes.utf8("a"), Bytes.wrap(new byte[20_000]));
            sim.faults = (operation, path) ->
                    operation == FileOperation.CREATE ? new Fault(5_000, Failure.NONE) : Faults.NONE;
            List<CompletableFuture<Void>> first = sim.beginFlushes(table, 1);
            sim.scheduler.pause(1_000);
            sim.put(table, Bytes.utf8("b"), Bytes.wrap(new byte[20_000]));
            List<CompletableFuture<Void>> second = sim.beginFlushes(table, 100);
            await(sim, first);
            assertThat(filesOfCells(sim, table)).hasSize(1);
            assertThat(second).noneMatch(CompletableFuture::isDone);
            await(sim, second);
            assertThat(filesOfCells(sim, table)).hasSize(2);
        });
    }

    private static void await(SimServers sim, List<CompletableFuture<Void>> all) throws InterruptedException {
        try {
            sim.scheduler.await(CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new)), 60_000);
        } catch (BigtableException failed) {
            throw new AssertionError(failed);
        }
    }

    @Test
    void whatIsLeftWhileATabletIsFilledIsMergedWhenNobodyWritesAnyMore() {
        SimServers sim = new SimServers(1, 1, 1 << 12);
        sim.run(Duration.ofMinutes(10), () -> {
            long table = sim.createTable(DRAFT);
            for (int i = 0; i < 6; i++) {
                // None is smaller than the one before, were it by a byte: then it would wait for more.
                sim.put(table, Bytes.utf8("r" + "x".repeat(100 * i)), Bytes.wrap(new byte[20_000]));
                sim.flush(table);
            }
            assertThat(filesOfCells(sim, table)).hasSize(6);
            // Its files are of before a minute then, and tablets are looked at once a minute.
            sim.scheduler.pause(Duration.ofMinutes(3).toMillis());
            assertThat(filesOfCells(sim, table)).hasSize(1);
        });
    }

    /** It is written already, and waits for METADATA alone: the tablet's files are many until then. */
    @Test
    void whatIsMergedIsInstalledWhileMemtablesOfAnotherTableTakeLongToBecomeFiles() {
        SimServers sim = new SimServers(1, 1, 1 << 20);
        sim.run(Duration.ofMinutes(20), () -> {
            long table = sim.createTable(DRAFT);
            for (String row : List.of("a", "b", "c")) {
                sim.put(table, Bytes.utf8(row), Bytes.wrap(new byte[20_000]));
                sim.flush(table);
            }
            List<String> rows = List.of("a", "b", "c", "d", "e", "f");
            TableSchema draft =
                    TableSchema.draft("u").family("f", GcRule.KEEP_ALL).build();
            long slow = sim.createTable(draft, rows.toArray(String[]::new));
            for (String row : rows) {
                sim.put(slow, Bytes.utf8(row), Bytes.utf8("value"));
            }
            sim.faults = (operation, path) -> operation == FileOperation.CREATE && path.startsWith("data/" + slow + "/")
                    ? new Fault(30_000, Failure.NONE)
                    : Faults.NONE;
            List<CompletableFuture<Void>> flushes = sim.beginFlushes(slow, 1);
            sim.scheduler.pause(1_000);
            assertThat(filesOfCells(sim, table)).hasSize(3);
            long began = sim.scheduler.clock().nanos();
            WorkOnTable message =
                    new WorkOnTable(table, TableWork.COMPACTION, AvroBytes.buffer(Bytes.EMPTY), null, false, null);
            CompletableFuture<?> unused =
                    sim.network.of("test").send(new Address("master", 1), new Request.Control(message), 60_000);
            while (filesOfCells(sim, table).size() > 1) {
                sim.scheduler.pause(100);
            }
            // It begins with what is in memory, which stands behind the two that are under way, and never again.
            assertThat(Duration.ofNanos(sim.scheduler.clock().nanos() - began)).isLessThan(Duration.ofSeconds(45));
            assertThat(flushes).noneMatch(CompletableFuture::isDone);
        });
    }

    /** Those beside them are of the numbers of writes. */
    private static List<FileReference> filesOfCells(SimServers sim, long table) throws InterruptedException {
        return sim.files(table).stream()
                .filter(file -> file.getFamilies().contains(1))
                .toList();
    }

    @Test
    void aServerCountsItsCompactionsAndWhatTheyWrote() {
        SimServers sim = new SimServers(1, 1, 1 << 12);
        sim.run(Duration.ofMinutes(90), () -> {
            long table = sim.createTable(DRAFT);
            sim.faults = (operation, path) -> operation == FileOperation.READ && path.startsWith("data/" + table + "/")
                    ? new Fault(20_000, Failure.NONE)
                    : Faults.NONE;
            CompactionReport before = counts(sim);
            Random chance = new Random(1);
            for (int i = 0; i < 4; i++) {
                // Files so large, whatever the codec, that no flush takes any with it; four of them are merged.
                byte[] value = new byte[20_000];
                chance.nextBytes(value);
                if (i == 3) {
                    // Or the table would be one that is being filled, whose files wait for more.
                    sim.scheduler.pause(Duration.ofMinutes(2).toMillis());
                }
                sim.put(table, Bytes.utf8("r" + i), Bytes.wrap(value));
                sim.flush(table);
            }
            sim.flush(TableSchema.METADATA_ID);
            CompactionReport merging = counts(sim);
            assertThat(merging.getFlushesBegun() - before.getFlushesBegun()).isEqualTo(4);
            assertThat(merging.getFlushesEnded()).isEqualTo(merging.getFlushesBegun());
            assertThat(merging.getMergesBegun()).isOne();
            assertThat(merging.getMergesEnded()).isZero();
            // Beside them are the files of open writes, one a flush, of which METADATA names the last.
            assertThat(merging.getBytes() - before.getBytes()).isBetween(sizes(sim, table), sizes(sim, table) + 3_000);

            sim.scheduler.pause(Duration.ofMinutes(5).toMillis());
            CompactionReport merged = counts(sim);
            assertThat(merged.getMergesEnded()).isOne();
            assertThat(merged.getBytes() - merging.getBytes()).isBetween(4 * 20_000L, sizes(sim, table));
        });
    }

    private static CompactionReport counts(SimServers sim) throws InterruptedException {
        return sim.status("server-1").getCompactions();
    }

    private static long sizes(SimServers sim, long table) throws InterruptedException {
        return sim.files(table).stream().mapToLong(FileReference::getBytes).sum();
    }
}
