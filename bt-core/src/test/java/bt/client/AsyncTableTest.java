package bt.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Deadline;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.model.ConditionalMutation;
import bt.model.Counter;
import bt.model.Filter;
import bt.model.GcRule;
import bt.model.Limits;
import bt.model.Row;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Answer;
import bt.protocol.Caller;
import bt.protocol.Request;
import bt.protocol.Service;
import bt.protocol.WriteId;
import bt.protocol.WriteNumbers;
import bt.testing.MemoryCluster;
import bt.testing.MemoryCluster.Fate;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AsyncTableTest {
    private static final TableSchema DRAFT = TableSchema.draft("t")
            .family("f", new GcRule.MaxVersions(1))
            .family("g", GcRule.KEEP_ALL)
            .build();
    private static final Bytes ROW = Bytes.utf8("r");
    /** More than half of what a client may take. */
    private static final String LARGE = "v".repeat((int) ClientOptions.DEFAULT.asyncBytes() / 8 * 5);

    private static final ColumnKey COUNT = ColumnKey.of("f", "count");
    private static final ColumnKey TEXT = ColumnKey.of("f", "text");

    private MemoryCluster cluster;
    private Bigtable bigtable;
    private AsyncTable table;

    @BeforeEach
    void start() throws Exception {
        cluster = new MemoryCluster();
        cluster.table(4, DRAFT, List.of(Bytes.utf8("m")), 3);
        bigtable = Bigtable.over(cluster, cluster.locks, cluster.scheduler);
        table = bigtable.asyncTable("t");
    }

    @AfterEach
    void stop() {
        bigtable.close();
        cluster.close();
    }

    @Test
    void doesWhatATableDoes() throws Exception {
        assertThat(get(table.apply(put("r", "one")))).isPositive();
        assertThat(get(table.increment(ROW, COUNT, 5))).isEqualTo(5);
        assertThat(get(table.increment(ROW, COUNT, 2))).isEqualTo(7);
        assertThat(get(table.append(ROW, TEXT, Bytes.utf8("!")))).isEqualTo(4);
        assertThat(get(table.read(ROW)).orElseThrow().value(TEXT)).contains(Bytes.utf8("one!"));
        assertThat(get(table.read(ROW, new Filter.Columns(List.of(COUNT))))
                        .orElseThrow()
                        .cells())
                .hasSize(1);
        assertThat(get(table.read(Bytes.utf8("none")))).isEmpty();
        ConditionalMutation unless = ConditionalMutation.unless(Filter.ALL, put("r", "two"));
        assertThat(get(table.apply(unless))).isTrue();
        CompletableFuture<Long> before = table.transact(ROW, tx -> {
            long count = tx.value(COUNT).map(Counter::decode).orElse(0L);
            tx.set(COUNT, Counter.encode(count * 2));
            return count;
        });
        assertThat(get(before)).isEqualTo(7);
        assertThat(get(table.increment(ROW, COUNT, 0))).isEqualTo(14);
        assertThat(get(table.tablets())).hasSize(2);
        assertThat(get(table.applyAll(List.of(put("r", "two"), put("s", "three")))))
                .hasSize(2)
                .allMatch(written -> written.failure().isEmpty());
        assertThat(get(table.readAll(List.of(Bytes.utf8("s"), Bytes.utf8("none"), Bytes.utf8("s")))))
                .extracting(row -> row.flatMap(found -> found.value(TEXT)))
                .containsExactly(Optional.of(Bytes.utf8("three")), Optional.empty(), Optional.of(Bytes.utf8("three")));
        CellPage page = get(table.cellPage(Scan.of(RowRange.row(Bytes.utf8("s"))), Optional.empty()));
        assertThat(page.cells()).extracting(Cell::value).containsExactly(Bytes.utf8("three"));
    }

    @Test
    void scansRowsAndCellsSomeAtATime() throws Exception {
        for (char c = 'a'; c <= 'z'; c++) {
            get(table.apply(put("" + c, "value")));
        }
        List<Row> rows = new ArrayList<>();
        AsyncScanner<Row> scanner = table.scan(Scan.all().reversed().pages(3, 1 << 20));
        for (List<Row> some = get(scanner.next()); !some.isEmpty(); some = get(scanner.next())) {
            rows.addAll(some);
        }
        assertThat(rows).hasSize(26);
        assertThat(rows.get(0).key()).isEqualTo(Bytes.utf8("z"));
        AsyncScanner<Cell> cells = table.cells(Scan.all().limited(ReadLimits.NONE.cells(2)));
        assertThat(get(cells.next())).isNotEmpty();
    }

    /** Each write once, whatever is lost and wherever the tablet is. */
    @Test
    void retriesAsATableDoes() throws Exception {
        AtomicInteger number = new AtomicInteger();
        cluster.fates((to, request) -> number.incrementAndGet() % 4 == 0 ? Fate.ANSWER_LOST : Fate.DELIVERED);
        List<CompletableFuture<Long>> sums = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            if (i == 20) {
                cluster.move(new TabletId(4, Optional.empty()), 3, 5);
            }
            sums.add(table.increment(ROW, COUNT, 1));
        }
        List<Long> answers = new ArrayList<>();
        for (CompletableFuture<Long> sum : sums) {
            answers.add(get(sum));
        }
        cluster.fates((to, request) -> Fate.DELIVERED);
        assertThat(answers).doesNotHaveDuplicates().contains(1L, 40L);
        assertThat(get(table.increment(ROW, COUNT, 0))).isEqualTo(40);
    }

    @Test
    void whatIsRefusedFailsWithWhatATableThrows() {
        CompletableFuture<Long> refused =
                table.apply(RowMutation.of("r").set("nope", "q", "v").build());
        assertThatThrownBy(() -> get(refused)).hasCauseInstanceOf(RejectedException.class);
    }

    @Test
    void oneCallMoreThanTheBoundIsOverloadedAtOnceAndCloseFailsTheOthers() throws Exception {
        assertThat(get(table.read(ROW))).isEmpty();
        cluster.listen(MemoryCluster.address(3), new Silent());
        List<CompletableFuture<Optional<Row>>> calls = new ArrayList<>();
        for (int i = 0; i < ClientOptions.DEFAULT.asyncCalls(); i++) {
            calls.add(table.read(ROW));
        }
        CompletableFuture<Optional<Row>> beyond = table.read(ROW);
        assertThat(beyond).isCompletedExceptionally();
        assertThatThrownBy(() -> get(beyond)).hasCauseInstanceOf(OverloadedException.class);
        assertThat(calls).noneMatch(CompletableFuture::isDone);
        bigtable.close();
        assertThat(calls).allMatch(CompletableFuture::isCompletedExceptionally);
        assertThatThrownBy(() -> get(calls.get(0))).hasCauseInstanceOf(RejectedException.class);
    }

    @Test
    void callsOfMoreBytesThanTheBoundAreOverloadedUntilOthersHaveEnded() throws Exception {
        assertThat(get(table.read(ROW))).isEmpty();
        Held held = new Held(cluster.server(3));
        cluster.listen(MemoryCluster.address(3), held);
        String large = "v".repeat((int) ClientOptions.DEFAULT.asyncBytes() / 4);
        List<CompletableFuture<Long>> calls = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            calls.add(table.apply(put("r" + i, large)));
        }
        CompletableFuture<Long> beyond = table.apply(put("r", large));
        assertThatThrownBy(() -> get(beyond)).hasCauseInstanceOf(OverloadedException.class);
        assertThat(table.read(ROW)).as("a small one").isNotDone();
        assertThat(calls).noneMatch(CompletableFuture::isDone);
        held.release();
        for (CompletableFuture<Long> call : calls) {
            long unused = get(call);
        }
        assertThat(get(table.apply(put("r", large)))).isPositive();
    }

    /** The server has the request all the same, and the client holds what it takes. */
    @Test
    void aCallThatTheApplicationGivesUpHasItsPlaceUntilItHasEnded() throws Exception {
        assertThat(get(table.read(ROW))).isEmpty();
        Held held = new Held(cluster.server(3));
        cluster.listen(MemoryCluster.address(3), held);
        CompletableFuture<Long> written = table.apply(put("r", "one"));
        assertThat(written.cancel(false)).isTrue();
        List<CompletableFuture<Optional<Row>>> calls = new ArrayList<>();
        for (int i = 1; i < ClientOptions.DEFAULT.asyncCalls(); i++) {
            CompletableFuture<Optional<Row>> call = table.read(ROW);
            call.cancel(false);
            calls.add(call);
        }
        assertThat(calls).allMatch(CompletableFuture::isCancelled);
        CompletableFuture<Optional<Row>> beyond = table.read(ROW);
        assertThatThrownBy(() -> get(beyond)).hasCauseInstanceOf(OverloadedException.class);
        held.release();
        Awaitility.await().until(() -> !table.read(ROW).isCompletedExceptionally());
        assertThat(get(table.read(ROW)).orElseThrow().value(TEXT)).contains(Bytes.utf8("one"));
    }

    @Test
    void anAnswerCountsBeforeItHasComeAndALargerRowIsReadWhole() throws Exception {
        String large = "v".repeat(3 * AsyncTable.ANSWER_BYTES);
        get(table.apply(put("r", large)));
        assertThat(get(table.read(ROW)).orElseThrow().value(TEXT)).contains(Bytes.utf8(large));
        Held held = new Held(cluster.server(3));
        cluster.listen(MemoryCluster.address(3), held);
        int left = 5 * AsyncTable.ANSWER_BYTES;
        CompletableFuture<Long> write =
                table.apply(put("r", "v".repeat((int) ClientOptions.DEFAULT.asyncBytes() - left)));
        List<CompletableFuture<Optional<Row>>> reads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            reads.add(table.read(ROW));
        }
        CompletableFuture<Optional<Row>> beyond = table.read(ROW);
        assertThatThrownBy(() -> get(beyond)).hasCauseInstanceOf(OverloadedException.class);
        assertThat(reads).noneMatch(CompletableFuture::isDone);
        held.release();
        assertThat(get(write)).isPositive();
        for (CompletableFuture<Optional<Row>> read : reads) {
            assertThat(get(read)).isPresent();
        }
    }

    /** Of a write its bytes, its number, its place and what its server may be sent, of a read its place. */
    @Test
    void aCallThatCannotBeSentFailsAndGivesBackWhatItTook() throws Exception {
        assertThat(get(table.read(ROW))).isEmpty();
        cluster.fates((to, request) -> {
            throw new StackOverflowError("as deep as a test wants");
        });
        for (int i = 0; i <= ClientOptions.DEFAULT.asyncCalls(); i++) {
            CompletableFuture<Long> write = table.apply(put("r", "one"));
            assertThatThrownBy(() -> get(write)).hasCauseInstanceOf(StackOverflowError.class);
            CompletableFuture<Optional<Row>> read = table.read(ROW);
            assertThatThrownBy(() -> get(read)).hasCauseInstanceOf(StackOverflowError.class);
        }
        // More than one server is sent at a time, each of a row of its own, so that all go in one request.
        List<RowMutation> ofRows =
                IntStream.range(0, 1_000).mapToObj(i -> put("r" + i, "one")).toList();
        for (int i = 0; i < 5; i++) {
            CompletableFuture<List<Written>> writes = table.applyAll(ofRows);
            assertThatThrownBy(() -> get(writes)).hasCauseInstanceOf(StackOverflowError.class);
        }
        cluster.fates((to, request) -> Fate.DELIVERED);
        for (int i = 0; i < WriteNumbers.SPAN; i += 1_000) {
            List<RowMutation> many = Collections.nCopies(1_000, put("r", "two"));
            assertThat(get(table.applyAll(many)))
                    .allMatch(written -> written.failure().isEmpty());
        }
        assertThat(get(table.apply(put("r", "three")))).isPositive();
    }

    @Test
    void whatAConditionalMutationDoesOtherwiseIsCounted() throws Exception {
        assertThat(get(table.read(ROW))).isEmpty();
        Held held = new Held(cluster.server(3));
        cluster.listen(MemoryCluster.address(3), held);
        CompletableFuture<Boolean> call = table.apply(
                ConditionalMutation.when(Filter.ALL, put("r", "small")).otherwise(put("r", LARGE)));
        CompletableFuture<Long> beyond = table.apply(put("r", LARGE));
        assertThatThrownBy(() -> get(beyond)).hasCauseInstanceOf(OverloadedException.class);
        held.release();
        assertThat(get(call)).isFalse();
        assertThat(get(table.apply(put("r", LARGE)))).isPositive();
    }

    @Test
    void whatATransactionWritesIsCountedAndWhatAnswersValuesOnce() throws Exception {
        assertThat(get(table.read(ROW))).isEmpty();
        Service server = cluster.server(3);
        for (boolean isModify : new boolean[] {false, true}) {
            Held held = new Held(server);
            cluster.listen(MemoryCluster.address(3), held);
            held.lettingReads = true;
            CompletableFuture<?> call = isModify
                    ? table.modify(
                            RowMutation.of("m").append(TEXT, Bytes.utf8(LARGE)).build())
                    : table.transact(ROW, tx -> tx.set(TEXT, Bytes.utf8(LARGE)));
            Awaitility.await().until(() -> held.writes.get() > 0);
            CompletableFuture<Long> beyond = table.apply(put("r", LARGE));
            assertThatThrownBy(() -> get(beyond)).hasCauseInstanceOf(OverloadedException.class);
            CompletableFuture<Long> beside = table.apply(put("s", LARGE.substring(0, LARGE.length() / 4)));
            assertThat(beside).isNotDone();
            held.release();
            assertThat(get(call)).isNotNull();
            assertThat(get(beside)).isPositive();
        }
    }

    @Test
    void theFilterOfAReadIsCounted() throws Exception {
        assertThat(get(table.read(ROW))).isEmpty();
        cluster.listen(MemoryCluster.address(3), new Silent());
        ColumnKey column = new ColumnKey("f", Bytes.wrap(new byte[Limits.NAMED_QUALIFIER_BYTES]));
        Filter filter = new Filter.Columns(List.of(column));
        long fit = ClientOptions.DEFAULT.asyncBytes() / (AsyncTable.ANSWER_BYTES + Limits.NAMED_QUALIFIER_BYTES);
        assertThat(fit).isLessThan(ClientOptions.DEFAULT.asyncCalls());
        for (int i = 0; i < fit - 1; i++) {
            assertThat(table.read(ROW, filter)).isNotDone();
        }
        CompletableFuture<?> unused = table.read(ROW, filter);
        assertThat(table.read(ROW, filter)).isCompletedExceptionally();
    }

    /** Calls to it are tried again for a minute; what others are answered is told all the same. */
    @Test
    void aTabletThatNobodyServesHoldsUpNobodyElse() throws Exception {
        cluster.move(new TabletId(4, Optional.of(Bytes.utf8("m"))), 3, 5);
        Bytes away = Bytes.utf8("a");
        assertThat(get(table.increment(away, COUNT, 1))).isEqualTo(1);
        assertThat(get(table.apply(put("r", "one")))).isPositive();
        cluster.fates((to, request) -> to.equals(MemoryCluster.address(5)) ? Fate.NO_CONNECTION : Fate.DELIVERED);
        List<CompletableFuture<Long>> waiting = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            waiting.add(table.increment(away, COUNT, 1));
        }
        for (int i = 0; i < 50; i++) {
            assertThat(table.read(ROW).get(5, TimeUnit.SECONDS)).isPresent();
            assertThat(table.apply(put("r", "two")).get(5, TimeUnit.SECONDS)).isPositive();
        }
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
        cluster.fates((to, request) -> Fate.DELIVERED);
        for (CompletableFuture<Long> sum : waiting) {
            long unused = get(sum);
        }
        assertThat(get(table.increment(away, COUNT, 0))).isEqualTo(201);
    }

    /** Each waits for the answer on a thread, a minute at most, and there are more of them than threads at a time. */
    @Test
    void aServerThatDoesNotAnswerHoldsUpNoCallToAnother() throws Exception {
        cluster.move(new TabletId(4, Optional.of(Bytes.utf8("m"))), 3, 5);
        get(table.apply(put("r", "one")));
        Held held = new Held(cluster.server(5));
        cluster.listen(MemoryCluster.address(5), held);
        List<CompletableFuture<CellPage>> waiting = new ArrayList<>();
        for (int i = 0; i < 5 * Waiters.AT_ONCE; i++) {
            waiting.add(table.cellPage(Scan.of(RowRange.row(Bytes.utf8("a"))), Optional.empty()));
        }
        for (int i = 0; i < 2 * Waiters.AT_ONCE; i++) {
            CellPage page = get(table.cellPage(Scan.of(RowRange.row(ROW)), Optional.empty()));
            assertThat(page.cells()).hasSize(1);
        }
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
        held.release();
        for (CompletableFuture<CellPage> page : waiting) {
            assertThat(get(page).cells()).isEmpty();
        }
    }

    /** What docs/guide/client.md tells of the threads of a client, at the worst. */
    @Test
    void eachCallThatWaitsHasAThreadAndThereAreNoMoreThanCallsMayBeAndTheFew() throws Exception {
        int most = 3 * Waiters.AT_ONCE;
        ClientOptions options = ClientOptions.DEFAULT.async(most, 64 << 20);
        try (Bigtable client = Bigtable.over(cluster, cluster.locks, cluster.scheduler, new SecureRandom(), options)) {
            AsyncTable waiting = client.asyncTable("t");
            assertThat(get(waiting.read(ROW))).isEmpty();
            Held held = new Held(cluster.server(3));
            cluster.listen(MemoryCluster.address(3), held);
            List<CompletableFuture<CellPage>> pages = new ArrayList<>();
            for (int i = 0; i < most; i++) {
                pages.add(waiting.cellPage(Scan.of(RowRange.row(ROW)), Optional.empty()));
            }
            Awaitility.await().until(() -> held.writes.get() == most);
            assertThat(waitingThreads()).isBetween((long) most, (long) most + Waiters.AT_ONCE);
            assertThat(waiting.cellPage(Scan.of(RowRange.row(ROW)), Optional.empty()))
                    .isCompletedExceptionally();
            held.release();
            for (CompletableFuture<CellPage> page : pages) {
                assertThat(get(page).cells()).isEmpty();
            }
            // Again and again: those that are done are used, or end, and no more are begun than that.
            for (int i = 0; i < 10 * most; i++) {
                CellPage page = get(waiting.cellPage(Scan.of(RowRange.row(ROW)), Optional.empty()));
                assertThat(page.cells()).isEmpty();
            }
            assertThat(waitingThreads()).isBetween(1L, (long) most + Waiters.AT_ONCE);
        }
    }

    private static long waitingThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("bt-async-wait"))
                .count();
    }

    /** Servers remember for ten minutes what a write that is sent again was answered: so long no call waits for a thread. */
    @Test
    void aWriteWhoseTimeIsOverIsNotSentAgain() throws Exception {
        Session session = new Session(cluster, cluster.locks, cluster.scheduler, new SecureRandom());
        Table late = new Table(session, table.schema());
        assertThat(late.increment(ROW, COUNT, 1)).isEqualTo(1);
        AtomicInteger sent = new AtomicInteger();
        cluster.fates((to, request) -> {
            sent.incrementAndGet();
            return Fate.DELIVERED;
        });
        Deadline over = Deadline.after(cluster.scheduler.clock(), 0);
        RowMutation mutation = RowMutation.of(ROW).increment(COUNT, 1).build();
        PendingWrite unsent = new PendingWrite(mutation, Optional.empty())
                .numbered(session.openWrite(() -> "a write", session.deadline()));
        assertThatThrownBy(() -> late.finish(unsent, over))
                .isInstanceOf(UnavailableException.class)
                .hasMessage("table " + late.schema().name() + " row " + ROW
                        + ": no time was left to send it: send it again")
                .extracting(failure -> ((BigtableException) failure).outcome())
                .isEqualTo(Outcome.NOT_APPLIED);
        PendingWrite inDoubt = new PendingWrite(mutation, Optional.empty())
                .numbered(session.openWrite(() -> "a write", session.deadline()));
        inDoubt.fail(new UnavailableException("no answer"));
        assertThatThrownBy(() -> late.finish(inDoubt, over))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("no answer")
                .extracting(failure -> ((BigtableException) failure).outcome())
                .isEqualTo(Outcome.UNKNOWN);
        assertThat(sent).hasValue(0);
        session.closing().closeAll();
    }

    /** The write that holds the others up may need a worker to end: none waits for it. */
    @Test
    void aWriteTooFarAheadOfOneThatIsOpenIsOverloadedAndKeepsNoWorker() throws Exception {
        Session session = new Session(cluster, cluster.locks, cluster.scheduler, new SecureRandom());
        AsyncTable ahead = new AsyncTable(session, new Table(session, table.schema()), new AsyncCalls(session));
        List<WriteId> open = new ArrayList<>();
        for (Optional<WriteId> id = session.numbers().tryOpen();
                id.isPresent();
                id = session.numbers().tryOpen()) {
            open.add(id.get());
        }
        assertThat(open).hasSize(WriteNumbers.SPAN);
        for (int i = 0; i < 20; i++) {
            CompletableFuture<Long> beyond = ahead.apply(put("r", "two"));
            assertThatThrownBy(() -> get(beyond))
                    .cause()
                    .isInstanceOf(OverloadedException.class)
                    .hasMessageStartingWith("table t row r: not sent: more than ");
        }
        assertThat(get(ahead.read(ROW))).isEmpty();
        // All but the oldest, and then that one.
        session.numbers().close(open.subList(1, open.size()));
        CompletableFuture<Long> beyond = ahead.apply(put("r", "three"));
        assertThatThrownBy(() -> get(beyond)).hasCauseInstanceOf(OverloadedException.class);
        session.numbers().close(open.get(0));
        assertThat(get(ahead.apply(put("r", "four")))).isPositive();
        session.closing().closeAll();
    }

    private static RowMutation put(String row, String value) {
        return RowMutation.of(row).set(TEXT, Bytes.utf8(value)).build();
    }

    private static <T> T get(CompletableFuture<T> call) throws Exception {
        return call.get(30, TimeUnit.SECONDS);
    }

    /** A server that answers nobody. */
    private static final class Silent implements Service {
        @Override
        public CompletableFuture<Answer> handle(Caller caller, Request request) {
            return new CompletableFuture<>();
        }
    }

    /** A server that answers nobody before it is told to. */
    private static final class Held implements Service {
        private final Service server;
        private final CompletableFuture<Void> released = new CompletableFuture<>();
        private final AtomicInteger writes = new AtomicInteger();
        private volatile boolean lettingReads;

        Held(Service server) {
            this.server = server;
        }

        void release() {
            released.complete(null);
        }

        @Override
        public CompletableFuture<? extends Answer> handle(Caller caller, Request request) {
            if (request instanceof Request.Scan && lettingReads) {
                return server.handle(caller, request);
            }
            writes.incrementAndGet();
            return released.thenCompose(nothing -> server.handle(caller, request));
        }
    }
}
