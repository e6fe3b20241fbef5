package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Scheduler;
import bt.master.Graces;
import bt.master.MasterConfig;
import bt.model.ColumnKey;
import bt.model.Counter;
import bt.model.Filter;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.protocol.Condition;
import bt.protocol.Write;
import bt.protocol.WriteId;
import bt.protocol.WriteResult;
import bt.record.FileReference;
import bt.tablet.OpenWrites;
import bt.testing.Faults;
import bt.testing.FileOperation;
import bt.testing.SeededTest;
import bt.testing.SimFaults;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** Tablets on their way between living servers, on one scheduler. */
class MoveSimTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
    private static final ColumnKey COLUMN = ColumnKey.of("f", "q");
    private static final MasterConfig GARBAGE_GOES_SOON = new MasterConfig(
            6_000,
            300,
            10_000,
            5_000,
            new Graces(60_000, 5_000, 60_000),
            MasterConfig.DEFAULT.merges(),
            3_000,
            1_000,
            MasterConfig.DEFAULT.silenceMillis());
    private static final List<String> SERVERS = List.of("server-1", "server-2", "server-3");

    @SeededTest(runs = 10)
    void aMoveUnderWritesReplaysNothingAndLosesNothing(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), SERVERS.size(), 1 << 16);
        sim.run(Duration.ofMinutes(60), () -> {
            long table = sim.createTable(DRAFT);
            sim.network.setFaults(new SimFaults(100, 5_000, 0.01, 0.02, 0.01));
            boolean[] moved = new boolean[1];
            sim.scheduler.start("mover", () -> {
                for (int i = 0; i < 4; i++) {
                    sim.move(table, SERVERS.get(random.nextInt(SERVERS.size())));
                }
                moved[0] = true;
            });
            Bytes row = Bytes.utf8("r");
            Deque<Bytes> written = new ArrayDeque<>();
            for (int i = 0; i < 10 || !moved[0]; i++) {
                Bytes value = Bytes.utf8("value " + i);
                sim.put(table, row, value);
                written.addFirst(value);
                sim.scheduler.pause(random.nextInt(200));
            }
            assertThat(sim.read(table, row)).containsExactlyElementsOf(written);
            for (String server : SERVERS) {
                assertThat(sim.status(server).getReplayedMutations()).isZero();
            }
            assertThat(sim.replayedLogs()).isEmpty();
        });
    }

    /** To list a directory of thousands of files takes the NameNode as long as a thousand other requests. */
    @SeededTest(runs = 3)
    void noReadWriteFlushOrLoadListsADirectoryButForLogsThatAreReplayed(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), SERVERS.size(), 1 << 13);
        sim.run(Duration.ofMinutes(60), () -> {
            sim.awaitServed();
            List<String> listed = new ArrayList<>();
            sim.faults = (operation, path) -> {
                if (operation == FileOperation.LIST) {
                    listed.add(path);
                }
                return Faults.NONE;
            };
            long table = sim.createTable(DRAFT);
            for (int i = 0; i < 40; i++) {
                Bytes row = Bytes.utf8("r" + i);
                sim.put(table, row, Bytes.wrap(new byte[1_000]));
                assertThat(sim.read(table, row)).hasSize(1);
                if (i % 10 == 9) {
                    sim.move(table, SERVERS.get(i / 10 % SERVERS.size()));
                }
            }
            assertThat(sim.files(table)).isNotEmpty();
            assertThat(listed).isEmpty();

            sim.put(table, Bytes.utf8("last"), Bytes.utf8("value"));
            String unused = sim.crashServerOf(table);
            assertThat(sim.read(table, Bytes.utf8("last"))).containsExactly(Bytes.utf8("value"));
            // The first by the master, which buries the log; the others by it, and by the loads that replay the log.
            assertThat(listed).isNotEmpty().allMatch(path -> path.equals("log") || path.startsWith("recovered/"));
        });
    }

    /** The answer to each was lost, as far as its client knows; in between the tablet went elsewhere, and elsewhere again. */
    @SeededTest(runs = 10)
    void aRetriedWriteIsAppliedOnceWhoeverServesByThen(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), SERVERS.size(), 1 << 16);
        sim.run(Duration.ofMinutes(60), () -> {
            long table = sim.createTable(DRAFT);
            Bytes row = Bytes.utf8("r");
            List<Write> writes = new ArrayList<>();
            List<WriteResult> results = new ArrayList<>();
            for (int i = 1; i <= 3; i++) {
                // The first only while the row is empty: a retry that is taken for another write would be refused.
                Optional<Condition> condition =
                        i == 1 ? Optional.of(Condition.newest(COLUMN, Optional.empty())) : Optional.empty();
                RowMutation mutation = RowMutation.of(row)
                        .set(COLUMN, Bytes.utf8("value " + i))
                        .build();
                Write write = new Write(mutation, new WriteId(99, i, 1), condition);
                writes.add(write);
                results.add(sim.write(table, write));
                goElsewhere(sim, table, random, i);
            }
            goElsewhere(sim, table, random, 4);
            for (int i = 0; i < writes.size(); i++) {
                assertThat(sim.write(table, writes.get(i))).isEqualTo(results.get(i));
                assertThat(results.get(i).failure()).isEmpty();
            }
            assertThat(sim.read(table, row))
                    .containsExactly(Bytes.utf8("value 3"), Bytes.utf8("value 2"), Bytes.utf8("value 1"));
        });
    }

    /** Its server was asked before to give it to nobody, and is not asked twice. */
    @SeededTest(runs = 5)
    void aMoveEndsSoonWhenItsTabletLeavesForNobody(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), SERVERS.size(), 1 << 16);
        sim.run(Duration.ofMinutes(60), () -> {
            long table = sim.createTable(DRAFT);
            sim.put(table, Bytes.utf8("r"), Bytes.utf8("value"));
            String target = mostTablets(sim, sim.serverOf(table));
            slowFlushes(sim);
            sim.beginUnload(table);
            sim.scheduler.pause(100);
            assertThat(secondsOf(sim, () -> sim.move(table, target))).isLessThan(40);
            assertThat(sim.serverOf(table)).isEqualTo(target);
        });
    }

    @SeededTest(runs = 5)
    void aTabletThatIsBeingMergedMovesAfterwards(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), SERVERS.size(), 1 << 16);
        sim.run(Duration.ofMinutes(60), () -> {
            long table = sim.createTable(DRAFT, "m");
            sim.put(table, Bytes.utf8("a"), Bytes.utf8("value"));
            sim.put(table, Bytes.utf8("r"), Bytes.utf8("value"));
            String target = mostTablets(sim, sim.serverOf(table));
            slowFlushes(sim);
            var merge = sim.scheduler.start("merge", () -> sim.merge(table, Bytes.utf8("a"), Bytes.utf8("r")));
            sim.scheduler.pause(random.nextLong(3_000));
            assertThat(secondsOf(sim, () -> sim.move(table, target))).isLessThan(40);
            assertThat(merge.join(60_000)).as("merged").isTrue();
            assertThat(sim.tablets(table)).hasSize(1);
        });
    }

    /**
     * Its own server writes its files until the other is dead and what it left is deleted, for no row named it. It never served
     * the tablet, so nobody misses its log.
     */
    @SeededTest(runs = 3)
    void aTabletThatIsHandedOverToADeadServerWhoseLogIsGoneIsServed(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 5, 1 << 16);
        sim.run(Duration.ofMinutes(60), () -> {
            sim.crashMaster();
            sim.masterConfig = GARBAGE_GOES_SOON;
            sim.startMaster();
            long table = sim.createTable(DRAFT);
            sim.put(table, Bytes.utf8("r"), Bytes.utf8("value"));
            String source = sim.serverOf(table);
            String target = sim.serversWithoutMetadata(5).stream()
                    .filter(server -> !server.equals(source))
                    .findFirst()
                    .orElseThrow();
            long dead = sim.status(target).getEpoch();
            boolean[] isSlow = {true};
            sim.faults = (operation, path) -> {
                boolean hit = isSlow[0] && operation == FileOperation.CREATE && path.startsWith("data/" + table + "/");
                isSlow[0] &= !hit;
                return hit ? new Faults.Fault(300_000, Faults.Failure.NONE) : Faults.NONE;
            };
            sim.beginMove(table, target);
            sim.scheduler.pause(1_000);
            sim.crash(target);
            while (sim.hasLog(dead)) {
                sim.scheduler.pause(1_000);
            }
            assertThat(sim.serverOf(table))
                    .as("still there when the log is gone")
                    .isEqualTo(source);
            while (sim.serverOf(table).equals(source)) {
                sim.scheduler.pause(1_000);
            }
            assertThat(sim.read(table, Bytes.utf8("r"))).containsExactly(Bytes.utf8("value"));
        });
    }

    /** So that what is asked next is asked in the middle of an unload. */
    private static void slowFlushes(SimServers sim) {
        sim.faults = (operation, path) ->
                operation == FileOperation.CREATE ? new Faults.Fault(2_000, Faults.Failure.NONE) : Faults.NONE;
    }

    /** Of the others: the one that nobody would give a tablet to by itself. */
    private static String mostTablets(SimServers sim, String not) throws InterruptedException {
        String most = "";
        int tablets = -1;
        for (String server : SERVERS) {
            int there = sim.status(server).getTablets().size();
            if (!server.equals(not) && there > tablets) {
                most = server;
                tablets = there;
            }
        }
        return most;
    }

    private static long secondsOf(SimServers sim, Scheduler.Task task) throws InterruptedException {
        long before = sim.scheduler.clock().nanos();
        task.run();
        return (sim.scheduler.clock().nanos() - before) / 1_000_000_000;
    }

    /** What is told again is what was told first: the sum of then, though later ones were added. */
    @SeededTest(runs = 10)
    void aRetriedIncrementIsAnsweredTheSameWhoeverServesByThen(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), SERVERS.size(), 1 << 16);
        sim.run(Duration.ofMinutes(60), () -> {
            long table = sim.createTable(DRAFT);
            Bytes row = Bytes.utf8("r");
            List<Write> writes = new ArrayList<>();
            for (int i = 1; i <= 4; i++) {
                // The last one only where nothing passes the block, which is always.
                Optional<Condition> condition =
                        i == 4 ? Optional.of(new Condition.Passes(Filter.NONE, false, List.of())) : Optional.empty();
                RowMutation mutation = RowMutation.of(row).increment(COLUMN, 10).build();
                Write write = new Write(mutation, new WriteId(99, i, 1), condition);
                writes.add(write);
                assertThat(sim.write(table, write)).isEqualTo(WriteResult.applied(i == 4 ? 0 : 10 * i));
                goElsewhere(sim, table, random, i);
            }
            for (int i = 1; i <= 4; i++) {
                assertThat(sim.write(table, writes.get(i - 1))).isEqualTo(WriteResult.applied(i == 4 ? 0 : 10 * i));
            }
            assertThat(sim.read(table, row)).hasSize(4).startsWith(Counter.encode(40));
        });
    }

    /**
     * Its condition did not hold, its client was told, and what it wanted came about later: a copy that was held up on its way
     * to whoever has the tablet by then does not find that it holds.
     */
    @SeededTest(runs = 10)
    void aLateCopyOfAWriteThatDidNotHoldChangesNothingWhoeverServesByThen(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), SERVERS.size(), 1 << 16);
        sim.run(Duration.ofMinutes(60), () -> {
            long table = sim.createTable(DRAFT);
            sim.put(table, Bytes.utf8("r"), Bytes.EMPTY);
            Bytes row = Bytes.utf8("contended");
            Write write = new Write(
                    RowMutation.of(row).set(COLUMN, Bytes.utf8("late")).build(),
                    new WriteId(99, 1, 1),
                    Optional.of(new Condition.Passes(Filter.ALL, true, List.of())));
            assertThat(sim.write(table, write)).isEqualTo(WriteResult.applied(0));
            goElsewhere(sim, table, random, 1);
            assertThat(sim.rows(table)).containsExactly(Bytes.utf8("r"));
            sim.put(table, row, Bytes.utf8("others"));
            for (int i = 2; i <= 4; i++) {
                goElsewhere(sim, table, random, i);
                assertThat(sim.write(table, write)).isEqualTo(WriteResult.applied(0));
                assertThat(sim.read(table, row)).containsExactly(Bytes.utf8("others"));
            }
        });
    }

    /** None of its writes is open any more where the tablet was: it is not taken for a client that nobody knows. */
    @SeededTest(runs = 3)
    void aRetryThatAServerHadToForgetIsAppliedByNoOther(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), SERVERS.size(), 1 << 16);
        sim.run(Duration.ofMinutes(60), () -> {
            long table = sim.createTable(DRAFT);
            Bytes row = Bytes.utf8("r");
            Write write = new Write(
                    RowMutation.of(row).increment(COLUMN, 10).build(), new WriteId(99, 1, 1), Optional.empty());
            assertThat(sim.write(table, write)).isEqualTo(WriteResult.applied(10));
            for (int client = 0; client < Outcomes.MAX_CLIENTS; client++) {
                RowMutation other =
                        RowMutation.of("other").set(COLUMN, Bytes.EMPTY).build();
                sim.write(table, new Write(other, new WriteId(1_000 + client, 1, 1), Optional.empty()));
            }
            for (int i = 1; i <= 3; i++) {
                goElsewhere(sim, table, random, i);
                // The log of a server that died may still tell.
                Optional<BigtableException> failure = sim.write(table, write).failure();
                assertThat(failure.map(BigtableException::outcome).orElse(Outcome.UNKNOWN))
                        .isEqualTo(Outcome.UNKNOWN);
                // A file that whoever took the tablet over has written, with what it knows of them.
                sim.put(table, Bytes.utf8("next"), Bytes.EMPTY);
                sim.flush(table);
            }
            assertThat(sim.read(table, row)).containsExactly(Counter.encode(10));
        });
    }

    private static void goElsewhere(SimServers sim, long table, RandomGenerator random, int round)
            throws InterruptedException {
        switch (random.nextInt(3)) {
            case 0 -> {
                String from = sim.serverOf(table);
                sim.move(
                        table,
                        SERVERS.stream()
                                .filter(sim::isAlive)
                                .filter(to -> !to.equals(from))
                                .findFirst()
                                .orElse(from));
            }
            case 1 -> sim.crashServerOf(table, "server-after-" + round);
            default -> sim.flush(table);
        }
        assertThat(sim.read(table, Bytes.utf8("r"))).isNotEmpty();
    }

    /** Ten minutes after a write nobody asks for it any more, and neither log nor file is kept for that. */
    @SeededTest(runs = 2)
    void whatIsOpenIsForgottenInTime(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), SERVERS.size(), 1 << 16);
        sim.run(Duration.ofMinutes(60), () -> {
            long table = sim.createTable(DRAFT);
            sim.put(table, Bytes.utf8("r"), Bytes.utf8("first"));
            sim.flush(table);
            assertThat(sim.files(table)).filteredOn(OpenWrites::isFile).hasSize(1);
            sim.scheduler.pause(Duration.ofMinutes(11).toMillis());
            sim.put(table, Bytes.utf8("r"), Bytes.utf8("second"));
            sim.flush(table);
            List<FileReference> files = sim.files(table);
            assertThat(files).filteredOn(OpenWrites::isFile).hasSize(1);
            sim.move(table, sim.serverOf(table).equals("server-1") ? "server-2" : "server-1");
            assertThat(sim.files(table)).isEqualTo(files);
        });
    }

    @SeededTest(runs = 5)
    void aPlannedStopMovesTabletsAndReplaysNothing(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), SERVERS.size(), 1 << 16);
        sim.run(Duration.ofMinutes(60), () -> {
            long table = sim.createTable(DRAFT, "c", "h", "m", "t");
            Map<Bytes, Bytes> written = new TreeMap<>();
            for (String row : List.of("a", "d", "i", "n", "u")) {
                written.put(Bytes.utf8(row), Bytes.utf8("value of " + row));
                sim.put(table, Bytes.utf8(row), Bytes.utf8("value of " + row));
            }
            // One after the other: METADATA and the root tablet are with one of them.
            sim.stopServer("server-1");
            sim.stopServer("server-2");
            for (Map.Entry<Bytes, Bytes> entry : written.entrySet()) {
                assertThat(sim.read(table, entry.getKey())).containsExactly(entry.getValue());
            }
            assertThat(sim.status("server-3").getReplayedMutations()).isZero();
            assertThat(sim.replayedLogs()).isEmpty();
        });
    }

    @SeededTest(runs = 5)
    void aDrainedServerHasNothingAndIsGivenNothing(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), SERVERS.size(), 1 << 16);
        sim.run(Duration.ofMinutes(60), () -> {
            long table = sim.createTable(DRAFT, "c", "h", "m", "t");
            sim.put(table, Bytes.utf8("a"), Bytes.utf8("value"));
            sim.drain("server-1");
            assertThat(sim.status("server-1").getTablets()).isEmpty();
            sim.crashServerOf(table, "server-4");
            assertThat(sim.read(table, Bytes.utf8("a"))).containsExactly(Bytes.utf8("value"));
            assertThat(sim.read(table, Bytes.utf8("z"))).isEmpty();
            sim.awaitServed();
            assertThat(sim.status("server-1").getTablets()).isEmpty();
        });
    }

    /** Its files cannot be written, for a while. */
    @SeededTest(runs = 3)
    void aTabletThatCannotLeaveADrainedServerKeepsNoOther(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 1, 1 << 16);
        sim.run(Duration.ofMinutes(60), () -> {
            long table = sim.createTable(DRAFT);
            sim.put(table, Bytes.utf8("a"), Bytes.utf8("value"));
            sim.startServer("server-2");
            // So that the master has seen it.
            sim.scheduler.pause(5_000);
            sim.faults =
                    (operation, path) -> operation == FileOperation.CREATE && path.startsWith("data/" + table + "/")
                            ? new Faults.Fault(0, Faults.Failure.INSTEAD)
                            : Faults.NONE;
            var drain = sim.scheduler.start("drain", () -> sim.drain("server-1"));
            sim.scheduler.pause(120_000);
            assertThat(sim.serverOfRoot()).isEqualTo("server-2");
            assertThat(sim.serverOf(TableSchema.METADATA_ID)).isEqualTo("server-2");
            assertThat(sim.serverOf(table)).isEqualTo("server-1");
            sim.faults = (operation, path) -> Faults.NONE;
            assertThat(drain.join(120_000)).as("the drain came to its end").isTrue();
            assertThat(sim.read(table, Bytes.utf8("a"))).containsExactly(Bytes.utf8("value"));
        });
    }

    /** Each tablet's row is read before it moves, and there is no METADATA to read it from. */
    @SeededTest(runs = 3)
    void aDrainDoesNotKeepMetadataFromBeingServedAgain(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), SERVERS.size(), 1 << 16);
        sim.run(Duration.ofMinutes(20), () -> {
            long table = sim.createTable(DRAFT, "b", "c", "d", "e", "f", "h", "j", "m", "p", "t");
            sim.put(table, Bytes.utf8("a"), Bytes.utf8("value"));
            String holder = sim.serverOf(TableSchema.METADATA_ID);
            String other = SERVERS.stream()
                    .filter(server -> !server.equals(holder))
                    .findFirst()
                    .orElseThrow();
            var drain = sim.scheduler.start("drain", () -> sim.drain(other));
            sim.scheduler.pause(random.nextLong(1_000));
            sim.crashServerOf(TableSchema.METADATA_ID, "server-4");
            assertThat(sim.read(table, Bytes.utf8("a"))).containsExactly(Bytes.utf8("value"));
            assertThat(drain.join(120_000)).as("the drain came to its end").isTrue();
            assertThat(sim.status(other).getTablets()).isEmpty();
        });
    }

    @SeededTest(runs = 3)
    void aServerThatComesIsGivenItsShare(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 1, 1 << 16);
        sim.run(Duration.ofMinutes(60), () -> {
            long table = sim.createTable(DRAFT, "c", "h", "m", "t", "v");
            sim.put(table, Bytes.utf8("a"), Bytes.utf8("value"));
            sim.startServer("server-2");
            int tablets = 0;
            for (int i = 0; i < 100 && tablets < 3; i++) {
                sim.scheduler.pause(1_000);
                tablets = sim.status("server-2").getTablets().size();
            }
            // METADATA's two stay where they are.
            sim.scheduler.pause(60_000);
            assertThat(sim.status("server-2").getTablets()).hasSize(3);
            assertThat(sim.status("server-1").getTablets()).hasSize(5);
            assertThat(sim.read(table, Bytes.utf8("a"))).containsExactly(Bytes.utf8("value"));
            assertThat(sim.replayedLogs()).isEmpty();
        });
    }
}
