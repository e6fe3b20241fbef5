package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.Bytes;
import bt.metadata.MetadataRow;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.protocol.Address;
import bt.protocol.Request;
import bt.record.Phase;
import bt.record.UnloadTablet;
import bt.testing.Faults;
import bt.testing.Faults.Failure;
import bt.testing.Faults.Fault;
import bt.testing.FileOperation;
import bt.testing.SeededTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Tablets of users that take half a minute to load, each for a file that is slow to open. */
class LoadSimTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
    private static final List<String> ROWS =
            IntStream.range(0, 12).mapToObj(i -> "row " + (char) ('a' + i)).toList();
    private static final int OPEN_MILLIS = 30_000;

    /** Four. */
    @SeededTest(runs = 3)
    void aServerLoadsSeveralTabletsAtOnce(RandomGenerator random) {
        simulate(random, 1, (sim, table) -> {
            sim.startServer("server-2");
            sim.tellExited("process-of-" + sim.crashServerOf(table));
            long began = sim.scheduler.clock().nanos();
            awaitAll(sim, table);
            // Twelve tablets, one of them with a second file.
            assertThat(since(sim, began)).isLessThan(Duration.ofSeconds(150));
        });
    }

    @SeededTest(runs = 3)
    void aTabletIsServedAsSoonAsItIsLoadedWhateverOthersWaitFor(RandomGenerator random) {
        simulate(random, 1, (sim, table) -> {
            sim.startServer("server-2");
            sim.tellExited("process-of-" + sim.crashServerOf(table));
            sim.scheduler.pause(OPEN_MILLIS + 5_000);
            List<MetadataRow> served = served(sim, table);
            assertThat(served).hasSizeBetween(1, 4);
            Bytes row = served.get(0).id().endRow().orElse(Bytes.utf8(ROWS.get(ROWS.size() - 1)));
            long began = sim.scheduler.clock().nanos();
            assertThat(sim.read(table, row)).containsExactly(row);
            assertThat(since(sim, began)).isLessThan(Duration.ofSeconds(1));
        });
    }

    /** Of the two that have all tablets first the one without METADATA dies, then the other. */
    @SeededTest(runs = 3)
    void metadataStandsBehindNoTabletOfAUser(RandomGenerator random) {
        simulate(random, 2, (sim, table) -> {
            MetadataRow root = sim.tablets(TableSchema.METADATA_ID).get(0);
            String holder = nameOfServer(root);
            sim.move(TableSchema.METADATA_ID, holder);
            String other = holder.equals("server-1") ? "server-2" : "server-1";
            assertThat(sim.status(other).getTablets()).hasSizeGreaterThan(2);
            sim.startServer("server-3");
            sim.crash(other);
            sim.tellExited("process-of-" + other);
            sim.scheduler.pause(5_000);
            assertThat(sim.status("server-3").getTablets())
                    .as("more than are loaded at a time")
                    .hasSizeGreaterThan(4)
                    .allMatch(tablet -> tablet.getPhase() == Phase.LOADING);

            long began = sim.scheduler.clock().nanos();
            sim.crash(holder);
            sim.tellExited("process-of-" + holder);
            assertThat(sim.tablets(table)).hasSize(ROWS.size());
            assertThat(since(sim, began)).isLessThan(Duration.ofSeconds(10));
            assertThat(sim.serverOf(TableSchema.METADATA_ID)).isEqualTo("server-3");
            awaitAll(sim, table);
        });
    }

    /** What is loaded stands in no memtable's way: writes go on, and without files memory would fill. */
    @SeededTest(runs = 3)
    void aMemtableBecomesAFileWhileOtherTabletsAreLoaded(RandomGenerator random) {
        simulate(random, 1, (sim, table) -> {
            long other = anotherTableOn(sim, "server-2");
            sim.crash("server-1");
            sim.tellExited("process-of-server-1");
            sim.scheduler.pause(10_000);
            assertThat(served(sim, table)).isEmpty();
            assertFlushedAtOnce(sim, other, "server-2");
        });
    }

    /** However many of one table are waiting: four are under way, and of those that wait the other table's is among the next. */
    @SeededTest(runs = 3)
    void aTabletOfAnotherTableStandsBehindFew(RandomGenerator random) {
        simulate(random, 1, (sim, table) -> {
            long other = anotherTable(sim);
            // What logs hold of it is looked for first: all others are asked for before it.
            sim.put(other, Bytes.utf8("row"), Bytes.utf8("value"));
            sim.startServer("server-2");
            sim.tellExited("process-of-" + sim.crashServerOf(table));
            long began = sim.scheduler.clock().nanos();
            while (served(sim, other).isEmpty()) {
                sim.scheduler.pause(500);
            }
            assertThat(since(sim, began)).isLessThan(Duration.ofMillis(OPEN_MILLIS + 15_000));
            assertThat(served(sim, table)).hasSizeLessThanOrEqualTo(4);
            awaitAll(sim, table);
        });
    }

    /** Nor does what was replayed, which each tablet brings into files by itself. */
    @SeededTest(runs = 3)
    void aMemtableBecomesAFileWhileManyBringWhatTheyReplayedIntoFiles(RandomGenerator random) {
        simulate(random, 1, (sim, table) -> {
            long other = anotherTableOn(sim, "server-2");
            sim.faults =
                    (operation, path) -> operation == FileOperation.CREATE && path.startsWith("data/" + table + "/")
                            ? new Fault(OPEN_MILLIS, Failure.NONE)
                            : Faults.NONE;
            for (String row : ROWS) {
                sim.put(table, Bytes.utf8(row), Bytes.utf8("newer"));
            }
            sim.crash("server-1");
            sim.tellExited("process-of-server-1");
            awaitAll(sim, table);
            assertFlushedAtOnce(sim, other, "server-2");
        });
    }

    /** It never said that it served them, so it has answered no read of them and its log holds nothing of them. */
    @SeededTest(runs = 3)
    void whatADeadServerWasOnlyToLoadWaitsForNothingOfIt(RandomGenerator random) {
        simulate(random, 2, (sim, table) -> {
            MetadataRow root = sim.tablets(TableSchema.METADATA_ID).get(0);
            String holder = nameOfServer(root);
            sim.move(TableSchema.METADATA_ID, holder);
            String other = holder.equals("server-1") ? "server-2" : "server-1";
            sim.startServer("server-3");
            sim.crash(other);
            sim.tellExited("process-of-" + other);
            sim.scheduler.pause(10_000);
            long epoch = sim.status("server-3").getEpoch();
            assertThat(sim.tablets(table)).anyMatch(row -> row.location().getEpoch() == epoch);
            Faults slow = sim.faults;
            sim.faults = (operation, path) -> operation == FileOperation.FENCE && path.contains("/" + epoch + "/")
                    ? new Fault(0, Failure.INSTEAD)
                    : slow.next(operation, path);
            sim.crash("server-3");
            sim.tellExited("process-of-server-3");
            sim.scheduler.pause(10_000);
            assertThat(sim.tablets(table)).noneMatch(row -> row.location().getEpoch() == epoch);
            sim.faults = slow;
            awaitAll(sim, table);
        });
    }

    /** Its first job is to bring what was replayed into files, though nothing was: all others of it wait for that. */
    @SeededTest(runs = 3)
    void aTabletThatComesWhileManyBringWhatTheyReplayedIntoFilesStandsBehindFew(RandomGenerator random) {
        simulate(random, 1, (sim, table) -> {
            long other = anotherTableOn(sim, "server-3");
            sim.startServer("server-2");
            createsTakeLong(sim, table);
            sim.crash("server-1");
            sim.tellExited("process-of-server-1");
            awaitAll(sim, table);
            assertThat(served(sim, table).stream()
                            .filter(row -> nameOfServer(row).equals("server-2")))
                    .hasSizeGreaterThan(4);
            sim.move(other, "server-2");
            sim.put(other, Bytes.utf8("row"), Bytes.utf8("newer"));
            long began = sim.scheduler.clock().nanos();
            sim.flush(other, "server-2");
            assertBehindFew(sim, began);
        });
    }

    /** As when a table is dropped. */
    @SeededTest(runs = 3)
    void aTabletOfAnotherTableIsHandedOverWhileManyLeave(RandomGenerator random) {
        simulate(random, 1, (sim, table) -> {
            long other = anotherTable(sim);
            sim.put(other, Bytes.utf8("row"), Bytes.utf8("value"));
            createsTakeLong(sim, table);
            sim.startServer("server-2");
            for (MetadataRow tablet : sim.tablets(table)) {
                UnloadTablet message = new UnloadTablet(
                        sim.report().getMasterEpoch(),
                        table,
                        AvroBytes.buffer(tablet.id().endRow()),
                        true,
                        null);
                CompletableFuture<?> unused =
                        sim.network.of("test").send(new Address("server-1", 1), new Request.Control(message), 600_000);
            }
            long began = sim.scheduler.clock().nanos();
            sim.move(other, "server-2");
            assertBehindFew(sim, began);
        });
    }

    /** What is under way, and one piece of work of the other table: all of that one's take three minutes and more. */
    private static void assertBehindFew(SimServers sim, long began) {
        assertThat(since(sim, began)).isLessThan(Duration.ofMillis(2 * OPEN_MILLIS + 15_000));
    }

    /** And each of its tablets has something to write to one. */
    private static void createsTakeLong(SimServers sim, long table) throws InterruptedException {
        sim.faults = (operation, path) -> operation == FileOperation.CREATE && path.startsWith("data/" + table + "/")
                ? new Fault(OPEN_MILLIS, Failure.NONE)
                : Faults.NONE;
        for (String row : ROWS) {
            sim.put(table, Bytes.utf8(row), Bytes.utf8("newer"));
        }
    }

    /** Of one tablet. */
    private static long anotherTable(SimServers sim) throws InterruptedException {
        return sim.createTable(
                TableSchema.draft("u").family("f", GcRule.KEEP_ALL).build());
    }

    /** The same on a server that is started, where it holds something that is in no file. */
    private static long anotherTableOn(SimServers sim, String server) throws InterruptedException {
        sim.startServer(server);
        long other = anotherTable(sim);
        sim.move(other, server);
        sim.put(other, Bytes.utf8("row"), Bytes.utf8("value"));
        return other;
    }

    private static void assertFlushedAtOnce(SimServers sim, long table, String server) throws InterruptedException {
        long began = sim.scheduler.clock().nanos();
        sim.flush(table, server);
        assertThat(sim.tablets(table).get(0).state().getFiles()).isNotEmpty();
        assertThat(since(sim, began)).isLessThan(Duration.ofSeconds(5));
    }

    private static Duration since(SimServers sim, long nanos) {
        return Duration.ofNanos(sim.scheduler.clock().nanos() - nanos);
    }

    private static void awaitAll(SimServers sim, long table) throws InterruptedException {
        while (served(sim, table).size() < ROWS.size()) {
            sim.scheduler.pause(500);
        }
    }

    private static List<MetadataRow> served(SimServers sim, long table) throws InterruptedException {
        return sim.tablets(table).stream()
                .filter(row -> row.location().getPhase() == Phase.SERVING)
                .filter(row -> sim.isAlive(nameOfServer(row)))
                .toList();
    }

    private static String nameOfServer(MetadataRow row) {
        return Address.parse(row.location().getAddress()).host();
    }

    private interface Story {
        void tell(SimServers sim, long table) throws InterruptedException;
    }

    /** Of so many servers, and a table with a file in each tablet. */
    private static void simulate(RandomGenerator random, int servers, Story story) {
        SimServers sim = new SimServers(random.nextLong(), servers, 1 << 16);
        sim.run(Duration.ofMinutes(20), () -> {
            long table = sim.createTable(DRAFT, ROWS.subList(0, ROWS.size() - 1).toArray(String[]::new));
            for (String row : ROWS) {
                sim.put(table, Bytes.utf8(row), Bytes.utf8(row));
            }
            for (int server = 1; server <= servers; server++) {
                sim.flush(table, "server-" + server);
            }
            sim.faults = (operation, path) -> operation == FileOperation.OPEN && path.startsWith("data/" + table + "/")
                    ? new Fault(OPEN_MILLIS, Failure.NONE)
                    : Faults.NONE;
            story.tell(sim, table);
        });
    }
}
