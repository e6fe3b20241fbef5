package bt.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.OverloadedException;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.RowSet;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Network;
import bt.protocol.Request;
import bt.testing.MemoryCluster;
import bt.testing.SimScheduler;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a client is told of its times and bounds holds; a minute, the default, would be too late for any of these tests. */
@Timeout(30)
class ClientOptionsTest {
    private static final Bytes ROW = Bytes.utf8("a");

    private MemoryCluster cluster;
    private Silence network;

    @BeforeEach
    void start() throws Exception {
        cluster = new MemoryCluster();
        network = new Silence(cluster.scheduler);
        cluster.table(4, TableTest.WEBTABLE, List.of(Bytes.utf8("f"), Bytes.utf8("m")), 3);
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    /** A network that can be made to swallow what concerns users' rows. */
    private final class Silence implements Network {
        private volatile boolean isSilent;
        /** By which what it swallows is late. */
        private volatile Scheduler clock;

        /** Interrupts who sends, so that whoever waits for an answer is woken. */
        private volatile boolean interrupts;

        private final ConcurrentLinkedQueue<Long> swallowed = new ConcurrentLinkedQueue<>();

        Silence(Scheduler clock) {
            this.clock = clock;
        }

        @Override
        public CompletableFuture<Answer> send(Address to, Request request, long timeoutMillis) {
            if (!isSilent || isOfMetadata(request)) {
                return cluster.send(to, request, timeoutMillis);
            }
            swallowed.add(timeoutMillis);
            if (interrupts) {
                Thread.currentThread().interrupt();
            }
            CompletableFuture<Answer> late = new CompletableFuture<>();
            clock.after(
                    timeoutMillis,
                    () -> late.completeExceptionally(
                            new UnavailableException(to + ": no answer in time", Outcome.UNKNOWN)));
            return late;
        }

        private boolean isOfMetadata(Request request) {
            return request instanceof Request.Scan scan && scan.tableId() == 0;
        }
    }

    private Bigtable client(UnaryOperator<ClientOptions> options) {
        return Bigtable.over(
                network, cluster.locks, network.clock, new SecureRandom(), options.apply(ClientOptions.DEFAULT));
    }

    /** What a client of these options does with a table in virtual time, from when nobody answers it. */
    private void unanswered(UnaryOperator<ClientOptions> options, Body body) throws Exception {
        SimScheduler time = new SimScheduler(1);
        network.clock = time;
        AtomicReference<Throwable> failure = new AtomicReference<>();
        time.run(Duration.ofHours(1), () -> {
            try (Bigtable bigtable = client(options)) {
                Table table = bigtable.table("webtable");
                table.apply(put("a"));
                network.isSilent = true;
                body.run(time, bigtable, table);
            } catch (InterruptedException ended) {
                throw ended;
            } catch (Throwable wrong) {
                failure.set(wrong);
            }
        });
        if (failure.get() != null) {
            throw new AssertionError(failure.get());
        }
    }

    /** What a client does. */
    @FunctionalInterface
    private interface Body {
        void run(SimScheduler time, Bigtable bigtable, Table table) throws Exception;
    }

    /** Has no answer, and ends with its time. */
    private static void endsAfter(Duration most, SimScheduler time, ThrowingCallable call) {
        Duration begun = time.elapsed();
        assertThatThrownBy(call).isInstanceOf(UnavailableException.class);
        // A pause between two attempts may cost the last of it, and each step of a simulation takes a little.
        assertThat(time.elapsed().minus(begun)).isBetween(most.dividedBy(2), most.plusMillis(1));
    }

    private static RowMutation put(String row) {
        return RowMutation.of(row).set("anchor", "a", "1").build();
    }

    @Test
    void aWriteAReadAndATransactionEndWithTheTimeOfAnOperation() throws Exception {
        Duration most = Duration.ofMillis(200);
        unanswered(options -> options.operationTimeout(most), (time, bigtable, table) -> {
            endsAfter(most, time, () -> table.apply(put("a")));
            endsAfter(most, time, () -> table.read(ROW));
            endsAfter(most, time, () -> table.transact(ROW, tx -> tx.read()));
            endsAfter(most, time, () -> {
                BigtableException late =
                        table.applyAll(List.of(put("a"))).get(0).failure().orElseThrow();
                assertThat(late.outcome()).isEqualTo(Outcome.UNKNOWN);
                throw late;
            });
            AsyncTable async = bigtable.asyncTable("webtable");
            endsAfter(most, time, () -> time.await(async.apply(put("a")), 60_000));
            assertThat(network.swallowed).isNotEmpty().allMatch(millis -> millis <= 200);
        });
    }

    @Test
    void aPageOfAScanEndsWithItsOwnTime() throws Exception {
        Duration most = Duration.ofMillis(200);
        unanswered(options -> options.pageTimeout(most), (time, bigtable, table) -> {
            endsAfter(most, time, () -> table.scan(Scan.all()).next());
            endsAfter(most, time, () -> table.cells(Scan.all()).next());
        });
    }

    @Test
    void oneAttemptWaitsNoLongerThanARequestMay() throws Exception {
        Duration most = Duration.ofSeconds(2);
        unanswered(
                options -> options.requestTimeout(Duration.ofMillis(50)).operationTimeout(most),
                (time, bigtable, table) -> {
                    endsAfter(most, time, () -> table.apply(put("a")));
                    assertThat(network.swallowed).hasSizeGreaterThan(1).allMatch(millis -> millis <= 50);
                });
    }

    @Test
    void aBatchHoldsAsManyMutationsAsItMay() throws Exception {
        try (Bigtable bigtable = client(options -> options.batches(2, 1 << 20))) {
            Table table = bigtable.table("webtable");
            network.isSilent = true;
            BatchWriter batch = table.batch();
            batch.add(put("a"));
            batch.add(put("b"));
            Thread.currentThread().interrupt();
            // Who has to wait finds out that he is interrupted.
            assertThatThrownBy(() -> batch.add(put("c")))
                    .isInstanceOfSatisfying(UnavailableException.class, interrupted -> assertThat(interrupted.outcome())
                            .isEqualTo(Outcome.NOT_APPLIED));
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void aBatchHasAsManyThreadsAsItMayHaveRequests() throws Exception {
        try (Bigtable bigtable = client(options -> options.batchRequests(7))) {
            BatchWriter batch = bigtable.table("webtable").batch();
            assertThat(Thread.getAllStackTraces().keySet())
                    .filteredOn(thread -> thread.getName().startsWith("bt-batch-webtable"))
                    .hasSize(7);
            batch.close();
        }
    }

    @Test
    void asManyAsynchronousCallsAreUnderWayAsMayBe() throws Exception {
        try (Bigtable bigtable = client(options -> options.async(2, 1 << 20))) {
            bigtable.table("webtable").apply(put("a"));
            AsyncTable table = bigtable.asyncTable("webtable");
            network.isSilent = true;
            CompletableFuture<Long> first = table.apply(put("a"));
            CompletableFuture<Long> second = table.apply(put("b"));
            assertThatThrownBy(() -> table.apply(put("c")).get()).hasCauseInstanceOf(OverloadedException.class);
            assertThat(List.of(first, second)).noneMatch(CompletableFuture::isDone);
        }
    }

    @Test
    void aScanHasAsManyRequestsOnTheirWayAsItMay() throws Exception {
        assertThat(requestsOfAScan(options -> options.scanRequests(2))).isEqualTo(2);
        assertThat(requestsOfAScan(options -> options.scanRequests(1))).isEqualTo(1);
    }

    /** Of three tablets, before the first answer. */
    private int requestsOfAScan(UnaryOperator<ClientOptions> options) throws Exception {
        try (Bigtable bigtable = client(options)) {
            Table table = bigtable.table("webtable");
            RowSet rows = RowSet.of(RowRange.row(ROW), RowRange.row(Bytes.utf8("g")), RowRange.row(Bytes.utf8("z")));
            Scan scan = Scan.of(rows);
            table.scan(scan).next();
            network.isSilent = true;
            network.interrupts = true;
            assertThatThrownBy(() -> table.scan(scan).next()).isInstanceOf(UnavailableException.class);
            assertThat(Thread.interrupted()).isTrue();
            int sent = network.swallowed.size();
            network.swallowed.clear();
            network.isSilent = false;
            network.interrupts = false;
            return sent;
        }
    }

    @Test
    void whatIsBeyondTheRangesIsRefusedAndTold() {
        isRefused("operationTimeout", options -> options.operationTimeout(Duration.ofMillis(99)));
        isRefused(
                "operationTimeout",
                options -> options.operationTimeout(Duration.ofMinutes(5).plusMillis(1)));
        isRefused("pageTimeout", options -> options.pageTimeout(Duration.ofMillis(-1)));
        isRefused("pageTimeout", options -> options.pageTimeout(Duration.ofMinutes(6)));
        isRefused("requestTimeout", options -> options.requestTimeout(Duration.ZERO));
        isRefused("requestTimeout", options -> options.requestTimeout(Duration.ofSeconds(61)));
        isRefused("batchMutations", options -> options.batches(0, 1 << 20));
        isRefused("batchBytes", options -> options.batches(1, 65_535));
        isRefused("batchBytes", options -> options.batches(1, (1L << 30) + 1));
        isRefused("batchRequests", options -> options.batchRequests(65));
        isRefused("asyncCalls", options -> options.async(10_001, 1 << 20));
        isRefused("asyncBytes", options -> options.async(1, (1 << 20) - 1));
        isRefused("scanRequests", options -> options.scanRequests(0));
    }

    private static void isRefused(String what, UnaryOperator<ClientOptions> options) {
        assertThatThrownBy(() -> options.apply(ClientOptions.DEFAULT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(what + " of ")
                .hasMessageContaining(": give ");
    }
}
