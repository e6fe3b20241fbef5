package bt.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Bytes;
import bt.base.OverloadedException;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.model.GcRule;
import bt.model.Row;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.protocol.Answer;
import bt.protocol.Caller;
import bt.protocol.Request;
import bt.protocol.Service;
import bt.testing.MemoryCluster;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What asynchronous reads of rows larger than a page take while they are under way: a client that may take 1 MiB. */
class AsyncPagesTest {
    private static final int VALUE_BYTES = 300_000;
    private static final int VALUES = 6;
    private static final int ALL = Integer.MAX_VALUE;
    private static final Bytes LARGE = Bytes.utf8("large");
    private static final ColumnKey COUNT = ColumnKey.of("f", "count");

    private MemoryCluster cluster;
    private Bigtable bigtable;
    private AsyncTable table;

    @BeforeEach
    void start() throws Exception {
        cluster = new MemoryCluster();
        TableSchema draft = TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
        cluster.table(4, draft, List.of(), 3);
        ClientOptions small = ClientOptions.DEFAULT.async(100, 1 << 20).operationTimeout(Duration.ofSeconds(20));
        bigtable = Bigtable.over(cluster, cluster.locks, cluster.scheduler, new SecureRandom(), small);
        RowMutation.Builder large = RowMutation.of(LARGE);
        for (int i = 0; i < VALUES; i++) {
            large.set(ColumnKey.of("f", "q" + i), Bytes.wrap(new byte[VALUE_BYTES]));
        }
        bigtable.table("t").apply(large.build());
        table = bigtable.asyncTable("t");
        // It is known then where the row is.
        assertThat(get(table.read(Bytes.utf8("none")))).isEmpty();
    }

    @AfterEach
    void stop() {
        bigtable.close();
        cluster.close();
    }

    static Stream<Function<AsyncTable, CompletableFuture<?>>> readsOfTheLargeRow() {
        return Stream.of(
                table -> table.read(LARGE),
                table -> table.readAll(List.of(LARGE)),
                table -> table.scan(Scan.of(RowRange.row(LARGE))).next(),
                table -> table.transact(LARGE, tx -> tx.read()),
                table -> table.transact(LARGE, tx -> {
                    Optional<Row> read = tx.read();
                    tx.increment(COUNT, 1);
                    return read;
                }));
    }

    @ParameterizedTest
    @MethodSource("readsOfTheLargeRow")
    void pagesBehindTheFirstAreCountedUntilTheRowIsWhole(Function<AsyncTable, CompletableFuture<?>> read)
            throws Exception {
        LaterPages held = new LaterPages(2);
        cluster.listen(MemoryCluster.address(3), held);
        CompletableFuture<?> reading = read.apply(table);
        Awaitility.await().until(() -> held.waiting.get() > 0);
        // Two pages have come, and room is held for a third.
        CompletableFuture<Long> beyond = table.apply(put("s", 400_000));
        assertThatThrownBy(() -> get(beyond)).hasCauseInstanceOf(OverloadedException.class);
        assertThat(reading).isNotDone();
        held.release();
        assertThat(get(reading)).isNotNull();
        assertThat(get(table.apply(put("s", 400_000)))).isPositive();
    }

    @Test
    void asManyRowsAreReadAtATimeAsThereIsRoomForAndInTheEndAll() throws Exception {
        LaterPages held = new LaterPages(0);
        cluster.listen(MemoryCluster.address(3), held);
        List<CompletableFuture<Optional<Row>>> reads = new ArrayList<>();
        CompletableFuture<Void> begun = new CompletableFuture<>();
        held.first = begun;
        for (int i = 0; i < 10; i++) {
            reads.add(table.read(LARGE));
        }
        begun.complete(null);
        Awaitility.await().until(() -> held.waiting.get() > 0);
        Awaitility.await()
                .during(Duration.ofMillis(500))
                .atMost(Duration.ofSeconds(5))
                .until(() -> held.waiting.get() <= 2);
        assertThat(reads).noneMatch(CompletableFuture::isDone);
        held.release();
        for (CompletableFuture<Optional<Row>> read : reads) {
            assertThat(get(read).orElseThrow().cells()).hasSize(VALUES);
        }
    }

