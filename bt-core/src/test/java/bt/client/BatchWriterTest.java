package bt.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.model.ColumnKey;
import bt.model.Limits;
import bt.model.RowMutation;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.protocol.Request;
import bt.protocol.Write;
import bt.protocol.WriteNumbers;
import bt.testing.MemoryCluster;
import bt.testing.MemoryCluster.Fate;
import bt.testing.SeededTest;
import bt.testing.SimScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BatchWriterTest {
    private static final int MAX_WRITES = ClientOptions.DEFAULT.batchMutations();

    private MemoryCluster cluster;
    private Bigtable bigtable;
    private Table table;

    @BeforeEach
    void start() throws Exception {
        cluster = new MemoryCluster();
        cluster.table(4, TableTest.WEBTABLE, List.of(Bytes.utf8("f"), Bytes.utf8("m")), 3);
        cluster.move(new TabletId(4, Optional.of(Bytes.utf8("m"))), 3, 5);
        bigtable = Bigtable.over(cluster, cluster.locks, cluster.scheduler);
        table = bigtable.table("webtable");
    }

    @AfterEach
    void stop() {
        bigtable.close();
        cluster.close();
    }

    private static RowMutation put(String row, String value) {
        return RowMutation.of(row).set("anchor", "a", value).build();
    }

    @Test
    void everythingAddedIsThereOnceTheBatchIsClosed() throws Exception {
        try (BatchWriter batch = table.batch()) {
            for (int i = 0; i < 3 * MAX_WRITES; i++) {
                batch.add(put("" + (char) ('a' + i % 26) + i, "v"));
            }
        }
        int rows = 0;
        try (Scanner scanner = table.scan(Scan.all())) {
            while (scanner.next().isPresent()) {
                rows++;
            }
        }
        assertThat(rows).isEqualTo(3 * MAX_WRITES);
        int requests =
                cluster.server(3).asked().size() + cluster.server(5).asked().size();
        assertThat(requests).isLessThan(MAX_WRITES);
    }

    @Test
    void rowsOfManyTabletsGoToEachServerInOneRequest() throws Exception {
        table.read(Bytes.utf8("a"));
        List<RowMutation> mutations = new ArrayList<>();
        for (String row : List.of("a", "b", "g", "z", "h", "c", "i", "y", "j")) {
            mutations.add(put(row, "v"));
        }
        assertThat(table.applyAll(mutations))
                .allMatch(written -> written.failure().isEmpty());
        assertThat(writesAsked(3)).containsExactly(5);
        assertThat(writesAsked(5)).containsExactly(4);
    }

    /** Of each request to write that a server has had. */
    private List<Integer> writesAsked(int host) {
        return cluster.server(host).asked().stream()
                .filter(Request.Mutate.class::isInstance)
                .map(request -> ((Request.Mutate) request).writes().size())
                .toList();
    }

    /** Lost requests, lost answers and moving tablets: each row ends with the last value that was added for it. */
    @SeededTest(runs = 10)
    void theLastOfARowsWritesWins(RandomGenerator random) throws Exception {
        cluster.fates((to, request) -> request instanceof Request.Mutate
                ? List.of(Fate.values()).get(Math.max(0, random.nextInt(12) - 8))
                : Fate.DELIVERED);
        Map<String, String> model = new HashMap<>();
        TabletId first = new TabletId(4, Optional.of(Bytes.utf8("f")));
        try (BatchWriter batch = table.batch()) {
            for (int i = 0; i < 300; i++) {
                String row = "" + (char) ('a' + random.nextInt(20));
                batch.add(put(row, "v" + i));
                model.put(row, "v" + i);
                if (i == 150) {
                    cluster.fates((to, request) -> Fate.DELIVERED);
                    cluster.move(first, 3, 7);
                }
            }
        }
        for (Map.Entry<String, String> each : model.entrySet()) {
            assertThat(table.read(Bytes.utf8(each.getKey())).orElseThrow().value(ColumnKey.of("anchor", "a")))
                    .contains(Bytes.utf8(each.getValue()));
        }
    }

    /** Of what is further ahead of a write that is still on its way a server may have forgotten what became of it. */
    @Test
    void aWriteThatIsHeldUpIsNotLeftBehindFurtherThanServersRemember() throws Exception {
        HeldUp heldUp = new HeldUp(Bytes.utf8("z"));
        cluster.fates(heldUp);
        int others = WriteNumbers.SPAN + MAX_WRITES;
        try (BatchWriter slow = table.batch();
                BatchWriter fast = table.batch()) {
            slow.add(put("z", "v"));
            Awaitility.await().until(heldUp::wasSent);
            for (int i = 0; i < others; i++) {
                fast.add(put("" + (char) ('a' + i % 10) + i, "v"));
            }
        }
        assertThat(heldUp.furthestAhead())
                .isGreaterThan(WriteNumbers.SPAN - MAX_WRITES)
                .isLessThan(WriteNumbers.SPAN);
        assertThat(table.read(Bytes.utf8("z"))).isPresent();
    }

    /** Refuses the write to one row until no other has come for some of its attempts. */
    private static final class HeldUp implements BiFunction<Address, Request, Fate> {
        private static final int ATTEMPTS_ALONE = 5;

        private final Bytes row;
        private int attemptsAlone;
        private boolean released;
        private long number;
        private long highest;
        private long highestBefore = -1;
        private long furthest;

        HeldUp(Bytes row) {
            this.row = row;
        }

        @Override
        public synchronized Fate apply(Address to, Request request) {
            if (!(request instanceof Request.Mutate mutate)) {
                return Fate.DELIVERED;
            }
            for (Write write : mutate.writes()) {
                if (write.mutation().row().equals(row)) {
                    number = write.id().number();
                    attemptsAlone = highest > number && highest == highestBefore ? attemptsAlone + 1 : 0;
                    highestBefore = highest;
                    released = attemptsAlone == ATTEMPTS_ALONE;
                    return released ? Fate.DELIVERED : Fate.NO_CONNECTION;
                }
                highest = Math.max(highest, write.id().number());
                furthest = released ? furthest : Math.max(furthest, highest - number);
            }
            return Fate.DELIVERED;
        }

        synchronized boolean wasSent() {
            return number > 0;
        }

        synchronized long furthestAhead() {
            return furthest;
        }
    }

    @Test
    void aWriteThatFailsIsThrownByTheNextCallWithItsRowAndTheOthersAreApplied() throws Exception {
        BatchWriter batch = table.batch();
        batch.add(put("a", "1"));
        batch.add(put("c", "1"));
        // The last one: a call after it might be told already.
        batch.add(RowMutation.of("b").set("nope", "a", "1").build());
        assertThatThrownBy(batch::flush)
                .isInstanceOfSatisfying(RejectedException.class, failure -> {
                    assertThat(failure.outcome()).isEqualTo(Outcome.NOT_APPLIED);
                    assertThat(failure.getSuppressed()).hasSize(1);
                })
                .hasMessageContaining("1 write of a batch failed; row b: NOT_APPLIED");
        batch.close();
        assertThat(table.read(Bytes.utf8("a"))).isPresent();
        assertThat(table.read(Bytes.utf8("b"))).isEmpty();
        assertThat(table.read(Bytes.utf8("c"))).isPresent();
    }

    @Test
    void theFailureOfAWriteIsThrownThoughItsResultWasCancelled() throws Exception {
        CompletableFuture<Void> cancelled = new CompletableFuture<>();
        cluster.fates((to, request) -> {
            cancelled.join();
            return Fate.DELIVERED;
        });
        BatchWriter batch = table.batch();
        CompletableFuture<Long> result =
                batch.add(RowMutation.of("b").set("nope", "a", "1").build());
        assertThat(result.cancel(true)).isTrue();
        cancelled.complete(null);
        assertThatThrownBy(batch::flush)
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("1 write of a batch failed; row b: NOT_APPLIED");
        batch.close();
    }

    @Test
    void aClosedBatchTakesNothing() throws Exception {
        BatchWriter batch = table.batch();
        batch.close();
        batch.close();
        assertThatThrownBy(() -> batch.add(put("a", "1"))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void everyRowsResultIsThereWhenTheFlushReturns() throws Exception {
        try (BatchWriter batch = table.batch()) {
            CompletableFuture<Long> first = batch.add(put("a", "1"));
            CompletableFuture<Long> second = batch.add(put("n", "2"));
            batch.flush();
            assertThat(second.join()).isNotEqualTo(first.join());
            CompletableFuture<Long> wrong =
                    batch.add(RowMutation.of("b").set("nope", "a", "1").build());
            assertThatThrownBy(batch::flush).isInstanceOf(RejectedException.class);
            assertThatThrownBy(wrong::join).hasCauseInstanceOf(RejectedException.class);
        }
    }

    @Test
    void aBatchThatIsClosedWithAFailureHasEndedAndLeavesNoThread() throws Exception {
        BatchWriter batch = table.batch();
        batch.add(RowMutation.of("b").set("nope", "a", "1").build());
        assertThatThrownBy(batch::close).isInstanceOf(RejectedException.class);
        batch.close();
        assertThatThrownBy(() -> batch.add(put("a", "1"))).isInstanceOf(IllegalStateException.class);
        awaitNoThread();
    }

    @Test
    void anInterruptedFlushGivesNothingUp() throws Exception {
        cluster.fates((to, request) -> request instanceof Request.Mutate ? Fate.NO_CONNECTION : Fate.DELIVERED);
        try (BatchWriter batch = table.batch()) {
            CompletableFuture<Long> result = batch.add(put("a", "1"));
            Thread.currentThread().interrupt();
            assertThatThrownBy(batch::flush).isInstanceOf(UnavailableException.class);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(result).isNotDone();
            cluster.fates((to, request) -> Fate.DELIVERED);
            batch.flush();
            assertThat(result).isCompleted();
        }
    }

    @Test
    void whatABatchHoldsFailsWhenItsClientIsClosed() throws Exception {
        cluster.fates((to, request) -> request instanceof Request.Mutate ? Fate.NO_CONNECTION : Fate.DELIVERED);
        BatchWriter batch = table.batch();
        List<CompletableFuture<Long>> results = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            // One row: each waits for the one before.
            results.add(batch.add(put("a", "v" + i)));
        }
        bigtable.close();
        assertThatThrownBy(batch::flush)
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("100 writes of a batch failed")
                .hasMessageContaining("NOT_APPLIED")
                .hasMessageContaining("the client was closed");
        assertThat(results).allSatisfy(result -> assertThat(outcome(result)).isEqualTo(Outcome.NOT_APPLIED));
        CompletableFuture<Long> late = batch.add(put("a", "late"));
        assertThatThrownBy(late::join).hasCauseInstanceOf(RejectedException.class);
        assertThatThrownBy(batch::close).isInstanceOf(RejectedException.class);
        awaitNoThread();
    }

    @Test
    void whetherAWriteWasAppliedIsUnknownWhenItsThreadDiesOfAnErrorAndWhatWasNotSentIsNot() throws Exception {
        CompletableFuture<Void> released = new CompletableFuture<>();
        cluster.fates((to, request) -> {
            if (request instanceof Request.Mutate) {
                released.join();
                throw new StackOverflowError("as deep as a test wants");
            }
            return Fate.DELIVERED;
        });
        BatchWriter batch = table.batch();
        CompletableFuture<Long> sent = batch.add(put("a", "1"));
        CompletableFuture<Long> waiting = batch.add(put("a", "2"));
        released.complete(null);
        assertThat(outcome(sent)).isEqualTo(Outcome.UNKNOWN);
        assertThat(outcome(waiting)).isEqualTo(Outcome.NOT_APPLIED);
        assertThatThrownBy(batch::close)
                .isInstanceOf(IllegalStateException.class)
                .hasRootCauseInstanceOf(StackOverflowError.class);
        awaitNoThread();
    }

    @Test
    void aBatchThatOutlivesItsClientHasNoThread() throws Exception {
        BatchWriter batch = table.batch();
        bigtable.close();
        CompletableFuture<Long> late = batch.add(put("a", "late"));
        assertThat(outcome(late)).isEqualTo(Outcome.NOT_APPLIED);
        assertThatThrownBy(batch::close)
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("the client was closed");
        awaitNoThread();
    }

    /** While the first finds no server the others wait for room, and not in one request that no server takes. */
    @Test
    void mutationsOfManyLongDeletionsAreSentInRequestsOfTheirOwn() throws Exception {
        ColumnKey column = new ColumnKey("anchor", Bytes.wrap(new byte[Limits.QUALIFIER_BYTES]));
        List<Integer> writes = Collections.synchronizedList(new ArrayList<>());
        CompletableFuture<Void> released = new CompletableFuture<>();
        cluster.fates((to, request) -> {
            if (request instanceof Request.Mutate mutate) {
                released.join();
                writes.add(mutate.writes().size());
            }
            return Fate.DELIVERED;
        });
        cluster.scheduler.after(500, () -> released.complete(null));
        try (BatchWriter batch = table.batch()) {
            for (Bytes row : rowsOfOneLane(4)) {
                RowMutation.Builder mutation = RowMutation.of(row);
                for (int i = 0; i < 100; i++) {
                    mutation.deleteColumn(column);
                }
                batch.add(mutation.build());
            }
        }
        assertThat(writes).containsExactly(1, 1, 1, 1);
    }

    private static List<Bytes> rowsOfOneLane(int count) {
        return IntStream.range(0, 1_000)
                .mapToObj(i -> Bytes.utf8("a" + i))
                .filter(row -> Math.floorMod(row.hashCode(), ClientOptions.DEFAULT.batchRequests()) == 0)
                .limit(count)
                .toList();
    }

    /** Three writes of one row are given up one after the other, a minute each; one that wants all the room waits for them. */
    @Test
    void whoFindsNoRoomInTimeIsToldWhichBatchIsFullAndNothingOfHisIsApplied() {
        cluster.fates((to, request) -> request instanceof Request.Mutate ? Fate.NO_CONNECTION : Fate.DELIVERED);
        SimScheduler time = new SimScheduler(1);
        RowMutation large = put("b", "v".repeat((int) ClientOptions.DEFAULT.batchBytes()));
        time.run(Duration.ofHours(1), () -> {
            try (Bigtable client = Bigtable.over(cluster, cluster.locks, time, time.random("client"))) {
                BatchWriter batch = client.table("webtable").batch();
                for (int i = 0; i < 3; i++) {
                    batch.add(put("a", "v" + i));
                }
                assertThatThrownBy(() -> batch.add(large))
                        .isInstanceOfSatisfying(UnavailableException.class, late -> assertThat(late.outcome())
                                .isEqualTo(Outcome.NOT_APPLIED))
                        .hasMessageMatching(
                                "a batch of table webtable: there was no room for a mutation of \\d+ bytes in"
                                        + " 130000 ms: \\d+ with \\d+ bytes are on their way: try again later, with less at a"
                                        + " time; if it stays so, see which servers live and what is damaged");
                assertThatThrownBy(batch::close).isInstanceOf(UnavailableException.class);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    /** With no server to write to, all that is added stays. */
    @Test
    void manyWritersHoldTheirSharesAndMoreWhenOthersAreClosed() throws Exception {
        cluster.fates((to, request) -> request instanceof Request.Mutate ? Fate.NO_CONNECTION : Fate.DELIVERED);
        String value = "v".repeat(600 << 10);
        BatchWriter one = table.batch();
        List<BatchWriter> others = new ArrayList<>();
        for (int i = 0; i < 15; i++) {
            others.add(table.batch());
        }
        for (BatchWriter other : others) {
            // What one holds takes nothing from another.
            other.add(put("a", value));
        }
        one.add(put("a", value));
        Thread.currentThread().interrupt();
        // Who has to wait finds out that he is interrupted.
        assertThatThrownBy(() -> one.add(put("b", value)))
                .isInstanceOfSatisfying(UnavailableException.class, interrupted -> assertThat(interrupted.outcome())
                        .isEqualTo(Outcome.NOT_APPLIED));
        for (BatchWriter other : others) {
            // Interrupted, and closed with a failure, all the same.
            assertThatThrownBy(other::close).isInstanceOf(UnavailableException.class);
        }
        for (int i = 0; i < 5; i++) {
            one.add(put("b" + i, value));
        }
        assertThatThrownBy(() -> one.add(put("c", value))).isInstanceOf(UnavailableException.class);
        assertThat(Thread.interrupted()).isTrue();
        cluster.fates((to, request) -> Fate.DELIVERED);
        one.close();
        assertThat(table.read(Bytes.utf8("b4"))).isPresent();
    }

    /** Each holds several times its share in all, and fills it again and again while others come and go. */
    @Test
    void manyWritersAtOnceComeToTheirEnd() throws Exception {
        String value = "v".repeat(300 << 10);
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            String prefix = (char) ('a' + i) + "/";
            writers.add(CompletableFuture.runAsync(() -> {
                try (BatchWriter batch = table.batch()) {
                    for (int row = 0; row < 20; row++) {
                        batch.add(put(prefix + row % 5, value));
                    }
                } catch (BigtableException failed) {
                    throw new AssertionError(failed);
                }
            }));
        }
        CompletableFuture.allOf(writers.toArray(CompletableFuture[]::new))
                .orTimeout(60, TimeUnit.SECONDS)
                .join();
        assertThat(table.read(Bytes.utf8("l/4"))).isPresent();
    }

    private static Outcome outcome(CompletableFuture<Long> failed) {
        CompletableFuture<Outcome> outcome = failed.handle((value, failure) -> ((BigtableException) failure).outcome());
        return outcome.orTimeout(30, TimeUnit.SECONDS).join();
    }

    private static void awaitNoThread() {
        // What a thread of a batch ends with, some tests want themselves.
        Awaitility.await().dontCatchUncaughtExceptions().untilAsserted(() -> assertThat(
                        Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("bt-batch-webtable")));
    }
}
