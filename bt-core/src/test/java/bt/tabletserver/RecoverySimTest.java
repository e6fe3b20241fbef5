package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.metadata.MetadataRow;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.record.RecoveryLine;
import bt.testing.Faults;
import bt.testing.Faults.Failure;
import bt.testing.Faults.Fault;
import bt.testing.FileOperation;
import bt.testing.SeededTest;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/** A server has died with a log of several segments; while others recover it, more goes wrong. */
class RecoverySimTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();

    /** What the servers do from a death until all is served again is some hundred file operations and requests. */
    private static final int STEPS = 150;

    private static final List<String> PREFIXES = List.of("a", "i", "q", "y");
    private static final int ROWS = 40;
    private static final long SLOW_MILLIS = 60_000;

    private final Map<Bytes, Bytes> written = new HashMap<>();

    /** Four tablets, half a megabyte in memory, in segments of a tenth of that. */
    private long fill(SimServers sim, RandomGenerator random) throws InterruptedException {
        long table = sim.createTable(DRAFT, "h", "p", "x");
        for (int i = 0; i < ROWS; i++) {
            Bytes row = Bytes.utf8(PREFIXES.get(i % PREFIXES.size()) + "/" + i);
            Bytes value = Bytes.wrap(new byte[10_000 + random.nextInt(4_000)]);
            sim.put(table, row, value);
            written.put(row, value);
        }
        return table;
    }

    private static void crashUntilSomethingIsSorted(SimServers sim, long table) throws InterruptedException {
        sim.tellExited("process-of-" + sim.crashServerOf(table));
        while (sim.sortedSegments() == 0) {
            sim.scheduler.pause(100);
        }
    }

    private void checkAll(SimServers sim, long table) throws InterruptedException {
        for (Map.Entry<Bytes, Bytes> entry : written.entrySet()) {
            assertThat(sim.read(table, entry.getKey())).containsExactly(entry.getValue());
        }
    }

    /** The file store takes half a minute for each that was open. */
    @SeededTest(runs = 5)
    void whatIsClosedOfALogIsSortedWhileTheRestIsTakenFromItsWriter(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 3, 1 << 20);
        sim.run(Duration.ofMinutes(60), () -> {
            long table = fill(sim, random);
            sim.faults = (operation, path) ->
                    operation == FileOperation.FENCE ? new Fault(30_000, Failure.NONE) : Faults.NONE;
            long began = sim.scheduler.clock().nanos();
            crashUntilSomethingIsSorted(sim, table);
            assertThat(sim.scheduler.clock().nanos() - began).isLessThan(10_000_000_000L);
            checkAll(sim, table);
        });
    }

    /** Every server looks, at every log: each look may cost little, and they may not be many. */
    @SeededTest(runs = 5)
    void littleIsAskedOfTheFileStoreWhileALogIsSlowToClose(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 3, 1 << 20);
        sim.run(Duration.ofMinutes(60), () -> {
            long table = fill(sim, random);
            AtomicInteger asked = new AtomicInteger();
            sim.faults = (operation, path) -> {
                if (path.startsWith("recovered/")
                        && (operation == FileOperation.LIST || operation == FileOperation.OPEN)) {
                    asked.incrementAndGet();
                }
                return operation == FileOperation.FENCE ? new Fault(30_000, Failure.NONE) : Faults.NONE;
            };
            crashUntilSomethingIsSorted(sim, table);
            sim.scheduler.pause(4_000);
            asked.set(0);
            sim.scheduler.pause(20_000);
            // Two servers look every two seconds: at two directories, and at what is open or nothing is said of.
            assertThat(asked.get()).isBetween(2, 2 * 11 * (2 + 3));
            checkAll(sim, table);
        });
    }

    @SeededTest(runs = 15)
    void aServerThatDiesAtAnyStepWhileItRecoversLosesNothing(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 3, 1 << 20);
        sim.run(Duration.ofMinutes(60), () -> {
            long table = fill(sim, random);
            sim.crashOneServer();
            sim.crashAtStep("server", 1 + random.nextInt(STEPS));
            sim.startServer("server-after");
            checkAll(sim, table);
        });
    }

    @SeededTest(runs = 10)
    void aMasterThatDiesAtAnyStepOfARecoveryIsFollowedByOneThatGoesOn(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 3, 1 << 20);
        sim.run(Duration.ofMinutes(60), () -> {
            long table = fill(sim, random);
            sim.crashOneServer();
            sim.crashAtStep("master", 1 + random.nextInt(STEPS));
            sim.scheduler.start("late master", () -> {
                sim.scheduler.pause(10_000 + random.nextLong(20_000));
                // Not the next one too.
                sim.steps = process -> {};
                sim.crashMaster();
                sim.startMaster();
            });
            checkAll(sim, table);
        });
    }

    /** Each is asked for the tablets that it takes, and all of them need all segments. */
    @SeededTest(runs = 5)
    void serversThatRecoverOneLogSortEachSegmentOnce(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 3, 1 << 20);
        sim.run(Duration.ofMinutes(60), () -> {
            long table = fill(sim, random);
            Map<String, Integer> begun = new HashMap<>();
            sim.faults = (operation, path) -> {
                if (operation == FileOperation.CREATE && path.contains("/sorted/")) {
                    begun.merge(path.substring(0, path.lastIndexOf('.')), 1, Integer::sum);
                }
                return Faults.NONE;
            };
            String dead = sim.crashServerOf(table, "server-after");
            checkAll(sim, table);
            assertThat(dead).isNotEqualTo("server-after");
            assertThat(begun).isNotEmpty();
            // Two may begin one at the same moment; what the one has begun before, the other leaves to it.
            int twice = begun.values().stream().mapToInt(count -> count - 1).sum();
            assertThat(twice).isLessThanOrEqualTo(1);
        });
    }

    @SeededTest(runs = 5)
    void aTabletServesWhileAnotherOfItsServersStillWaitsForItsFiles(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 1, 1 << 20);
        sim.run(Duration.ofMinutes(60), () -> {
            long table = sim.createTable(DRAFT, "m");
            for (String row : List.of("a", "z")) {
                sim.put(table, Bytes.utf8(row), Bytes.utf8("in a file"));
            }
            sim.flush(table);
            for (String row : List.of("a", "z")) {
                sim.put(table, Bytes.utf8(row), Bytes.utf8("in the log"));
            }
            MetadataRow lower = sim.tablets(table).get(0);
            String slow = lower.state().getFiles().get(0).getPath();
            sim.crashOneServer();
            sim.faults = (operation, path) -> operation == FileOperation.OPEN && path.endsWith(slow)
                    ? new Fault(SLOW_MILLIS, Failure.NONE)
                    : Faults.NONE;
            long began = sim.scheduler.clock().nanos();
            sim.startServer("server-after");
            assertThat(sim.read(table, Bytes.utf8("z"))).hasSize(2);
            assertThat(Duration.ofNanos(sim.scheduler.clock().nanos() - began))
                    .isLessThan(Duration.ofMillis(SLOW_MILLIS));
            assertThat(sim.read(table, Bytes.utf8("a"))).hasSize(2);
            assertThat(Duration.ofNanos(sim.scheduler.clock().nanos() - began))
                    .isGreaterThan(Duration.ofMillis(SLOW_MILLIS));
        });
    }

    /** And if it dies before they are, the next one replays two logs. */
    @SeededTest(runs = 5)
    void aTabletServesBeforeItsReplayedChangesAreInFiles(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 1, 1 << 20);
        sim.run(Duration.ofMinutes(60), () -> {
            long table = sim.createTable(DRAFT);
            sim.put(table, Bytes.utf8("a"), Bytes.utf8("in the first log"));
            sim.crashOneServer();
            sim.faults = (operation, path) -> operation == FileOperation.CREATE && path.contains("data/" + table + "/")
                    ? new Fault(SLOW_MILLIS, Failure.NONE)
                    : Faults.NONE;
            long began = sim.scheduler.clock().nanos();
            sim.startServer("second");
            sim.put(table, Bytes.utf8("a"), Bytes.utf8("in the second log"));
            assertThat(sim.read(table, Bytes.utf8("a"))).hasSize(2);
            assertThat(Duration.ofNanos(sim.scheduler.clock().nanos() - began))
                    .isLessThan(Duration.ofMillis(SLOW_MILLIS));
            assertThat(sim.tablets(table).get(0).state().getLogs()).hasSize(1);
            sim.crashOneServer();
            sim.faults = (operation, path) -> Faults.NONE;
            sim.startServer("third");
            assertThat(sim.read(table, Bytes.utf8("a"))).hasSize(2);
            sim.scheduler.pause(SLOW_MILLIS);
            assertThat(sim.tablets(table).get(0).state().getLogs()).isEmpty();
        });
    }

    /** There are more tablets than are loaded at a time. */
    @SeededTest(runs = 3)
    void noLoadWaitsUntilWhatAnotherHasReplayedIsInFiles(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 1, 1 << 20);
        sim.run(Duration.ofMinutes(60), () -> {
            List<String> rows = List.of("a", "c", "e", "g", "i", "k", "m", "o", "q", "s");
            long table = sim.createTable(DRAFT, rows.subList(0, rows.size() - 1).toArray(String[]::new));
            for (String row : rows) {
                sim.put(table, Bytes.utf8(row), Bytes.utf8("in the log"));
            }
            sim.crashOneServer();
            sim.faults = (operation, path) -> operation == FileOperation.CREATE && path.contains("data/" + table + "/")
                    ? new Fault(SLOW_MILLIS, Failure.NONE)
                    : Faults.NONE;
            long began = sim.scheduler.clock().nanos();
            sim.startServer("server-after");
            for (String row : rows) {
                assertThat(sim.read(table, Bytes.utf8(row))).hasSize(1);
            }
            assertThat(Duration.ofNanos(sim.scheduler.clock().nanos() - began))
                    .isLessThan(Duration.ofMillis(SLOW_MILLIS));
            assertThat(sim.tablets(table)).allMatch(row -> row.state().getLogs().size() == 1);
            sim.faults = (operation, path) -> Faults.NONE;
            sim.scheduler.pause(2 * SLOW_MILLIS);
            assertThat(sim.tablets(table)).allMatch(row -> row.state().getLogs().isEmpty());
        });
    }

    @SeededTest(runs = 3)
    void theMasterTellsWhyALogIsNotClosed(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 2, 1 << 20);
        sim.run(Duration.ofMinutes(60), () -> {
            long table = fill(sim, random);
            sim.faults =
                    (operation, path) -> operation == FileOperation.FENCE ? new Fault(0, Failure.INSTEAD) : Faults.NONE;
            sim.crashServerOf(table, "server-after");
            while (sim.report().getProblems().stream().noneMatch(problem -> problem.contains("cannot be closed"))) {
                sim.scheduler.pause(1_000);
            }
            sim.faults = (operation, path) -> Faults.NONE;
            checkAll(sim, table);
            assertThat(sim.report().getProblems()).isEmpty();
        });
    }

    /** Nothing of METADATA is in them, and without METADATA no tablet of any server can be given to another. */
    @SeededTest(runs = 5)
    void metadataIsServedThoughSegmentsOfUsersCannotBeClosed(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 3, 1 << 20);
        sim.run(Duration.ofMinutes(60), () -> {
            long table = fill(sim, random);
            sim.faults =
                    (operation, path) -> isFenceOfUsers(operation, path) ? new Fault(0, Failure.INSTEAD) : Faults.NONE;
            String dead = sim.serverOfRoot();
            sim.crash(dead);
            sim.startServer("server-after");
            long began = sim.scheduler.clock().nanos();
            List<MetadataRow> rows = sim.tablets(table);
            assertThat(sim.scheduler.clock().nanos() - began).isLessThan(30_000_000_000L);
            // Those of its users wait.
            sim.scheduler.pause(60_000);
            assertThat(sim.tablets(table))
                    .filteredOn(row -> row.location().getServer().startsWith(dead + "_"))
                    .hasSameSizeAs(rows.stream()
                            .filter(row -> row.location().getServer().startsWith(dead + "_"))
                            .toList());
            sim.faults = (operation, path) -> Faults.NONE;
            checkAll(sim, table);
        });
    }

    private static boolean isFenceOfUsers(FileOperation operation, String path) {
        return operation == FileOperation.FENCE && path.contains("/user-");
    }

    /** The file store needs a minute for each: who is told last waits for none of those before. */
    @SeededTest(runs = 3)
    void allLogsAreBeingClosedAtOnceThoughManyAreSlowToClose(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 7, 1 << 20);
        sim.run(Duration.ofMinutes(60), () -> {
            long table = sim.createTable(DRAFT, "b", "d", "f", "h", "j", "l", "n", "p", "r", "t", "v", "x", "z");
            sim.awaitServed();
            Map<String, Long> begun = new TreeMap<>();
            sim.faults = (operation, path) -> {
                if (isFenceOfUsers(operation, path)) {
                    begun.putIfAbsent(
                            path.substring(0, path.lastIndexOf('/')),
                            sim.scheduler.clock().nanos());
                }
                return operation == FileOperation.FENCE ? new Fault(60_000, Failure.NONE) : Faults.NONE;
            };
            List<String> dead = sim.serversWithoutMetadata(5);
            long began = sim.scheduler.clock().nanos();
            for (String server : dead) {
                sim.crash(server);
                sim.tellExited("process-of-" + server);
            }
            sim.scheduler.pause(2_000);
            assertThat(begun).hasSameSizeAs(dead);
            assertThat(begun.values()).allMatch(at -> at - began < 2_000_000_000L);
            // Nor does who asks how far it is.
            long asked = sim.scheduler.clock().nanos();
            assertThat(sim.recoveries()).isNotEmpty();
            assertThat(sim.scheduler.clock().nanos() - asked).isLessThan(10_000_000_000L);
            sim.awaitServed();
            // They are closed after a minute, all of them together.
            assertThat(sim.scheduler.clock().nanos() - began).isBetween(60_000_000_000L, 75_000_000_000L);
            assertThat(sim.rows(table)).isEmpty();
        });
    }

    /** A rack is gone, and the file store closes nothing that its users wrote: then the root tablet's server dies too. */
    @SeededTest(runs = 3)
    void theRootTabletWaitsForNoLogOfUsersThatIsBeingClosed(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 9, 1 << 20);
        sim.run(Duration.ofMinutes(60), () -> {
            long table = sim.createTable(DRAFT, "b", "d", "f", "h", "j", "l", "n", "p", "r", "t", "v", "x", "z");
            sim.awaitServed();
            sim.faults = (operation, path) ->
                    isFenceOfUsers(operation, path) ? new Fault(600_000, Failure.NONE) : Faults.NONE;
            for (String server : sim.serversWithoutMetadata(6)) {
                sim.crash(server);
                sim.tellExited("process-of-" + server);
            }
            sim.scheduler.pause(2_000);
            String root = sim.serverOfRoot();
            sim.crash(root);
            long began = sim.scheduler.clock().nanos();
            sim.tellExited("process-of-" + root);
            assertThat(sim.tablets(table)).isNotEmpty();
            assertThat(sim.scheduler.clock().nanos() - began).isLessThan(10_000_000_000L);
            sim.faults = (operation, path) -> Faults.NONE;
            assertThat(sim.rows(table)).isEmpty();
        });
    }

    @SeededTest(runs = 5)
    void theMasterTellsHowFarARecoveryIs(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 2, 1 << 20);
        sim.run(Duration.ofMinutes(60), () -> {
            long table = fill(sim, random);
            sim.awaitServed();
            assertThat(sim.recoveries()).isEmpty();
            sim.faults = (operation, path) -> operation == FileOperation.CREATE && path.contains("/sorted/")
                    ? new Fault(2_000, Failure.NONE)
                    : Faults.NONE;
            String dead = sim.crashServerOf(table, "server-after");
            RecoveryLine line = await(sim, seen -> seen.getSortedSegments() > 0);
            assertThat(line.getServer()).startsWith(dead + "_");
            assertThat(line.getClosed()).isTrue();
            assertThat(line.getTabletsWaiting()).isPositive();
            assertThat(line.getSegments()).isGreaterThan(1);
            assertThat(line.getSortedBytes()).isPositive().isLessThanOrEqualTo(line.getBytes());
            assertThat(line.getLeftMillis()).isPositive();
            checkAll(sim, table);
            sim.awaitServed();
            assertThat(sim.recoveries()).isEmpty();
        });
    }

    private static RecoveryLine await(SimServers sim, Predicate<RecoveryLine> wanted) throws InterruptedException {
        while (true) {
            for (RecoveryLine line : sim.recoveries()) {
                if (wanted.test(line)) {
                    return line;
                }
            }
            sim.scheduler.pause(100);
        }
    }
}