    @Test
    void whatAnEarlierRunOfATransactionHasReadIsNotCounted() throws Exception {
        LaterPages held = new LaterPages(Integer.MAX_VALUE);
        cluster.listen(MemoryCluster.address(3), held);
        ClientOptions roomy = ClientOptions.DEFAULT.async(100, 4 << 20);
        try (Bigtable client = Bigtable.over(cluster, cluster.locks, cluster.scheduler, new SecureRandom(), roomy)) {
            AsyncTable async = client.asyncTable("t");
            assertThat(get(async.read(Bytes.utf8("none")))).isEmpty();
            AtomicInteger runs = new AtomicInteger();
            CompletableFuture<Integer> second = async.transact(LARGE, tx -> {
                Optional<Row> read = tx.read();
                if (runs.incrementAndGet() == 1) {
                    bigtable.table("t")
                            .apply(RowMutation.of(LARGE).set("f", "q0", "other").build());
                    held.left.set(2);
                }
                tx.increment(COUNT, 1);
                return read.orElseThrow().cells().size();
            });
            Awaitility.await().until(() -> held.waiting.get() > 0);
            CompletableFuture<Long> beside = async.apply(put("s", 1_500_000));
            assertThat(get(beside)).isPositive();
            held.release();
            assertThat(get(second)).isEqualTo(VALUES + 1);
            assertThat(runs).hasValue(2);
        }
    }

    /** Three rows, of which a page takes one. */
    private AsyncScanner<Row> scanner(AsyncTable of) {
        return of.scan(Scan.prefix(Bytes.utf8("p")).pages(1, VALUE_BYTES));
    }

    private void putRows() throws Exception {
        for (String row : List.of("p1", "p2", "p3")) {
            assertThat(get(table.apply(put(row, 200_000)))).isPositive();
        }
    }

    @Test
    void aPageThatIsAskedForAheadIsCountedAndGivesWayOnceItHasCome() throws Exception {
        putRows();
        LaterPages held = new LaterPages(1);
        cluster.listen(MemoryCluster.address(3), held);
        AsyncScanner<Row> scanner = scanner(table);
        List<Row> rows = new ArrayList<>(get(scanner.next()));
        assertThat(held.waiting).as("asked for ahead").hasValue(1);
        CompletableFuture<Void> begun = new CompletableFuture<>();
        held.first = begun;
        CompletableFuture<Long> first = table.apply(put("s", 400_000));
        CompletableFuture<Long> beyond = table.apply(put("s", 400_000));
        assertThat(beyond).isCompletedExceptionally();
        assertThatThrownBy(() -> get(beyond))
                .hasCauseInstanceOf(OverloadedException.class)
                .hasMessageContaining("2 with")
                .hasMessageContaining("1 of them for pages of scans ahead");
        held.release();
        CompletableFuture<Long> second = table.apply(put("s", 600_000));
        assertThat(second).isNotDone();
        begun.complete(null);
        assertThat(get(first)).isPositive();
        assertThat(get(second)).isPositive();
        for (List<Row> some = get(scanner.next()); !some.isEmpty(); some = get(scanner.next())) {
            rows.addAll(some);
        }
        assertThat(rows).extracting(row -> row.key().toString()).containsExactly("p1", "p2", "p3");
    }

    @Test
    void aClientThatMayHaveOneCallAtATimeScansToTheEndAndAsksForNothingAhead() throws Exception {
        putRows();
        try (Bigtable one = client(1)) {
            AsyncTable async = one.asyncTable("t");
            assertThat(get(async.read(Bytes.utf8("none")))).isEmpty();
            LaterPages pages = new LaterPages(ALL);
            cluster.listen(MemoryCluster.address(3), pages);
            AsyncScanner<Row> scanner = scanner(async);
            for (int i = 1; i <= 3; i++) {
                assertThat(get(scanner.next())).hasSize(1);
                assertThat(ALL - pages.left.get()).as("pages asked for").isEqualTo(i);
                assertThat(get(async.apply(put("s", 1_000)))).isPositive();
            }
            assertThat(get(scanner.next())).isEmpty();
        }
    }

