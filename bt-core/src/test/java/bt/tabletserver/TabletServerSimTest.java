package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.Bloom;
import bt.model.ColumnKey;
import bt.model.GcRule;
import bt.model.LocalityGroup;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Request;
import bt.protocol.Write;
import bt.protocol.WriteId;
import bt.record.ServerStatus;
import bt.record.TabletReport;
import bt.testing.Faults;
import bt.testing.Faults.Failure;
import bt.testing.Faults.Fault;
import bt.testing.FileOperation;
import bt.testing.SeededTest;
import bt.testing.SimFaults;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** Tablet servers with a master, on one scheduler: what was acknowledged is read, whoever dies. */
class TabletServerSimTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();

    @SeededTest(runs = 20)
    void everyAcknowledgedWriteIsThereOnceWhoeverDies(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 2, 1 << 13);
        sim.run(Duration.ofMinutes(60), () -> {
            long table = sim.createTable(DRAFT, "h", "p");
            sim.network.setFaults(new SimFaults(100, 5_000, 0.01, 0.02, 0.01));
            Map<Bytes, Deque<Bytes>> written = new TreeMap<>();
            for (int i = 0; i < 90; i++) {
                if (i == 30 || i == 60) {
                    sim.crashOneServer();
                    sim.startServer("server-" + i);
                }
                Bytes row = Bytes.utf8((char) ('a' + random.nextInt(26)) + "/" + random.nextInt(3));
                Bytes value = Bytes.wrap(new byte[random.nextInt(4_000)]);
                sim.put(table, row, value);
                written.computeIfAbsent(row, first -> new ArrayDeque<>()).addFirst(value);
            }
            // Nothing is left in anybody's memory: what is read now comes from files and logs.
            sim.crashOneServer();
            sim.crashOneServer();
            sim.startServer("server-last");
            for (Map.Entry<Bytes, Deque<Bytes>> entry : written.entrySet()) {
                assertThat(sim.read(table, entry.getKey())).containsExactlyElementsOf(entry.getValue());
            }
        });
    }

    @SeededTest(runs = 10)
    void aLogThatGoesOverToItsOtherWriterLosesNothing(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 2, 1 << 13);
        sim.run(Duration.ofMinutes(60), () -> {
            long table = sim.createTable(DRAFT, "h", "p");
            Random chance = new Random(random.nextLong());
            // About one sync in ten is slow, half of those for longer than any deadline.
            sim.faults = (operation, path) -> operation == FileOperation.SYNC && chance.nextInt(10) == 0
                    ? new Fault(chance.nextInt(5_000), chance.nextInt(4) == 0 ? Failure.AFTERWARDS : Failure.NONE)
                    : Faults.NONE;
            Map<Bytes, Deque<Bytes>> written = new TreeMap<>();
            for (int i = 0; i < 60; i++) {
                if (i == 30) {
                    sim.crashOneServer();
                    sim.startServer("server-" + i);
                }
                Bytes row = Bytes.utf8((char) ('a' + random.nextInt(26)) + "/" + random.nextInt(3));
                Bytes value = Bytes.wrap(new byte[random.nextInt(4_000)]);
                sim.put(table, row, value);
                written.computeIfAbsent(row, first -> new ArrayDeque<>()).addFirst(value);
            }
            sim.faults = (operation, path) -> Faults.NONE;
            sim.crashOneServer();
            sim.crashOneServer();
            sim.startServer("server-last");
            for (Map.Entry<Bytes, Deque<Bytes>> entry : written.entrySet()) {
                assertThat(sim.read(table, entry.getKey())).containsExactlyElementsOf(entry.getValue());
            }
        });
    }

    /** Disks that are full, or a NameNode in safe mode: no other server could write either. */
    @SeededTest(runs = 5)
    void aServerOutlivesAFileSystemThatTakesNothingAndReadsGoOn(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 1, 1 << 13);
        sim.run(Duration.ofMinutes(60), () -> {
            long table = sim.createTable(DRAFT);
            Bytes before = Bytes.utf8("before");
            Bytes during = Bytes.utf8("during");
            sim.put(table, before, before);
            sim.faults = (operation, path) -> operation == FileOperation.CREATE
                            || operation == FileOperation.FLUSH
                            || operation == FileOperation.SYNC
                    ? new Fault(0, Failure.REFUSED)
                    : Faults.NONE;
            CompletableFuture<Duration> written = new CompletableFuture<>();
            sim.scheduler.start("writer", () -> {
                sim.put(table, during, during);
                written.complete(sim.scheduler.elapsed());
            });
            for (int minute = 0; minute < 4; minute++) {
                sim.scheduler.pause(60_000);
                Duration asked = sim.scheduler.elapsed();
                assertThat(sim.read(table, before)).containsExactly(before);
                assertThat(sim.scheduler.elapsed().minus(asked)).isLessThan(Duration.ofSeconds(1));
            }
            assertThat(written).isNotDone();
            sim.faults = (operation, path) -> Faults.NONE;
            Duration mended = sim.scheduler.elapsed();
            sim.scheduler.pause(30_000);
            assertThat(written).isCompleted();
            assertThat(written.join().minus(mended)).isLessThan(Duration.ofSeconds(15));
            assertThat(sim.scheduler.isRunning("server-1")).isTrue();
            sim.crashOneServer();
            sim.startServer("server-2");
            assertThat(sim.read(table, during)).containsExactly(during);
        });
    }

    /** Each zero of a row is four characters in a message: written whole for each row, a request would grow to eight times its size. */
    @Test
    void rowsThatAreNotServedHereAreRefusedInFewWords() {
        SimServers sim = new SimServers(1, 1, 1 << 13);
        sim.run(Duration.ofMinutes(10), () -> {
            sim.createTable(DRAFT);
            RowMutation mutation = RowMutation.of(Bytes.wrap(new byte[1_000]))
                    .set(ColumnKey.of("f", "q"), Bytes.EMPTY)
                    .build();
            List<Write> writes = new ArrayList<>();
            for (int i = 1; i <= 1_000; i++) {
                writes.add(new Write(mutation, new WriteId(1, i, 1), Optional.empty()));
            }
            Request.Mutate nowhere = new Request.Mutate(999, writes);
            CompletableFuture<Answer> sent =
                    sim.network.of("hostile").send(new Address("server-1", 1), nowhere, 10_000);
            sim.scheduler.pause(5_000);
            Answer.Mutated answer = (Answer.Mutated) sent.join();
            List<String> told = answer.results().stream()
                    .map(result -> result.failure().orElseThrow().getMessage())
                    .toList();
            assertThat(told).hasSize(1_000);
            // One text, for all of them.
            assertThat(Set.copyOf(told))
                    .singleElement(InstanceOfAssertFactories.STRING)
                    .startsWith("row \\x00\\x00")
                    .endsWith("…(1000 bytes), and perhaps others of 1000 rows, is not served here: locate it again")
                    .hasSizeLessThan(600);
        });
    }

    @SeededTest(runs = 5)
    void theLogOfALivingServerStaysShort(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 1, 1 << 14);
        sim.run(Duration.ofMinutes(180), () -> {
            long table = sim.createTable(DRAFT, "h");
            sim.put(table, Bytes.utf8("a"), Bytes.utf8("before"));
            // A segment for each, and memtables that may hold 80 of them.
            for (int round = 0; round < 5; round++) {
                for (int i = 0; i < 60; i++) {
                    sim.put(table, Bytes.utf8("x/" + i), Bytes.wrap(new byte[90_000]));
                }
                sim.scheduler.pause(Duration.ofMinutes(11).toMillis());
            }
            sim.put(table, Bytes.utf8("a"), Bytes.utf8("after"));
            sim.scheduler.pause(2_000);
            assertThat(sim.liveSegments("user")).hasSizeLessThan(180);
            sim.crashOneServer();
            sim.startServer("server-2");
            assertThat(sim.read(table, Bytes.utf8("a"))).containsExactly(Bytes.utf8("after"), Bytes.utf8("before"));
            assertThat(sim.read(table, Bytes.utf8("x/59"))).hasSize(5);
        });
    }

    @SeededTest(runs = 2)
    void aTableThatTheServerCouldNotWriteToFilesIsNotServed(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 1, 1 << 20);
        sim.runUnexamined(Duration.ofMinutes(10), () -> {
            TableSchema typo = TableSchema.draft("typo")
                    .group(new LocalityGroup("default", 1 << 16, "zstdd", false, Bloom.ROW))
                    .family("f", GcRule.KEEP_ALL)
                    .build();
            assertThatThrownBy(() -> sim.createTable(typo))
                    .hasRootCauseInstanceOf(RejectedException.class)
                    .rootCause()
                    .hasMessageStartingWith(
                            "table typo: codec \"zstdd\" of locality group default is none of none, lz4,");

            // As a server would find it that has not the codec which the one that was asked had.
            long table = sim.createTable(
                    TableSchema.draft("typo").family("f", GcRule.KEEP_ALL).build());
            sim.awaitServed();
            sim.rewriteTable(table, typo);
            sim.put(table, Bytes.utf8("r"), Bytes.utf8("still served with the schema before"));
            sim.crashOneServer();
            sim.startServer("server-2");
            ServerStatus status;
            List<String> failures;
            do {
                sim.scheduler.pause(300);
                status = sim.status("server-2");
                failures = status.getTablets().stream()
                        .map(TabletReport::getFailure)
                        .filter(Objects::nonNull)
                        .toList();
            } while (failures.isEmpty());
            assertThat(failures)
                    .singleElement()
                    .asString()
                    .startsWith("table typo: codec \"zstdd\" of locality group default is none of none, lz4,");
            assertThat(status.getCaches()).hasSize(9);
        });
    }

    @SeededTest(runs = 5)
    void aPlannedStopLeavesNothingToReplay(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 1, 1 << 20);
        sim.run(Duration.ofMinutes(10), () -> {
            long table = sim.createTable(DRAFT);
            sim.put(table, Bytes.utf8("r"), Bytes.utf8("v"));
            sim.stopServer("server-1");
            sim.startServer("server-2");
            assertThat(sim.read(table, Bytes.utf8("r"))).containsExactly(Bytes.utf8("v"));
            assertThat(sim.replayedLogs()).isEmpty();
        });
    }
}
