package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.base.Scheduler.Worker;
import bt.metadata.MetadataRow;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.protocol.Request;
import bt.record.Phase;
import bt.testing.Faults;
import bt.testing.FileOperation;
import bt.testing.SeededTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** A server with fifty tablets, of which each takes a second to move, is asked to end. */
class PlannedStopSimTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
    private static final int TABLETS = 50;
    private static final List<String> ROWS =
            IntStream.range(0, TABLETS).mapToObj("%02d"::formatted).toList();

    @SeededTest(runs = 3)
    void aServerIsMovedAwayFromForAsLongAsTabletsLeave(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 1, 1 << 16);
        sim.run(Duration.ofMinutes(60), () -> {
            long table = fill(sim);
            Stop stop = stop(sim);
            int handedBack = 0;
            while (!stop.worker.join(100)) {
                handedBack += unassigned(sim, table);
            }
            assertThat(stop.millis(sim)).as("longer than one may be waited for").isGreaterThan(35_000);
            assertThat(handedBack).as("seen with nobody").isZero();
            assertThat(sim.replayedLogs()).isEmpty();
            assertThat(sim.status("server-2").getReplayedMutations()).isZero();
            assertThat(sim.rows(table)).hasSize(TABLETS);
        });
    }

    /** The other one stands still, and is dead after a while. */
    @SeededTest(runs = 3)
    void whereNoneLeavesAnyMoreTheRestIsHandedBack(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 1, 1 << 16);
        sim.run(Duration.ofMinutes(60), () -> {
            long table = fill(sim);
            Stop stop = stop(sim);
            sim.scheduler.pause(5_000);
            long paused = sim.scheduler.clock().nanos();
            sim.crash("server-2");
            assertThat(stop.worker.join(120_000)).as("ended").isTrue();
            assertThat((sim.scheduler.clock().nanos() - paused) / 1_000_000)
                    .as("the patience, and some fifty flushes, a few at a time")
                    .isBetween(29_000L, 90_000L);
            sim.startServer("server-3");
            assertThat(sim.rows(table)).hasSize(TABLETS);
            assertThat(sim.status("server-3").getReplayedMutations())
                    .as("of those alone that the dead one had been given")
                    .isZero();
        });
    }

    /** A session, an election and more: one that is just being replaced moves them. */
    @SeededTest(runs = 3)
    void aMasterIsWaitedForTwentySecondsAndWithoutOneAllIsHandedBack(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 1, 1 << 16);
        sim.run(Duration.ofMinutes(60), () -> {
            long table = fill(sim);
            sim.crashMaster();
            Stop stop = stop(sim);
            sim.scheduler.pause(19_000);
            assertThat(unassigned(sim, table)).as("with nobody").isZero();
            assertThat(stop.worker.join(120_000)).as("ended").isTrue();
            assertThat(sim.replayedLogs()).isEmpty();
            sim.startMaster();
            assertThat(sim.rows(table)).hasSize(TABLETS);
            assertThat(sim.status("server-2").getReplayedMutations()).isZero();
        });
    }

    /** What it logged of METADATA is in files, and who takes that over replays nothing of it. */
    @SeededTest(runs = 3)
    void aTabletThatCannotBeWrittenLeavesNoOtherToRecovery(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 1, 1 << 16);
        sim.run(Duration.ofMinutes(60), () -> {
            long table = sim.createTable(DRAFT);
            sim.awaitServed();
            sim.put(table, Bytes.utf8("row"), Bytes.utf8("value"));
            sim.faults =
                    (operation, path) -> operation == FileOperation.CREATE && path.startsWith("data/" + table + "/")
                            ? new Faults.Fault(0, Faults.Failure.INSTEAD)
                            : Faults.NONE;
            assertThat(stop(sim).worker.join(120_000)).as("ended").isTrue();
            // Its process ends with it.
            sim.crash("server-1");
            sim.faults = (operation, path) -> Faults.NONE;
            sim.startServer("server-2");
            assertThat(sim.rows(table)).containsExactly(Bytes.utf8("row"));
            assertThat(sim.status("server-2").getReplayedMutations())
                    .as("of that tablet alone")
                    .isEqualTo(1);
        });
    }

    /** The server of METADATA dies just when it is told: nobody says that the tablet has left, and the row does not. */
    @SeededTest(runs = 3)
    void aTabletThatIsOnItsWayToAnotherServerIsWaitedFor(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 3, 1 << 16);
        sim.run(Duration.ofMinutes(60), () -> {
            long table = sim.createTable(DRAFT);
            sim.put(table, Bytes.utf8("row"), Bytes.utf8("value"));
            sim.move(TableSchema.METADATA_ID, "server-2");
            sim.move(table, "server-3");
            sim.flush(table, "server-3");
            CompletableFuture<Void> isTold = new CompletableFuture<>();
            sim.losesAnswers = (server, request) -> {
                if (server.equals("server-3") && isChangeOfMetadata(request) && !isTold.isDone()) {
                    isTold.complete(null);
                    sim.crash("server-2");
                }
                return false;
            };
            sim.beginMove(table, "server-1");
            while (!isTold.isDone()) {
                sim.scheduler.pause(10);
            }
            Worker stop = sim.scheduler.start("stop", () -> {
                sim.stopServer("server-3");
                sim.crash("server-3");
            });
            sim.scheduler.pause(1_000);
            sim.tellExited("process-of-server-2");
            assertThat(stop.join(120_000)).as("ended").isTrue();
            assertThat(sim.read(table, Bytes.utf8("row"))).containsExactly(Bytes.utf8("value"));
            assertThat(sim.replayedLogs()).as("that of who died").hasSize(1);
        });
    }

    private static boolean isChangeOfMetadata(Request request) {
        return request instanceof Request.Mutate mutate && mutate.tableId() == TableSchema.METADATA_ID;
    }

    /** All with the one server that there is, each with a row in memory, and another server to take them. */
    private static long fill(SimServers sim) throws InterruptedException {
        long table = sim.createTable(DRAFT, ROWS.subList(0, TABLETS - 1).toArray(String[]::new));
        sim.awaitServed();
        for (String row : ROWS) {
            sim.put(table, Bytes.utf8(row), Bytes.utf8("value"));
        }
        sim.faults = (operation, path) -> operation == FileOperation.CREATE && path.startsWith("data/" + table + "/")
                ? new Faults.Fault(1_000, Faults.Failure.NONE)
                : Faults.NONE;
        sim.startServer("server-2");
        while (!sim.isRegistered("server-2")) {
            sim.scheduler.pause(100);
        }
        // So that the master has seen it.
        sim.scheduler.pause(1_000);
        return table;
    }

    private record Stop(Worker worker, long begunNanos) {
        long millis(SimServers sim) {
            return (sim.scheduler.clock().nanos() - begunNanos) / 1_000_000;
        }
    }

    private static Stop stop(SimServers sim) {
        return new Stop(
                sim.scheduler.start("stop", () -> sim.stopServer("server-1")),
                sim.scheduler.clock().nanos());
    }

    private static int unassigned(SimServers sim, long table) throws InterruptedException {
        int nobodys = 0;
        for (MetadataRow row : sim.tablets(table)) {
            nobodys += row.location().getPhase() == Phase.UNASSIGNED ? 1 : 0;
        }
        return nobodys;
    }
}
