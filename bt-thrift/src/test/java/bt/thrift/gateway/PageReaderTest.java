package bt.thrift.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.client.Bigtable;
import bt.client.Scanner;
import bt.client.Table;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.protocol.Request;
import bt.testing.ManualClock;
import bt.testing.MemoryCluster;
import bt.testing.MemoryCluster.Fate;
import bt.testing.MemoryService;
import bt.testing.SeededTest;
import bt.thrift.convert.PageRequest;
import bt.thrift.convert.ResumeToken;
import bt.thrift.convert.Rows;
import bt.thrift.gen.Page;
import bt.thrift.gen.ReadLimits;
import bt.thrift.gen.Row;
import bt.thrift.gen.RowRange;
import bt.thrift.gen.Scan;
import bt.thrift.gen.ScanRows;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pages of a table of three tablets with a row each, whose servers take three seconds for an answer. */
class PageReaderTest {
    private static final long TABLE = 4;
    private static final int CELL_BYTES = 250_000;

    private final ManualClock clock = new ManualClock(0);
    private MemoryCluster cluster;
    private Bigtable bigtable;
    private Table table;

    @BeforeEach
    void start() throws Exception {
        cluster = new MemoryCluster();
        TableSchema draft = TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
        cluster.table(TABLE, draft, List.of(Bytes.utf8("h"), Bytes.utf8("p")), 3);
        bigtable = Bigtable.over(cluster, cluster.locks, cluster.scheduler);
        table = bigtable.table("t");
        for (String row : List.of("a", "k", "z")) {
            table.apply(RowMutation.of(row).set("f", "q", "v").build());
        }
        answersTake(3);
    }

    @AfterEach
    void stop() {
        bigtable.close();
        cluster.close();
    }

    @Test
    void whereNothingPassesAPageEndsAfterSomeSecondsAndTheNextGoesOn() throws Exception {
        Scan scan = new Scan().setFilter(new bt.thrift.gen.Filter().setText("value~'nosuch'"));

        Page first = read(scan, Optional.empty());
        Page second = read(scan, next(first));

        assertThat(first.getRows()).isEmpty();
        assertThat(first.isSetResumeToken()).isTrue();
        assertThat(second.getRows()).isEmpty();
        assertThat(second.isSetResumeToken()).isFalse();
        assertThat(clock.micros()).isEqualTo(9_000_000);
    }

    @Test
    void aPageEndsAfterSomeSecondsWithTheRowsThatItHas() throws Exception {
        for (boolean reversed : new boolean[] {false, true}) {
            Scan scan = new Scan().setReversed(reversed);

            Page first = read(scan, Optional.empty());
            Page second = read(scan, next(first));

            assertThat(keys(List.of(first, second)))
                    .isEqualTo(reversed ? List.of("z", "k", "a") : List.of("a", "k", "z"));
            assertThat(first.getRows()).hasSize(2);
            assertThat(second.isSetResumeToken()).isFalse();
        }
    }

    /** Its last row would be cut, or the page would take as long as the row. */
    @Test
    void aRowThatHasBegunWhenTheTimeIsOverIsTheNextPages() throws Exception {
        table.apply(row("b", 2));
        for (boolean reversed : new boolean[] {false, true}) {
            Scan scan = new Scan().setStartRow(bytes("a")).setEndRow(bytes("c")).setReversed(reversed);
            List<Page> pages = new ArrayList<>(List.of(read(scan, Optional.empty())));
            while (pages.get(pages.size() - 1).isSetResumeToken()) {
                pages.add(read(scan, next(pages.get(pages.size() - 1))));
            }

            assertThat(keys(pages)).isEqualTo(reversed ? List.of("b", "a") : List.of("a", "b"));
            assertThat(pages.stream().flatMap(page -> page.getRows().stream()))
                    .allSatisfy(row -> assertThat(row.getCells()).hasSize(row.getKey()[0] == 'b' ? 2 : 1));
        }
    }

    /** Or no page would ever get behind it. */
    @Test
    void theFirstRowOfAPageIsReadToItsEnd() throws Exception {
        answersTake(10);
        table.apply(row("m", 2));
        Scan scan = new Scan().setStartRow(bytes("m")).setEndRow(bytes("n"));

        Page first = read(scan, Optional.empty());
        Page second = read(scan, next(first));

        assertThat(first.getRows()).isEmpty();
        assertThat(second.getRows()).hasSize(1);
        assertThat(second.getRows().get(0).getCells()).hasSize(2);
    }

    @Test
    void aRowThatIsNotLookedThroughWithinAMinuteIsRejected() throws Exception {
        answersTake(40);
        table.apply(row("m", 3));
        Scan scan = new Scan().setStartRow(bytes("m")).setEndRow(bytes("n"));

        Page first = read(scan, Optional.empty());

        assertThatThrownBy(() -> read(scan, next(first)))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("row m is so large")
                .hasMessageContaining("scanCells");
        assertThatThrownBy(() -> reader().row(table, Bytes.utf8("m"), Filter.ALL))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("row m is so large");
    }