    @Test
    void whatScannersHaveAheadThatNobodyAsksAnyMoreKeepsNobodyOut() throws Exception {
        putRows();
        try (Bigtable three = client(3)) {
            AsyncTable async = three.asyncTable("t");
            assertThat(get(async.read(Bytes.utf8("none")))).isEmpty();
            LaterPages pages = new LaterPages(ALL);
            cluster.listen(MemoryCluster.address(3), pages);
            for (int i = 0; i < 10; i++) {
                assertThat(get(scanner(async).next())).hasSize(1);
            }
            assertThat(ALL - pages.left.get()).as("pages asked for").isEqualTo(12);
            CompletableFuture<Void> begun = new CompletableFuture<>();
            pages.first = begun;
            List<CompletableFuture<Long>> calls = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                calls.add(async.apply(put("s", 1_000)));
            }
            assertThat(async.apply(put("s", 1_000))).isCompletedExceptionally();
            begun.complete(null);
            for (CompletableFuture<Long> call : calls) {
                assertThat(get(call)).isPositive();
            }
        }
    }

    /** The room of a page that was asked for ahead is there when it is wanted, however little is left. */
    @Test
    void noPageIsAskedForTwiceWhereOneScannerReads() throws Exception {
        LaterPages pages = new LaterPages(ALL);
        cluster.listen(MemoryCluster.address(3), pages);
        AsyncScanner<Cell> scanner = table.cells(Scan.of(RowRange.row(LARGE)).pages(1, VALUE_BYTES));
        List<Cell> cells = new ArrayList<>();
        for (List<Cell> some = get(scanner.next()); !some.isEmpty(); some = get(scanner.next())) {
            cells.addAll(some);
            assertThat(get(table.apply(put("s", 300_000)))).isPositive();
        }
        assertThat(cells).hasSize(VALUES);
        int asked = ALL - pages.left.get();
        assertThat(asked).as("pages asked for").isBetween(VALUES, VALUES + 1);
        List<Row> rows = get(
                table.scan(Scan.of(RowRange.row(LARGE)).pages(1, VALUE_BYTES)).next());
        assertThat(rows.get(0).cells()).hasSize(VALUES);
        assertThat(ALL - pages.left.get())
                .as("pages asked for, of the whole row")
                .isEqualTo(2 * asked);
    }

    private Bigtable client(int calls) {
        ClientOptions options = ClientOptions.DEFAULT.async(calls, 1 << 20);
        return Bigtable.over(cluster, cluster.locks, cluster.scheduler, new SecureRandom(), options);
    }

    private static RowMutation put(String row, int bytes) {
        return RowMutation.of(row)
                .set(ColumnKey.of("f", "q"), Bytes.wrap(new byte[bytes]))
                .build();
    }

    private static <T> T get(CompletableFuture<T> call) throws Exception {
        return call.get(30, TimeUnit.SECONDS);
    }

    /** The server, which answers so many pages of a large row, but for what is asked at first, and the others when it is told to. */
    private final class LaterPages implements Service {
        private final Service server = cluster.server(3);
        private final CompletableFuture<Void> released = new CompletableFuture<>();
        private final AtomicInteger waiting = new AtomicInteger();
        private final AtomicInteger left;

        /** Before it no answer comes at all. */
        private volatile CompletableFuture<Void> first = CompletableFuture.completedFuture(null);

        LaterPages(int pages) {
            left = new AtomicInteger(pages);
        }

        void release() {
            released.complete(null);
        }

        @Override
        public CompletableFuture<? extends Answer> handle(Caller caller, Request request) {
            boolean isPage =
                    request instanceof Request.Scan scan && scan.bounds().bytes() > AsyncTable.ANSWER_BYTES;
            if (!isPage || left.getAndDecrement() > 0) {
                return first.thenCompose(nothing -> server.handle(caller, request));
            }
            waiting.incrementAndGet();
            return released.thenCompose(nothing -> server.handle(caller, request));
        }
    }
}
