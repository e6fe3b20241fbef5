package bt.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Bytes;
import bt.base.OverloadedException;
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