    @Test
    void aRowAloneMayTakeLongerThanAPage() throws Exception {
        table.apply(row("m", 2));

        assertThat(reader().row(table, Bytes.utf8("m"), Filter.ALL).getCells()).hasSize(2);
    }

    @Test
    void aRowThatACompactionHasOvertakenIsBegunAgain() throws Exception {
        table.apply(row("m", 3));
        MemoryService server = cluster.server(3);
        AtomicInteger goesOn = new AtomicInteger();
        cluster.listen(
                MemoryCluster.address(3),
                (caller, request) -> request instanceof Request.Scan scan
                                && scan.resume().isPresent()
                                && goesOn.incrementAndGet() == 2
                        ? CompletableFuture.failedFuture(
                                new RejectedException("what the row was is gone", "ask for another"))
                        : server.handle(caller, request));

        Row row = reader().row(table, Bytes.utf8("m"), Filter.ALL);

        assertThat(row.getCells())
                .extracting(
                        cell -> Bytes.copyOf(cell.getColumn().getQualifier()).toUtf8())
                .containsExactly("q0", "q1", "q2");
        assertThat(goesOn).hasValue(4);
    }

    /** Rows of which many are cut by requests, pages that are cut by all bounds there are. */
    @SeededTest(runs = 40)
    void pagesAddUpToWhatAScannerReads(RandomGenerator random) throws Exception {
        for (int i = 0; i < 20; i++) {
            RowMutation.Builder row = RowMutation.of("" + (char) ('a' + random.nextInt(26)));
            for (int cell = random.nextInt(6); cell >= 0; cell--) {
                row.set(ColumnKey.of("f", "q" + cell), 1, Bytes.wrap(new byte[random.nextInt(90_000)]));
            }
            table.apply(row.build());
        }
        answersTake(random.nextInt(7));
        Scan scan = scan(random);
        List<bt.model.Row> expected = new ArrayList<>();
        try (Scanner scanner = table.scan(PageRequest.of(scan).scan())) {
            for (Optional<bt.model.Row> row = scanner.next(); row.isPresent(); row = scanner.next()) {
                expected.add(row.get());
            }
        }

        List<Row> read = new ArrayList<>();
        Optional<ResumeToken> token = Optional.empty();
        do {
            Page page = read(scan, token);
            assertThat(page.getRows().size()).isLessThanOrEqualTo(scan.getPageRows());
            read.addAll(page.getRows());
            token = next(page);
        } while (token.isPresent());

        assertThat(read).isEqualTo(expected.stream().map(Rows::of).toList());
    }

    private static Scan scan(RandomGenerator random) {
        ReadLimits limits = new ReadLimits();
        if (random.nextBoolean()) {
            limits.setRows(1 + random.nextInt(20));
        }
        if (random.nextBoolean()) {
            limits.setCells(1 + random.nextInt(50));
        }
        if (random.nextBoolean()) {
            limits.setBytes(1 + random.nextInt(2_000_000));
        }
        Scan scan = new Scan()
                .setReversed(random.nextBoolean())
                .setPageRows(1 + random.nextInt(9))
                .setPageBytes(1 + random.nextInt(600_000))
                .setLimits(limits);
        if (random.nextBoolean()) {
            scan.setRows(List.of(
                    ScanRows.row(
                            Bytes.utf8("" + (char) ('a' + random.nextInt(26))).toBuffer()),
                    ScanRows.range(new RowRange().setStart(bytes("" + (char) ('a' + random.nextInt(26)))))));
        }
        return random.nextBoolean() ? scan : scan.setFilter(new bt.thrift.gen.Filter().setCellsPerRow(3));
    }

    private void answersTake(int seconds) {
        cluster.fates((to, request) -> {
            if (request instanceof Request.Scan scan && scan.tableId() == TABLE) {
                clock.set(clock.micros() + seconds * 1_000_000L);
            }
            return Fate.DELIVERED;
        });
    }

    /** A row of which each request brings one cell. */
    private static RowMutation row(String key, int cells) {
        RowMutation.Builder row = RowMutation.of(key);
        for (int i = 0; i < cells; i++) {
            row.set(ColumnKey.of("f", "q" + i), 1, Bytes.wrap(new byte[CELL_BYTES]));
        }
        return row.build();
    }

    private PageReader reader() {
        return new PageReader(AnswerRoom.of(MemoryGateway.IMPATIENT), clock);
    }

    private Page read(Scan scan, Optional<ResumeToken> token) throws BigtableException {
        return reader().read(table, PageRequest.of(scan), token);
    }

    private static Optional<ResumeToken> next(Page page) throws RejectedException {
        return ResumeToken.of(page.bufferForResumeToken());
    }

    private static List<String> keys(List<Page> pages) {
        return pages.stream()
                .flatMap(page -> page.getRows().stream())
                .map(row -> Bytes.copyOf(row.getKey()).toUtf8())
                .toList();
    }

    private static byte[] bytes(String text) {
        return Bytes.utf8(text).toArray();
    }
}
