package bt.tabletserver;

import static bt.tabletserver.CommitFixture.put;
import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Scheduler.Worker;
import bt.model.Filter;
import bt.model.TableSchema.Durability;
import bt.protocol.Condition;
import bt.protocol.Write;
import bt.protocol.WriteId;
import bt.protocol.WriteResult;
import bt.record.LogReport;
import bt.testing.Faults;
import bt.testing.Faults.Failure;
import bt.testing.Faults.Fault;
import bt.testing.FileOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CommitPipelineTest {
    private static WriteId number(long number) {
        return new WriteId(1, number, 1);
    }

    private static Faults slowSyncs(String path, long millis) {
        return (operation, at) ->
                operation == FileOperation.SYNC && at.startsWith(path) ? new Fault(millis, Failure.NONE) : Faults.NONE;
    }

    @Test
    void aWriteWaitsNoLongerForAHangingFileThanForTheOtherWriter() throws Exception {
        CommitFixture server = CommitFixture.of(1);
        server.run(() -> {
            server.write("r", "1", number(1));
            server.faults = slowSyncs(server.stream.path(1), 600_000);
            Duration before = server.simulation.elapsed();
            assertThat(server.write("r", "2", number(2)).failure()).isEmpty();
            assertThat(server.simulation.elapsed().minus(before))
                    .isBetween(Duration.ofSeconds(2), Duration.ofMillis(2_500));
            before = server.simulation.elapsed();
            assertThat(server.write("r", "3", number(3)).failure()).isEmpty();
            assertThat(server.simulation.elapsed().minus(before)).isLessThan(Duration.ofMillis(100));
            assertThat(server.read("r")).containsExactly("3", "2", "1");
            assertThat(server.halts).isEmpty();
            assertThat(server.crashAndReadLog())
                    .extracting(entry -> entry.author().number())
                    .containsExactly(1L, 2L, 3L);
        });
    }

    @Test
    void aServerWhoseWritersBothHangHalts() throws Exception {
        CommitFixture server = CommitFixture.of(1);
        server.run(() -> {
            server.write("r", "1", number(1));
            server.faults = slowSyncs(server.stream.directory(), 600_000);
            WriteResult doubtful = server.write("r", "2", number(2));
            assertThat(doubtful.failure().orElseThrow().outcome()).isEqualTo(Outcome.UNKNOWN);
            assertThat(server.halts).singleElement().asString().contains("commit log in doubt");
            assertThat(server.read("r")).containsExactly("1");
        });
    }

    /** One lock that many want: were each to put the others back, they would need a sync each, one after the other. */
    @Test
    void manyConditionsOfOneRowThatDoNotHoldGoTogether() throws Exception {
        CommitFixture server = CommitFixture.of(1);
        server.run(() -> {
            server.faults = slowSyncs(server.stream.directory(), 1_000);
            Optional<Condition> any = Optional.of(new Condition.Passes(Filter.ALL, true, List.of()));
            List<CompletableFuture<WriteResult>> all = new ArrayList<>();
            for (int i = 1; i <= 10; i++) {
                all.add(server.begin(put("r", "v"), number(i), any));
            }
            Duration before = server.simulation.elapsed();
            for (CompletableFuture<WriteResult> one : all) {
                assertThat(server.simulation.await(one, 60_000)).isEqualTo(WriteResult.applied(0));
            }
            assertThat(server.simulation.elapsed().minus(before)).isLessThan(Duration.ofSeconds(5));
        });
    }

    @Test
    void aBatchIsVisibleAndAnsweredWhileTheNextIsSynced() throws Exception {
        CommitFixture server = CommitFixture.of(1);
        server.run(() -> {
            server.faults = slowSyncs(server.stream.directory(), 1_000);
            CompletableFuture<WriteResult> first = server.begin(put("r", "1"), number(1), Optional.empty());
            server.simulation.pause(500);
            CompletableFuture<WriteResult> second = server.begin(put("r", "2"), number(2), Optional.empty());
            assertThat(server.simulation.await(first, 600).failure()).isEmpty();
            assertThat(server.read("r")).containsExactly("1");
            assertThat(second).isNotDone();
            assertThat(server.simulation.await(second, 1_100).failure()).isEmpty();
            assertThat(server.read("r")).containsExactly("2", "1");
        });
    }

    @Test
    void callersWhoComeBackAtOnceShareTheirFlushes() throws Exception {
        CommitFixture server = CommitFixture.of(1);
        AtomicInteger syncs = new AtomicInteger();
        AtomicInteger written = new AtomicInteger();
        server.run(() -> {
            server.faults = (operation, path) -> {
                if (operation == FileOperation.SYNC) {
                    syncs.incrementAndGet();
                    return new Fault(10, Failure.NONE);
                }
                return Faults.NONE;
            };
            List<Worker> callers = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                int client = i;
                callers.add(server.simulation.start("caller-" + i, () -> {
                    // Not in step.
                    server.simulation.pause(3L * client);
                    for (int number = 1; number <= 50; number++) {
                        write(server, client, number);
                        written.incrementAndGet();
                    }
                }));
            }
            for (Worker caller : callers) {
                assertThat(caller.join(60_000)).isTrue();
            }
            assertThat(written).hasValue(8 * 50);
            assertThat(syncs.get()).isLessThan(60);
            LogReport said = server.hosted.queue().logReport();
            assertThat(said.getWrites()).isEqualTo(8 * 50);
            assertThat(said.getBatches()).isBetween(50L, (long) syncs.get());
            // Row, column and value of a write are 12 bytes at most, and what the log says of it some 40.
            assertThat(said.getBytes()).isBetween(8 * 50 * 20L, 8 * 50 * 80L);
        });
    }

    private static void write(CommitFixture server, int client, int number) throws InterruptedException {
        WriteId id = new WriteId(client, number, number);
        try {
            WriteResult result = server.simulation.await(
                    server.begin(put("r" + client, "v" + number), id, Optional.empty()), 10_000);
            assertThat(result.failure()).isEmpty();
        } catch (BigtableException failed) {
            throw new AssertionError(failed);
        }
    }

    @Test
    void aLargeBatchIsOnItsWayBeforeTheOneBeforeIsAnswered() throws Exception {
        CommitFixture server = CommitFixture.of(1);
        List<FileOperation> whenAnswered = new ArrayList<>();
        List<FileOperation> syncs = new CopyOnWriteArrayList<>();
        server.run(() -> {
            server.faults = (operation, path) -> {
                if (operation == FileOperation.SYNC) {
                    syncs.add(operation);
                    return new Fault(1_000, Failure.NONE);
                }
                return Faults.NONE;
            };
            CompletableFuture<WriteResult> first = server.begin(put("r", "1"), number(1), Optional.empty());
            // On the commit thread, which holds all else up meanwhile.
            CompletableFuture<Void> answered = first.thenRun(() -> {
                pause(server, 10);
                whenAnswered.addAll(syncs);
            });
            server.simulation.pause(500);
            for (int i = 0; i < Returning.ENOUGH; i++) {
                CompletableFuture<WriteResult> unused =
                        server.begin(put("s" + i, "2"), number(2 + i), Optional.empty());
            }
            server.simulation.await(answered, 1_000);
            assertThat(whenAnswered).hasSize(2);
        });
    }

    private static void pause(CommitFixture server, long millis) {
        try {
            server.simulation.pause(millis);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aFreezeWaitsForWhatIsOnItsWay() throws Exception {
        CommitFixture server = CommitFixture.of(1);
        server.run(() -> {
            server.faults = slowSyncs(server.stream.directory(), 1_000);
            CompletableFuture<WriteResult> first = server.begin(put("r", "1"), number(1), Optional.empty());
            server.simulation.pause(500);
            CompletableFuture<WriteResult> second = server.begin(put("s", "2"), number(2), Optional.empty());
            server.simulation.await(server.hosted.queue().freeze(server.hosted), 10_000);
            assertThat(first).isCompleted();
            assertThat(second).isCompleted();
            assertThat(server.hosted.unwritten()).hasSize(1);
            assertThat(server.hosted.unwritten().peek().redoPoint()).isEqualTo(CommitFixture.REDO_POINT + 2);
        });
    }

    @Test
    void oneWriteThatWantsASyncHasItsBatchSynced() throws Exception {
        CommitFixture server = new CommitFixture(1, Durability.FLUSH, 1 << 30);
        HostedTablet synced = server.hostAnother(Durability.SYNC);
        List<FileOperation> operations = new ArrayList<>();
        server.run(() -> {
            server.simulation.await(server.hosted.queue().adopt(synced, new Outcomes()), 10_000);
            server.faults = (operation, path) -> {
                operations.add(operation);
                return operation == FileOperation.FLUSH ? new Fault(100, Failure.NONE) : Faults.NONE;
            };
            // While the first is flushed the other two come together.
            CompletableFuture<WriteResult> before = server.begin(put("a", "1"), number(1), Optional.empty());
            server.simulation.pause(50);
            CompletableFuture<WriteResult> flushed = server.begin(put("b", "1"), number(2), Optional.empty());
            CompletableFuture<WriteResult> inSync =
                    server.begin(synced, new Write(put("c", "1"), number(3), Optional.empty()));
            server.simulation.await(before, 1_000);
            server.simulation.await(flushed, 1_000);
            server.simulation.await(inSync, 1_000);
            assertThat(operations)
                    .filteredOn(operation -> operation == FileOperation.FLUSH || operation == FileOperation.SYNC)
                    .containsExactly(FileOperation.FLUSH, FileOperation.SYNC);
        });
    }
}
