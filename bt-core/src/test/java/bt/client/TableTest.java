package bt.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.metadata.MetadataSchema;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.GcRule;
import bt.model.Row;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Answer;
import bt.protocol.Request;
import bt.protocol.Service;
import bt.protocol.WriteResult;
import bt.testing.MemoryCluster;
import bt.testing.MemoryCluster.Fate;
import bt.testing.SeededTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TableTest {
    static final TableSchema WEBTABLE = TableSchema.draft("webtable")
            .family("contents", new GcRule.MaxVersions(3))
            .family("anchor", GcRule.KEEP_ALL)
            .build();
    private static final TabletId FIRST = new TabletId(4, Optional.of(Bytes.utf8("f")));

    private MemoryCluster cluster;
    private Bigtable bigtable;
    private Table table;

    @BeforeEach
    void start() throws Exception {
        cluster = new MemoryCluster();
        cluster.table(4, WEBTABLE, List.of(Bytes.utf8("f"), Bytes.utf8("m")), 3);
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

    private String value(String row) throws Exception {
        return table.read(Bytes.utf8(row))
                .flatMap(found -> found.value(ColumnKey.of("anchor", "a")))
                .map(Bytes::toUtf8)
                .orElse("nothing");
    }

    @Test
    void aReadIsOverloadedThoughItsFirstAttemptHadNoAnswer() throws Exception {
        AtomicInteger reads = new AtomicInteger();
        cluster.listen(
                MemoryCluster.address(3),
                (caller, request) -> CompletableFuture.failedFuture(
                        reads.incrementAndGet() == 1
                                ? new UnavailableException("no answer")
                                : new OverloadedException("too many reads", 20)));
        ClientOptions hasty = ClientOptions.DEFAULT.operationTimeout(Duration.ofMillis(500));
        try (Bigtable other =
                Bigtable.over(cluster, cluster.locks, cluster.scheduler, new java.util.Random(1), hasty)) {
            assertThatThrownBy(() -> other.table("webtable").read(Bytes.utf8("a")))
                    .isInstanceOf(OverloadedException.class)
                    .hasMessageContaining("too many reads")
                    .hasMessageEndingWith("with less at a time");
        }
        assertThat(reads).hasValueGreaterThan(1);
    }

    /** Figures 2 and 3 of the paper. */
    @Test
    void partsOfARowAreFoundByColumnAndFamily() throws Exception {
        ColumnKey a = ColumnKey.of("anchor", "a");
        ColumnKey page = ColumnKey.of("contents", "");
        Bytes key = Bytes.hex("ff00");
        assertThat(table.exists(key)).isFalse();
        table.apply(RowMutation.of(key)
                .set(a, 1, Bytes.utf8("old"))
                .set(a, 2, Bytes.utf8("new"))
                .set(ColumnKey.of("anchor", "b"), 1, Bytes.utf8("other"))
                .set(page, 1, Bytes.utf8("page"))
                .build());
        assertThat(table.exists(key)).isTrue();
        assertThat(bigtable.asyncTable("webtable").exists(key).get(30, TimeUnit.SECONDS))
                .isTrue();
        Row row = table.read(key).orElseThrow();
        assertThat(row.cells(a)).extracting(Cell::timestamp).containsExactly(2L, 1L);
        assertThat(row.cell(a)).map(Cell::value).contains(Bytes.utf8("new"));
        assertThat(row.cell(ColumnKey.of("anchor", "none"))).isEmpty();
        assertThat(row.cells("anchor")).hasSize(3);
        assertThat(row.cells("contents")).hasSize(1);
        try (Scanner scanner = table.scan(Scan.row(key).column(page))) {
            assertThat(scanner.next().orElseThrow().cells()).hasSize(1);
        }
        try (Scanner scanner = table.scan(Scan.row(key).columns(page, a))) {
            assertThat(scanner.next().orElseThrow().cells()).hasSize(3);
        }
    }

    @Test
    void rowsThatAreNamedAreAskedForTogetherAndAnsweredInTheirOrder() throws Exception {
        for (String row : List.of("a", "b", "g", "z")) {
            table.apply(put(row, "of " + row));
        }
        List<Bytes> keys =
                Stream.of("z", "none", "a", "g", "b", "a").map(Bytes::utf8).toList();
        int before = cluster.server(3).asked().size();
        List<Optional<Row>> rows = table.readAll(keys);
        // The tablets end with f and m, and in each there is one that is named.
        assertThat(cluster.server(3).asked()).hasSize(before + 3);
        assertThat(rows)
                .extracting(row -> row.map(Row::key).map(Bytes::toUtf8).orElse("nothing"))
                .containsExactly("z", "nothing", "a", "g", "b", "a");
        assertThat(table.readAll(keys, Filter.NONE)).hasSize(6).allMatch(Optional::isEmpty);
        assertThat(table.readAll(List.of())).isEmpty();
    }

    @Test
    void theExamplesOfThePaperReadAlmostTheSame() throws Exception {
        Table webtable = bigtable.table("webtable");
        RowMutation r1 = RowMutation.of("com.cnn.www")
                .set("anchor", "www.c-span.org", "CNN")
                .deleteColumn(ColumnKey.of("anchor", "www.abc.com"))
                .build();
        long timestamp = webtable.apply(r1);

        List<String> printed = new ArrayList<>();
        try (Scanner scanner = webtable.scan(Scan.row("com.cnn.www").family("anchor"))) {
            for (Optional<Row> row = scanner.next(); row.isPresent(); row = scanner.next()) {
                for (Cell cell : row.get().cells()) {
                    printed.add(
                            String.format("%s %s %d %s", cell.row(), cell.column(), cell.timestamp(), cell.value()));
                }
            }
        }
        assertThat(printed).containsExactly("com.cnn.www anchor:www.c-span.org " + timestamp + " CNN");
    }

    @Test
    void anUnknownTableIsRejectedByItsName() {
        assertThatThrownBy(() -> bigtable.table("nope"))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("nope does not exist");
    }

    @Test
    void anUnknownFamilyIsRejectedAndNotRetried() {
        RowMutation wrong = RowMutation.of("a").set("nope", "a", "1").build();
        assertThatThrownBy(() -> table.apply(wrong)).isInstanceOf(RejectedException.class);
        assertThat(cluster.server(3).asked()).hasSize(1);
    }

    /** Round trips to servers; the one to the lock service, for the root tablet's place, is not among them. */
    private int asked() {
        return IntStream.rangeClosed(1, 8)
                .map(host -> cluster.server(host).asked().size())
                .sum();
    }

    @Test
    void theFirstReadAsksTwoServersWhereToReadAndTheNextOnesNone() throws Exception {
        int before = asked();
        assertThat(value("a")).isEqualTo("nothing");
        assertThat(asked() - before).isEqualTo(2 + 1);
        // Two neighbours came along.
        assertThat(value("g")).isEqualTo("nothing");
        assertThat(value("z")).isEqualTo("nothing");
        assertThat(asked() - before).isEqualTo(2 + 3);
    }

    @Test
    void whereEverythingHasMovedFiveServersAreAskedBeforeTheRead() throws Exception {
        table.apply(put("a", "1"));
        cluster.move(MetadataSchema.ROOT, 1, 6);
        cluster.move(MetadataSchema.LAST, 2, 7);
        cluster.move(FIRST, 3, 8);
        int before = asked();
        assertThat(value("a")).isEqualTo("1");
        assertThat(asked() - before).isEqualTo(5 + 1);
    }

    @Test
    void whoIsOverloadedIsAskedAgainAndNobodyWhereItIs() throws Exception {
        table.apply(put("a", "1"));
        AtomicInteger refusals = new AtomicInteger(2);
        cluster.listen(MemoryCluster.address(3), overloaded(refusals, cluster.server(3)));
        int before =
                cluster.server(1).asked().size() + cluster.server(2).asked().size();
        table.apply(put("a", "2"));
        assertThat(value("a")).isEqualTo("2");
        assertThat(refusals).hasValue(0);
        assertThat(cluster.server(1).asked().size() + cluster.server(2).asked().size())
                .isEqualTo(before);
    }

    private static Service overloaded(AtomicInteger refusals, Service server) {
        return (caller, request) -> refusals.get() > 0 && refusals.getAndDecrement() > 0
                ? CompletableFuture.failedFuture(new OverloadedException("too much", 5))
                : server.handle(caller, request);
    }

    @Test
    void aTabletThatMovedIsFoundAgain() throws Exception {
        table.apply(put("a", "1"));
        cluster.move(FIRST, 3, 5);
        table.apply(put("a", "2"));
        assertThat(value("a")).isEqualTo("2");
        cluster.move(FIRST, 5, 3);
        assertThat(value("a")).isEqualTo("2");
    }

    @Test
    void aWriteWhoseAnswerIsLostIsSentAgainUnderItsNumberAndHappensOnce() throws Exception {
        AtomicInteger lost = new AtomicInteger(2);
        cluster.fates((to, request) ->
                request instanceof Request.Mutate && lost.getAndDecrement() > 0 ? Fate.ANSWER_LOST : Fate.DELIVERED);
        table.apply(put("a", "1"));
        assertThat(table.read(Bytes.utf8("a")).orElseThrow().cells()).hasSize(1);
        assertThat(cluster.server(3).asked().stream()
                        .filter(Request.Mutate.class::isInstance)
                        .map(request ->
                                ((Request.Mutate) request).writes().get(0).id().number())
                        .distinct())
                .hasSize(1);
    }

    /** Lost requests, lost answers and a tablet that moves: each increment happens once, and is answered its own count. */
    @SeededTest(runs = 5)
    void everyWriteHappensOnceHoweverOftenItIsSent(RandomGenerator random) throws Exception {
        cluster.fates((to, request) -> request instanceof Request.Mutate
                ? List.of(Fate.values()).get(Math.max(0, random.nextInt(8) - 4))
                : Fate.DELIVERED);
        for (int i = 1; i <= 15; i++) {
            assertThat(table.increment(Bytes.utf8("a"), ColumnKey.of("anchor", "n"), 1))
                    .isEqualTo(i);
            if (i == 8) {
                cluster.move(FIRST, 3, 5);
            }
        }
    }

    /** A server that has forgotten it says the same for as long as it is asked. */
    @Test
    void aWriteThatCameTooLateIsUnknownAtOnce() throws Exception {
        AtomicInteger sent = new AtomicInteger();
        cluster.listen(MemoryCluster.address(3), (caller, request) -> {
            if (!(request instanceof Request.Mutate)) {
                return cluster.server(3).handle(caller, request);
            }
            return sent.incrementAndGet() == 1
                    ? CompletableFuture.failedFuture(new UnavailableException("the answer is lost"))
                    : CompletableFuture.completedFuture(
                            new Answer.Mutated(List.of(WriteResult.failed(new RejectedException(
                                    "it came too late", "read before you write again", Outcome.UNKNOWN)))));
        });
        assertThatThrownBy(() -> table.apply(put("a", "1")))
                .isInstanceOfSatisfying(UnavailableException.class, failure -> {
                    assertThat(failure.outcome()).isEqualTo(Outcome.UNKNOWN);
                    assertThat(failure).hasMessageContaining("it came too late");
                });
        assertThat(sent).hasValue(2);
    }

    @Test
    void aWriteWaitsForATabletThatIsOnItsWay() throws Exception {
        cluster.unload(FIRST, 3);
        cluster.scheduler.after(200, () -> {
            try {
                cluster.load(FIRST, 5);
            } catch (Exception failed) {
                throw new AssertionError(failed);
            }
        });
        table.apply(put("a", "1"));
        assertThat(value("a")).isEqualTo("1");
    }

    @Test
    void anInterruptedWriteThatMayHaveArrivedIsUnknown() throws Exception {
        cluster.fates((to, request) -> request instanceof Request.Mutate ? Fate.ANSWER_LOST : Fate.DELIVERED);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> table.apply(put("a", "1")))
                .isInstanceOfSatisfying(UnavailableException.class, failure -> assertThat(failure.outcome())
                        .isEqualTo(Outcome.UNKNOWN));
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aTableThatWasDroppedIsRejected() throws Exception {
        for (String end : new String[] {"f", "m", ""}) {
            TabletId id = new TabletId(4, Optional.of(Bytes.utf8(end)).filter(row -> !row.isEmpty()));
            cluster.unload(id, 3);
            cluster.markGone(id);
        }
        cluster.locks.delete("tables/4");
        assertThatThrownBy(() -> table.apply(put("a", "1")))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("was dropped");
        assertThatThrownBy(() -> table.read(Bytes.utf8("a"))).isInstanceOf(RejectedException.class);
        assertThatThrownBy(() -> bigtable.table("webtable")).isInstanceOf(RejectedException.class);
    }

    @Test
    void metadataIsReadLikeAnyTableAndWrittenByNobody() throws Exception {
        Table metadata = bigtable.table("METADATA");
        try (Scanner scanner = metadata.scan(Scan.all())) {
            assertThat(count(scanner)).isEqualTo(4);
        }
        assertThatThrownBy(() -> metadata.apply(put("a", "1"))).isInstanceOf(RejectedException.class);
    }

    @Test
    void aFilterIsAppliedInTheServerWhichCountsWhatItWasShown() throws Exception {
        table.apply(RowMutation.of("a")
                .set("anchor", "x", "1")
                .set("contents", "", "2")
                .build());
        table.apply(RowMutation.of("b").set("contents", "", "2").build());
        Scan anchors = Scan.all().filtered(new Filter.Families(List.of("anchor")));
        try (Scanner scanner = table.scan(anchors)) {
            assertThat(count(scanner)).isEqualTo(1);
            assertThat(scanner.rowsSeen()).isEqualTo(2);
            assertThat(scanner.cellsSeen()).isEqualTo(3);
        }
    }

    @Test
    void tabletsAreToldInOrderWithTheirHosts() throws Exception {
        cluster.unload(FIRST, 3);
        assertThat(table.tablets())
                .extracting(TabletInfo::range)
                .containsExactly(
                        new RowRange(Bytes.EMPTY, Optional.of(Bytes.utf8("f").successor())),
                        RowRange.of(Bytes.utf8("f").successor(), Bytes.utf8("m").successor()),
                        RowRange.from(Bytes.utf8("m").successor()));
        assertThat(table.tablets())
                .extracting(TabletInfo::host)
                .containsExactly(Optional.empty(), Optional.of("host3"), Optional.of("host3"));
    }

    private static int count(Scanner scanner) throws Exception {
        int rows = 0;
        while (scanner.next().isPresent()) {
            rows++;
        }
        return rows;
    }
}
