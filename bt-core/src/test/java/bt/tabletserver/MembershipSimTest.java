package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.master.MasterConfig;
import bt.metadata.MetadataRow;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.testing.Faults;
import bt.testing.Faults.Failure;
import bt.testing.Faults.Fault;
import bt.testing.FileOperation;
import bt.testing.SeededTest;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Who is taken for dead, when, and who is not. */
class MembershipSimTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
    private static final Bytes ROW = Bytes.utf8("r");

    @SeededTest(runs = 5)
    void aServerThatAnswersNobodyIsTakenForDeadThoughItHoldsItsLock(RandomGenerator random) {
        simulate(random, 3, (sim, table) -> {
            String silent = sim.serverOf(table);
            cutOff(sim, silent, 3);
            long began = sim.scheduler.clock().nanos();
            while (sim.isRegistered(silent)) {
                sim.scheduler.pause(100);
            }
            // Ten seconds of silence, in which another server finds it silent too, and a look of the master each 1.3 s.
            assertThat(since(sim, began)).isLessThan(Duration.ofMillis(12_800));
            sim.awaitServed();
            // A session of six seconds, a lease of six, and six for all that is to be done.
            assertThat(since(sim, began)).isBetween(Duration.ofSeconds(12), Duration.ofSeconds(18));
            assertThat(sim.read(table, ROW)).containsExactly(Bytes.utf8("value"));
            assertThat(sim.serverOf(table)).isNotEqualTo(silent);
        });
    }

    /** A master that is cut off, or a switch that fails, must not end the cluster. */
    @SeededTest(runs = 2)
    void ofManyThatAnswerNobodyATenthIsTakenForDeadAMinute(RandomGenerator random) {
        simulate(random, 20, (sim, table) -> {
            List<String> silent = sim.serversWithoutMetadata(5);
            silent.forEach(server -> cutOff(sim, server, 20));
            Map<String, Long> deaths = new LinkedHashMap<>();
            for (int i = 0; i < 3_000 && deaths.size() < silent.size(); i++) {
                sim.scheduler.pause(200);
                for (String server : silent) {
                    if (!sim.isRegistered(server)) {
                        deaths.putIfAbsent(server, sim.scheduler.clock().nanos());
                    }
                }
            }
            assertThat(deaths).as("all are taken for dead in the end").hasSize(silent.size());
            List<Long> times = List.copyOf(deaths.values());
            for (int i = 2; i < times.size(); i++) {
                // It is looked at each 200 ms.
                assertThat(times.get(i) - times.get(i - 2))
                        .isGreaterThan(Duration.ofMillis(59_600).toNanos());
            }
        });
    }

    /** But not from the lock service. */
    private static void cutOff(SimServers sim, String server, int servers) {
        Stream.concat(
                        Stream.of("master", "test"),
                        IntStream.rangeClosed(1, servers).mapToObj(i -> "server-" + i))
                .filter(other -> !other.equals(server))
                .forEach(other -> {
                    sim.network.cut(other, server);
                    sim.network.cut(server, other);
                });
    }

    @SeededTest(runs = 5)
    void aServerThatOnlyTheMasterDoesNotReachLives(RandomGenerator random) {
        simulate(random, 3, (sim, table) -> {
            String server = sim.serverOf(table);
            sim.network.cut("master", server);
            for (int i = 0; i < 120; i++) {
                sim.scheduler.pause(1_000);
                assertThat(sim.read(table, ROW)).containsExactly(Bytes.utf8("value"));
            }
            assertThat(sim.serverOf(table)).isEqualTo(server);
        });
    }

    /** What another server said before has an end too: the master that is cut off itself has nobody who says so now. */
    @SeededTest(runs = 5)
    void aServerThatWasSilentLivesWhenTheMasterIsCutOff(RandomGenerator random) {
        simulate(random, 3, (sim, table) -> {
            List<String> servers = List.of("server-1", "server-2", "server-3");
            String silent = sim.serverOf(table);
            for (String other : List.of("master", "server-1", "server-2", "server-3")) {
                if (!other.equals(silent)) {
                    sim.network.cut(other, silent);
                }
            }
            sim.scheduler.pause(8_500);
            servers.forEach(server -> sim.network.cut("master", server));
            servers.stream()
                    .filter(server -> !server.equals(silent))
                    .forEach(server -> sim.network.mend(server, silent));
            for (int i = 0; i < 60; i++) {
                sim.scheduler.pause(1_000);
                assertThat(sim.isRegistered(silent)).isTrue();
            }
        });
    }

    @SeededTest(runs = 5)
    void anExitThatWasSeenSparesTheWaitForSessionAndLease(RandomGenerator random) {
        simulate(random, 3, (sim, table) -> {
            long began = sim.scheduler.clock().nanos();
            String dead = sim.crashServerOf(table, "server-4");
            sim.tellExited("process-of-" + dead);
            assertThat(sim.read(table, ROW)).containsExactly(Bytes.utf8("value"));
            // The session alone would take 6 s, and the lease as long again.
            assertThat(Duration.ofNanos(sim.scheduler.clock().nanos() - began)).isLessThan(Duration.ofSeconds(6));
        });
    }

    @SeededTest(runs = 5)
    void anExitThatIsToldAfterTheSessionEndedSparesTheWaitForTheLease(RandomGenerator random) {
        simulate(random, 3, (sim, table) -> {
            String dead = sim.crashServerOf(table, "server-4");
            while (sim.isRegistered(dead)) {
                sim.scheduler.pause(100);
            }
            long began = sim.scheduler.clock().nanos();
            sim.tellExited("process-of-" + dead);
            sim.awaitServed();
            // The lease alone would take six seconds from here.
            assertThat(since(sim, began)).isLessThan(Duration.ofSeconds(5));
            assertThat(sim.read(table, ROW)).containsExactly(Bytes.utf8("value"));
        });
    }

    /** While the lease of the dead one runs out its log is closed, which takes as long: each segment is asked for twice. */
    @SeededTest(runs = 5)
    void aDeathThatNobodyReportsCostsTheSessionAndTheLeaseAndLittleElse(RandomGenerator random) {
        simulate(random, 3, (sim, table) -> {
            sim.faults =
                    (operation, path) -> operation == FileOperation.FENCE ? new Fault(600, Failure.NONE) : Faults.NONE;
            long began = sim.scheduler.clock().nanos();
            sim.crashServerOf(table, "server-4");
            assertThat(sim.read(table, ROW)).containsExactly(Bytes.utf8("value"));
            // A session of six seconds, renewed each third of that at least, and a lease of six.
            assertThat(since(sim, began)).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(15));
        });
    }

    /** Who rules then has never seen the server with its lock. */
    @SeededTest(runs = 5)
    void aMasterThatDiesWithAServerCostsNoSecondLease(RandomGenerator random) {
        simulate(random, 3, (sim, table) -> {
            sim.scheduler.pause(10_000);
            sim.crashMaster();
            String dead = sim.crashServerOf(table, "server-4");
            while (sim.isLocked(dead)) {
                sim.scheduler.pause(20);
            }
            sim.startMaster();
            sim.awaitElection(2);
            long elected = sim.scheduler.clock().nanos();
            assertThat(sim.read(table, ROW)).containsExactly(Bytes.utf8("value"));
            assertThat(since(sim, elected)).isBetween(Duration.ofMillis(5_900), Duration.ofSeconds(10));
        });
    }

    @SeededTest(runs = 5)
    void theLastServerIsGivenWhatNobodyServesThoughItDrains(RandomGenerator random) {
        simulate(random, 2, (sim, table) -> {
            String drained = sim.serverOf(table);
            sim.drain(drained);
            assertThat(sim.serverOf(table)).isNotEqualTo(drained);
            sim.tellExited("process-of-" + sim.crashServerOf(table));
            assertThat(sim.read(table, ROW)).containsExactly(Bytes.utf8("value"));
            assertThat(sim.serverOf(table)).isEqualTo(drained);
        });
    }

    @SeededTest(runs = 5)
    void nobodyDiesOfALockServiceThatIsAwayAndTheTimeIsCounted(RandomGenerator random) {
        simulate(random, 2, (sim, table) -> {
            sim.locks.stopFor(40_000);
            sim.scheduler.pause(20_000);
            // Writes are fenced by the log, reads wait for the lease.
            sim.put(table, ROW, Bytes.utf8("meanwhile"));
            assertThat(sim.read(table, ROW)).containsExactly(Bytes.utf8("meanwhile"), Bytes.utf8("value"));
            sim.scheduler.pause(30_000);
            for (String server : List.of("server-1", "server-2")) {
                assertThat(sim.status(server).getLockServiceOutageMillis()).isBetween(25_000L, 60_000L);
            }
            assertThat(sim.report().getServers())
                    .as("as bt servers tells it")
                    .hasSize(2)
                    .allSatisfy(line ->
                            assertThat(line.getLockServiceOutageMillis()).isBetween(25_000L, 60_000L));
            assertThat(sim.replayedLogs()).isEmpty();
        });
    }

    /** The lease thread waited for the lock service all that time, and saw nothing of the server meanwhile. */
    @SeededTest(runs = 5)
    void readsGoOnAsSoonAsTheLockServiceIsBack(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 2, 1 << 16);
        sim.run(Duration.ofMinutes(20), () -> {
            long table = sim.createTable(DRAFT);
            sim.put(table, ROW, Bytes.utf8("value"));
            sim.locks.stopFor(40_000);
            sim.scheduler.pause(40_000);
            long back = sim.scheduler.clock().nanos();
            assertThat(sim.read(table, ROW)).containsExactly(Bytes.utf8("value"));
            assertThat(Duration.ofNanos(sim.scheduler.clock().nanos() - back)).isLessThan(Duration.ofMillis(1_500));
        });
    }

    @SeededTest(runs = 3)
    void anEarlierMasterChangesNothingInMetadata(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 2, 1 << 16);
        sim.run(Duration.ofMinutes(20), () -> {
            sim.createTable(DRAFT);
            // Not a row that the master of now has changed: there the row itself would tell.
            assertThatThrownBy(() -> sim.createRowAsMaster(0, new TabletId(99, Optional.empty())))
                    .isInstanceOf(RejectedException.class)
                    .hasMessageContaining("the master of epoch 0 has been followed by that of epoch 1");
            assertThatCode(() -> sim.createRowAsMaster(1, new TabletId(99, Optional.empty())))
                    .doesNotThrowAnyException();
        });
    }

    @SeededTest(runs = 3)
    void anEarlierMasterStopsNobody(RandomGenerator random) {
        simulate(random, 2, (sim, table) -> {
            String server = sim.serverOf(table);
            sim.crashMaster();
            sim.startMaster();
            sim.awaitMaster(2);
            assertThatThrownBy(() -> sim.askToStop(server, 1))
                    .isInstanceOf(RejectedException.class)
                    .hasMessageContaining("the master of epoch 1 has been followed by that of epoch 2");
            sim.scheduler.pause(60_000);
            assertThat(sim.serverOf(table)).isEqualTo(server);
        });
    }

    @SeededTest(runs = 2)
    void anEarlierMasterSplitsNothing(RandomGenerator random) {
        simulate(random, 2, (sim, table) -> {
            sim.crashMaster();
            sim.startMaster();
            sim.awaitMaster(2);
            MetadataRow tablet = sim.tablets(table).get(0);
            assertThatThrownBy(() -> sim.askToSplit(tablet, Optional.of(ROW), 1))
                    .isInstanceOf(RejectedException.class)
                    .hasMessageContaining("the master of epoch 1 has been followed by that of epoch 2");
            assertThat(sim.tablets(table)).hasSize(1);
            assertThatCode(() -> sim.askToSplit(tablet, Optional.of(ROW), 2)).doesNotThrowAnyException();
            assertThat(sim.tablets(table)).hasSize(2);
        });
    }

    /**
     * Nobody knows for how long the server's file has been gone: the master that deleted it died at once. No other wait
     * is as long here.
     */
    @SeededTest(runs = 5)
    void aNewMasterThatFindsALocationWithoutAServerFileWaitsForAWholeLease(RandomGenerator random) {
        MasterConfig usual = MasterConfig.DEFAULT;
        simulate(random, 3, (sim, table) -> {
            String dead = sim.crashServerOf(table);
            while (sim.isRegistered(dead)) {
                sim.scheduler.pause(20);
            }
            sim.crashMaster();
            sim.masterConfig = new MasterConfig(
                    usual.leaseMillis(),
                    usual.loopMillis(),
                    usual.passMillis(),
                    usual.requestMillis(),
                    usual.graces(),
                    usual.merges(),
                    0,
                    usual.splitRequestsPerSecond(),
                    usual.silenceMillis());
            sim.startMaster();
            sim.awaitElection(2);
            long elected = sim.scheduler.clock().nanos();
            assertThat(sim.read(table, ROW)).containsExactly(Bytes.utf8("value"));
            // It is looked at each 20 ms.
            assertThat(since(sim, elected)).isBetween(Duration.ofMillis(5_950), Duration.ofSeconds(10));
        });
    }

    @SeededTest(runs = 2)
    void aServerOverTheFilesOfAnotherInstanceEndsAndIsNone(RandomGenerator random) {
        simulate(random, 2, (sim, table) -> {
            Bytes own = sim.changeInstance(Bytes.utf8("another"));
            sim.startServer("stranger");
            sim.scheduler.pause(30_000);
            assertThat(sim.scheduler.isRunning("stranger")).isFalse();
            assertThat(sim.isRegistered("stranger")).isFalse();
            sim.changeInstance(own);
            sim.startServer("friend");
            sim.scheduler.pause(30_000);
            assertThat(sim.isRegistered("friend")).isTrue();
        });
    }

    /** What ends it may kill it a quarter of a second later; the session would go on for six. */
    @SeededTest(runs = 5)
    void aServerThatIsToldToEndReleasesItsLockWithinAQuarterOfASecond(RandomGenerator random) {
        simulate(random, 2, (sim, table) -> {
            String server = sim.serverOf(table);
            sim.put(table, ROW, Bytes.utf8("in memory"));
            assertThat(sim.isLocked(server)).isTrue();
            long began = sim.scheduler.clock().nanos();
            sim.terminate(server);
            while (sim.isLocked(server)) {
                sim.scheduler.pause(1);
            }
            assertThat(since(sim, began)).isLessThan(Duration.ofMillis(250));
            sim.scheduler.crash(server);
            assertThat(sim.read(table, ROW)).containsExactly(Bytes.utf8("in memory"), Bytes.utf8("value"));
        });
    }

    private static Duration since(SimServers sim, long nanos) {
        return Duration.ofNanos(sim.scheduler.clock().nanos() - nanos);
    }

    /** What happens to servers of which one has a table with one row. */
    private interface Story {
        void run(SimServers sim, long table) throws InterruptedException;
    }

    private static void simulate(RandomGenerator random, int servers, Story story) {
        SimServers sim = new SimServers(random.nextLong(), servers, 1 << 16);
        sim.run(Duration.ofMinutes(20), () -> {
            long table = sim.createTable(DRAFT);
            sim.put(table, ROW, Bytes.utf8("value"));
            story.run(sim, table);
        });
    }
}
