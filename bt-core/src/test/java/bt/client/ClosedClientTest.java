package bt.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.model.Row;
import bt.model.RowMutation;
import bt.protocol.Network;
import bt.protocol.Request;
import bt.testing.MemoryCluster;
import bt.testing.MemoryCluster.Fate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a closed client says to whoever goes on asking it. */
@Timeout(30)
class ClosedClientTest {
    private static final RowMutation WRITE =
            RowMutation.of("r").set("anchor", "a", "1").build();
    private static final RowMutation OTHER =
            RowMutation.of("s").set("anchor", "a", "1").build();
    private static final String IN_DOUBT = ": the client was closed while it was under way, and a server may have it:"
            + " read it before you send it again, where that does harm";

    private MemoryCluster cluster;
    private Bigtable bigtable;
    private Table table;
    /** What is done instead of sending a change. */
    private Runnable insteadOfWrite = () -> {};

    private volatile boolean isSilent;
    private volatile boolean networkIsClosed;
    /** Of what a network fails with that is closed. */
    private volatile Outcome outcomeOfClosed = Outcome.UNKNOWN;

    @BeforeEach
    void start() throws Exception {
        cluster = new MemoryCluster();
        cluster.table(4, TableTest.WEBTABLE, List.of(), 3);
        Network network = (to, request, timeoutMillis) -> {
            if (request.kind() == Request.Kind.MUTATE) {
                insteadOfWrite.run();
            }
            if (isSilent && request.kind() == Request.Kind.MUTATE) {
                return new CompletableFuture<>();
            }
            return networkIsClosed
                    ? CompletableFuture.failedFuture(
                            new UnavailableException(to + ": this process has closed its network", outcomeOfClosed))
                    : cluster.send(to, request, timeoutMillis);
        };
        bigtable = Bigtable.over(network, cluster.locks, cluster.scheduler).onClose(() -> networkIsClosed = true);
        table = bigtable.table("webtable");
    }

    @AfterEach
    void stop() {
        bigtable.close();
        cluster.close();
    }

    @Test
    void whatIsAskedOfAClosedClientIsRefusedAtOnce() throws Exception {
        table.apply(WRITE);
        Scanner scanner = table.scan(Scan.all());
        bigtable.close();
        isRefused(() -> table.apply(WRITE));
        isRefused(() -> table.read(Bytes.utf8("r")));
        isRefused(scanner::next);
        isRefused(() -> table.tablets());
        isRefused(() -> table.batch());
        isRefused(() -> table.transact(Bytes.utf8("r"), tx -> tx.read()));
        isRefused(() -> bigtable.table("webtable"));
        isRefused(() -> bigtable.admin().dropTable("webtable"));
        isRefused(() -> bigtable.admin().tables());
        isRefused(() -> bigtable.admin().access());
    }

    @Test
    void nothingIsSentForAFutureOfAClosedClient() throws Exception {
        AsyncTable async = bigtable.asyncTable("webtable");
        async.apply(WRITE).get();
        bigtable.close();
        AtomicInteger sent = new AtomicInteger();
        insteadOfWrite = sent::incrementAndGet;
        networkIsClosed = false;
        assertThatThrownBy(() -> async.apply(WRITE).get()).cause().isInstanceOf(RejectedException.class);
        assertThatThrownBy(() -> async.read(Bytes.utf8("r")).get()).cause().isInstanceOf(RejectedException.class);
        assertThatThrownBy(() -> bigtable.openAsync("webtable").get()).cause().isInstanceOf(RejectedException.class);
        assertThat(sent).hasValue(0);
    }

    private static void isRefused(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(RejectedException.class, refused -> assertThat(refused.outcome())
                        .isEqualTo(Outcome.NOT_APPLIED))
                .hasMessageEndingWith(": the client was closed: open another");
    }

    @Test
    void aCallUnderWayIsNotTriedAgainAndAWriteIsUnknown() {
        List<BigtableException> ends = new ArrayList<>();
        insteadOfWrite = bigtable::close;
        assertThatThrownBy(() -> table.apply(WRITE))
                .isInstanceOfSatisfying(UnavailableException.class, ends::add)
                .hasMessageContaining("closed");
        assertThat(ends.get(0).outcome()).isEqualTo(Outcome.UNKNOWN);
    }

    @Test
    void aWriteThatWasSentNowhereIsNotAppliedAndToldThatTheClientWasClosed() {
        outcomeOfClosed = Outcome.NOT_APPLIED;
        insteadOfWrite = bigtable::close;
        isRefused(() -> table.apply(WRITE));
    }

    @Test
    void aWriteOfWhichAnEarlierAttemptIsInDoubtIsUnknownAndToldThatTheClientWasClosed() {
        List<BigtableException> ends = new ArrayList<>();
        AtomicInteger attempts = new AtomicInteger();
        insteadOfWrite = () -> {
            if (attempts.incrementAndGet() == 2) {
                outcomeOfClosed = Outcome.NOT_APPLIED;
                bigtable.close();
            }
        };
        cluster.fates((to, request) -> request.kind() == Request.Kind.MUTATE ? Fate.ANSWER_LOST : Fate.DELIVERED);
        assertThatThrownBy(() -> table.apply(WRITE))
                .isInstanceOfSatisfying(UnavailableException.class, ends::add)
                .hasMessageEndingWith(IN_DOUBT);
        assertThat(ends.get(0).outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(attempts).hasValue(2);
    }

    @Test
    void ofABatchWhatAServerMayHaveIsUnknownAndTheRestIsNotApplied() throws Exception {
        CompletableFuture<Void> sent = new CompletableFuture<>();
        insteadOfWrite = () -> sent.complete(null);
        isSilent = true;
        BatchWriter batch = table.batch();
        CompletableFuture<Long> first = batch.add(WRITE);
        sent.join();
        // Of the same row, so it waits for the first.
        CompletableFuture<Long> second = batch.add(WRITE);
        bigtable.close();
        isTold(first, UnavailableException.class, Outcome.UNKNOWN);
        isTold(second, RejectedException.class, Outcome.NOT_APPLIED);
        assertThatThrownBy(batch::close)
                .isInstanceOfSatisfying(UnavailableException.class, failed -> assertThat(failed.outcome())
                        .isEqualTo(Outcome.UNKNOWN))
                .hasMessageContaining("2 writes of a batch failed")
                .hasMessageContaining("the client was closed");
    }

    /** The third is of the same row as the first, so it waits for that. */
    @Test
    void ofSeveralWritesThoseThatAServerMayHaveAreUnknownAndTheRestIsNotApplied() throws Exception {
        AsyncTable async = bigtable.asyncTable("webtable");
        CompletableFuture<Void> sent = new CompletableFuture<>();
        insteadOfWrite = () -> sent.complete(null);
        isSilent = true;
        CompletableFuture<List<Written>> writes = async.applyAll(List.of(WRITE, OTHER, WRITE));
        sent.join();
        bigtable.close();
        assertThat(writes.join())
                .satisfiesExactly(
                        first -> isTold(first, UnavailableException.class, Outcome.UNKNOWN),
                        other -> isTold(other, UnavailableException.class, Outcome.UNKNOWN),
                        third -> isTold(third, RejectedException.class, Outcome.NOT_APPLIED));
    }

    @Test
    void whoIsInterruptedIsToldOfEachOfSeveralWritesWhetherAServerMayHaveIt() throws Exception {
        isSilent = true;
        insteadOfWrite = () -> Thread.currentThread().interrupt();
        List<Written> writes;
        try {
            writes = table.applyAll(List.of(WRITE, OTHER, WRITE));
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(writes)
                .extracting(each -> each.failure().orElseThrow().outcome())
                .containsExactly(Outcome.UNKNOWN, Outcome.UNKNOWN, Outcome.NOT_APPLIED);
        assertThat(writes.get(2).failure().orElseThrow())
                .hasMessage("table webtable row r: given up before a server has applied it: send it again");
    }

    /** Where its tablet is nobody has told. */
    @Test
    void aFutureThatWasNeverSentIsNotApplied() throws Exception {
        AsyncTable async = bigtable.asyncTable("webtable");
        AtomicInteger looks = new AtomicInteger();
        cluster.fates((to, request) -> {
            looks.incrementAndGet();
            return Fate.NO_CONNECTION;
        });
        CompletableFuture<Long> write = async.apply(WRITE);
        CompletableFuture<Long> transaction =
                async.transact(Bytes.utf8("s"), tx -> (long) tx.changes().size());
        CompletableFuture<Optional<Row>> read = async.read(Bytes.utf8("r"));
        Awaitility.await().until(() -> looks.get() > 5);
        bigtable.close();
        isTold(write, RejectedException.class, Outcome.NOT_APPLIED);
        assertThatThrownBy(write::join).cause().hasMessage("table webtable row r: the client was closed: open another");
        assertThat(transaction).isDone();
        assertThatThrownBy(read::join)
                .cause()
                .isInstanceOf(RejectedException.class)
                .hasMessageEndingWith(": the client was closed: open another");
    }

    @Test
    void aFutureThatAServerMayHaveIsUnknownAndNamesItsRow() throws Exception {
        AsyncTable async = bigtable.asyncTable("webtable");
        table.apply(WRITE);
        isSilent = true;
        CompletableFuture<Long> write = async.apply(WRITE);
        bigtable.close();
        assertThatThrownBy(write::join)
                .cause()
                .isInstanceOfSatisfying(UnavailableException.class, failed -> assertThat(failed.outcome())
                        .isEqualTo(Outcome.UNKNOWN))
                .hasMessage("table webtable row r" + IN_DOUBT);
    }

    /** For whose second attempt a thread waits. */
    @Test
    void aFutureThatWasRefusedIsInDoubtIfAnAttemptBeforeThatWas() throws Exception {
        for (boolean isLost : new boolean[] {false, true}) {
            AtomicInteger attempts = new AtomicInteger(isLost ? 0 : 1);
            cluster.listen(
                    MemoryCluster.address(3),
                    (caller, request) -> CompletableFuture.failedFuture(
                            attempts.getAndIncrement() == 0
                                    ? new UnavailableException("no answer")
                                    : new OverloadedException("full", 30_000)));
            Bigtable client = Bigtable.over(cluster, cluster.locks, cluster.scheduler);
            CompletableFuture<Long> write = client.asyncTable("webtable").apply(WRITE);
            Awaitility.await().until(() -> attempts.get() == 2);
            client.close();
            assertThatThrownBy(write::join)
                    .cause()
                    .isInstanceOf(isLost ? UnavailableException.class : RejectedException.class)
                    .hasMessageStartingWith("table webtable row r: the client was closed")
                    .satisfies(failed -> assertThat(((BigtableException) failed).outcome())
                            .isEqualTo(isLost ? Outcome.UNKNOWN : Outcome.NOT_APPLIED));
        }
    }

    @Test
    void whoIsInterruptedBeforeHisWriteIsSentIsToldThatItIsNotApplied() {
        cluster.fates((to, request) -> Fate.NO_CONNECTION);
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> table.apply(WRITE))
                    .isInstanceOfSatisfying(UnavailableException.class, failed -> assertThat(failed.outcome())
                            .isEqualTo(Outcome.NOT_APPLIED))
                    .hasMessageEndingWith(" row r: given up before a server has applied it: send it again");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    /** He may have it applied a second time. */
    @Test
    void whoIsInterruptedWhileAServerMayHaveHisWriteIsToldToReadItFirst() {
        isSilent = true;
        insteadOfWrite = () -> Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> table.apply(WRITE))
                    .isInstanceOfSatisfying(UnavailableException.class, failed -> assertThat(failed.outcome())
                            .isEqualTo(Outcome.UNKNOWN))
                    .hasMessageEndingWith(" row r: given up while it was under way, and a server may have it: read it"
                            + " before you send it again, where that does harm");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    private static void isTold(Written write, Class<?> kind, Outcome outcome) {
        isOf(write.failure().orElseThrow(), kind, outcome);
    }

    private static void isTold(CompletableFuture<Long> write, Class<?> kind, Outcome outcome) {
        assertThatThrownBy(write::join).cause().satisfies(failed -> isOf(failed, kind, outcome));
    }

    private static void isOf(Throwable failed, Class<?> kind, Outcome outcome) {
        assertThat(failed)
                .isInstanceOf(kind)
                .hasMessageEndingWith(outcome == Outcome.UNKNOWN ? IN_DOUBT : ": the client was closed: open another");
        assertThat(((BigtableException) failed).outcome()).isEqualTo(outcome);
    }

    @Test
    void whatAClientEndsWithRunsOnceAndInOrder() {
        List<String> ended = new ArrayList<>();
        bigtable.onClose(() -> ended.add("first")).onClose(() -> ended.add("second"));
        bigtable.close();
        bigtable.close();
        bigtable.onClose(() -> ended.add("late"));
        assertThat(ended).containsExactly("first", "second", "late");
    }
}
