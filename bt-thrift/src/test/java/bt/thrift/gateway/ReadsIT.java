package bt.thrift.gateway;

import static bt.thrift.gateway.GatewayCluster.rejected;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import bt.base.Bytes;
import bt.client.CellPosition;
import bt.client.CellScanner;
import bt.model.ColumnKey;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.RowSet;
import bt.model.TableSchema;
import bt.protocol.RowResume;
import bt.testing.SeededTest;
import bt.thrift.convert.CellToken;
import bt.thrift.gen.BigtableError;
import bt.thrift.gen.Cell;
import bt.thrift.gen.ErrorKind;
import bt.thrift.gen.Filter;
import bt.thrift.gen.Page;
import bt.thrift.gen.ReadLimits;
import bt.thrift.gen.Row;
import bt.thrift.gen.RowRange;
import bt.thrift.gen.Scan;
import bt.thrift.gen.ScanRows;
import bt.thrift.gen.Tablet;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.apache.thrift.TException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the library's scans can, through a gateway: over a whole cluster, and of tables of three tablets. */
class ReadsIT {
    private static final ByteBuffer NO_TOKEN = ByteBuffer.allocate(0);
    private static final int LARGE_CELLS = 20;

    private static GatewayCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = GatewayCluster.start();
        TableSchema draft =
                TableSchema.draft("letters").family("f", GcRule.KEEP_ALL).build();
        cluster.bigtable().admin().createTable(draft, List.of(Bytes.utf8("h"), Bytes.utf8("p")));
        for (char letter = 'a'; letter <= 'z'; letter++) {
            RowMutation.Builder row = RowMutation.of("" + letter);
            for (int timestamp = 1; timestamp <= 3; timestamp++) {
                row.set(ColumnKey.of("f", "one"), timestamp, Bytes.utf8("v" + timestamp));
            }
            cluster.bigtable()
                    .table("letters")
                    .apply(row.set(ColumnKey.of("f", "two"), 2, Bytes.utf8("w")).build());
        }
        for (String name : List.of("large", "huge")) {
            TableSchema one =
                    TableSchema.draft(name).family("f", GcRule.KEEP_ALL).build();
            cluster.bigtable().admin().createTable(one, List.of());
        }
        for (int i = 0; i < LARGE_CELLS; i++) {
            RowMutation.Builder row = RowMutation.of("row").set(column(i), 1, Bytes.wrap(new byte[1 << 20]));
            cluster.bigtable().table("large").apply(row.build());
        }
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void aSetOfRowsIsReadInOrderAndEachOnce() throws TException {
        Scan scan = new Scan()
                .setRows(List.of(
                        ScanRows.row(text("z")),
                        ScanRows.range(new RowRange().setStart(text("g")).setEnd(text("j"))),
                        ScanRows.prefix(text("h")),
                        ScanRows.row(text("nosuch")),
                        ScanRows.row(text("b"))));

        assertThat(keys(scan)).isEqualTo("bghiz");
        assertThat(keys(scan.setPageRows(1))).isEqualTo("bghiz");
        assertThat(keys(scan.setReversed(true))).isEqualTo("zihgb");
        assertThat(keys(scan.setStartRow(text("c")))).isEqualTo("zihg");
    }

    @Test
    void rowsAreAnsweredInTheOrderOfTheirKeysAndThoseThatAreNotThereToo() throws TException {
        Filter newest = new Filter().setVersions(1).setText("qualifier=one");

        List<Row> rows = cluster.calls().readRows("letters", named("z", "nosuch", "b", "q", "z"), newest);

        assertThat(rows)
                .extracting(row -> new String(row.getKey(), UTF_8))
                .containsExactly("z", "nosuch", "b", "q", "z");
        assertThat(rows)
                .extracting(row -> row.getCells().stream().map(ReadsIT::value).toList())
                .containsExactly(List.of("v3"), List.of(), List.of("v3"), List.of("v3"), List.of("v3"));
        Filter nothing = new Filter().setText("value=nothing");
        assertThat(cluster.calls().readRows("letters", named("b"), nothing))
                .containsExactly(new Row(text("b"), List.of()));
        assertThat(cluster.calls().readRows("letters", List.of(), null)).isEmpty();
        assertThat(cluster.calls().readRows("letters", named("c"), null))
                .containsExactly(cluster.calls().readRow("letters", text("c"), null));
    }

    @Test
    void manyRowsAreReadAtOnce() throws TException {
        List<ByteBuffer> keys = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            keys.add(text(i % 2 == 0 ? "a" : "absent" + i));
        }

        List<Row> rows = cluster.calls().readRows("letters", keys, new Filter().setVersions(1));

        assertThat(rows).hasSize(10_000);
        assertThat(rows.get(9_998).getCells()).hasSize(2);
        assertThat(rows.get(9_999)).isEqualTo(new Row(text("absent9999"), List.of()));
        List<ByteBuffer> tooMany = Collections.nCopies(100_001, text("a"));
        rejected(() -> cluster.calls().readRows("letters", tooMany, null), "100001 rows in one call: at most 100000");
        rejected(() -> cluster.calls().readRows("letters", named("a", ""), null), "row is empty");
    }

    @Test
    void rowsThatNoFrameHoldsTogetherAreRejected() throws TException {
        Filter half = new Filter().setCellsPerRow(10);

        rejected(
                () -> cluster.calls().readRows("large", named("row", "absent"), null), "2 rows from row take at least");
        assertThat(cluster.calls().readRows("large", named("row"), half).get(0).getCells())
                .hasSize(10);
        rejected(() -> cluster.calls().readRows("large", named("row", "row"), half), "ask for fewer rows at a time");
    }

    private static List<ByteBuffer> named(String... rows) {
        return Stream.of(rows).map(ReadsIT::text).toList();
    }

    @Test
    void aReversedScanBeginsAtTheLastRow() throws TException {
        Scan scan = new Scan().setReversed(true).setEndRow(text("s")).setPageRows(4);

        assertThat(keys(scan)).isEqualTo("rqponmlkjihgfedcba");
    }

    @Test
    void limitsAreThoseOfAllPagesTogether() throws TException {
        Scan scan = new Scan().setPageRows(2).setReversed(true);

        assertThat(keys(scan.setLimits(new ReadLimits().setRows(5)))).isEqualTo("zyxwv");
        assertThat(keys(scan.setLimits(new ReadLimits().setCells(9)))).isEqualTo("zyx");
        // Three cells of row, qualifier and value: 1 + 3 + 2; one of 1 + 3 + 1.
        assertThat(keys(scan.setLimits(new ReadLimits().setBytes(23 * 4)))).isEqualTo("zyxw");
        assertThat(cells("letters", scan.setLimits(new ReadLimits().setCells(9))))
                .hasSize(9);
        assertThat(cells("letters", scan.setLimits(new ReadLimits().setRows(9)).setPageBytes(1)))
                .hasSize(9 * 4);
    }

    @Test
    void asOfATimeAndSomeCellsOfARow() throws TException {
        assertThat(values(new Filter().setAsOf(2))).containsExactly("v2", "w");
        assertThat(values(new Filter().setAsOf(1))).containsExactly("v1");
        assertThat(values(new Filter().setAsOf(2).setVersions(2))).containsExactly("v2", "v1", "w");
        assertThat(values(new Filter().setAsOf(2).setText("latest(1)"))).containsExactly("v2", "w");
        assertThat(values(new Filter().setCellsPerRow(2))).containsExactly("v3", "v2");
        assertThat(cluster.calls()
                        .readRow("letters", text("a"), new Filter().setText("label(x)"))
                        .getCells())
                .extracting(Cell::getLabel)
                .containsOnly("x");
    }

    @Test
    void aRowLargerThanAFrameIsReadInParts() throws TException {
        BigtableError whole =
                catchThrowableOfType(BigtableError.class, () -> cluster.calls().readRow("large", text("row"), null));
        assertThat(whole.getKind()).isEqualTo(ErrorKind.REJECTED);
        assertThat(whole.getMessage()).contains("scanCells");

        List<Cell> cells = cells("large", new Scan().setPageBytes(4 << 20));

        assertThat(cells).hasSize(LARGE_CELLS);
        for (int i = 0; i < LARGE_CELLS; i++) {
            assertThat(cells.get(i).getColumn().getQualifier())
                    .isEqualTo(column(i).qualifier().toArray());
            assertThat(cells.get(i).getValue()).hasSize(1 << 20);
        }
    }

    /** A filter that counts goes on counting where the page before ended. */
    @Test
    void aFilterCountsOverPages() throws TException {
        Scan scan = new Scan().setFilter(new Filter().setCellsPerRow(LARGE_CELLS - 3));

        assertThat(cells("large", scan)).hasSize(LARGE_CELLS - 3);
    }

    @Test
    void aRowOfWhichWhatItWasIsGoneGoesOnAsItIs() throws Exception {
        Page first = cluster.calls().scanCells("large", new Scan(), NO_TOKEN);
        CellPosition position =
                CellPosition.decode(Bytes.copyOf(first.getResumeToken(), 1, first.getResumeToken().length - 1));
        RowResume old = position.resume().orElseThrow();
        // As a token is that a caller has kept for more than ten minutes.
        CellPosition kept = new CellPosition(
                position.edge(),
                Optional.of(new RowResume(old.afterKey(), old.sequence(), 1, old.counted(), old.met())),
                position.rowHasBegun(),
                position.taken());

        Page second = cluster.calls().scanCells("large", new Scan(), CellToken.encode(kept));

        assertThat(first.isSetRowGoesOnAsOfNow()).isFalse();
        assertThat(second.isRowGoesOnAsOfNow()).isTrue();
        assertThat(second.getRows().get(0).getCells().get(0).getColumn().getQualifier())
                .isEqualTo(column(first.getRows().get(0).getCells().size())
                        .qualifier()
                        .toArray());
    }

    @Test
    void aValueThatFitsNoFrameIsRejectedAndWhatIsBeforeItIsRead() throws Exception {
        RowMutation.Builder row = RowMutation.of("huge");
        for (int i = 0; i < 100; i++) {
            row.set(column(i), 1, Bytes.utf8("small"));
        }
        cluster.bigtable()
                .table("huge")
                .apply(row.set(column(100), 1, Bytes.wrap(new byte[17 << 20])).build());
        Scan scan = new Scan();

        Page small = cluster.calls().scanCells("huge", scan, NO_TOKEN);
        BigtableError refused = catchThrowableOfType(
                BigtableError.class, () -> cluster.calls().scanCells("huge", scan, small.bufferForResumeToken()));

        assertThat(small.getRows().get(0).getCells()).hasSize(100);
        assertThat(refused.getKind()).isEqualTo(ErrorKind.REJECTED);
        assertThat(refused.getMessage()).contains("row huge column f:0100").contains("17825792 bytes");
    }

    @Test
    void tabletsAreRangesOfAScan() throws TException {
        List<Tablet> tablets = cluster.calls().tablets("letters");

        StringBuilder all = new StringBuilder();
        for (Tablet tablet : tablets) {
            assertThat(tablet.getServer()).isNotEmpty();
            all.append(keys(new Scan().setRows(List.of(ScanRows.range(tablet.getRows())))))
                    .append('|');
        }

        assertThat(all).hasToString("abcdefgh|ijklmnop|qrstuvwxyz|");
    }

    @SeededTest(runs = 10)
    void cellsAreThoseThatTheLibraryReads(RandomGenerator random) throws Exception {
        Scan scan = new Scan()
                .setReversed(random.nextBoolean())
                .setPageRows(1 + random.nextInt(9))
                .setPageBytes(1 + random.nextInt(300))
                .setLimits(new ReadLimits().setCells(1 + random.nextInt(120)).setRows(1 + random.nextInt(30)));
        bt.client.Scan same = bt.client.Scan.of(RowSet.ALL)
                .limited(bt.client.ReadLimits.NONE
                        .cells(scan.getLimits().getCells())
                        .rows(scan.getLimits().getRows()));
        List<String> expected = new ArrayList<>();
        try (CellScanner scanner =
                cluster.bigtable().table("letters").cells(scan.isReversed() ? same.reversed() : same)) {
            for (Optional<bt.model.Cell> cell = scanner.next(); cell.isPresent(); cell = scanner.next()) {
                expected.add(cell.get().value().toUtf8());
            }
        }

        assertThat(cells("letters", scan)).extracting(ReadsIT::value).isEqualTo(expected);
    }

    private static String keys(Scan scan) throws TException {
        StringBuilder keys = new StringBuilder();
        ByteBuffer token = NO_TOKEN;
        Page page;
        do {
            page = cluster.calls().scan("letters", scan, token);
            assertThat(page.getRows().size()).isLessThanOrEqualTo(scan.isSetPageRows() ? scan.getPageRows() : 1_000);
            page.getRows().forEach(row -> keys.append(new String(row.getKey(), UTF_8)));
            token = page.bufferForResumeToken();
        } while (page.isSetResumeToken());
        return keys.toString();
    }

    private static List<Cell> cells(String table, Scan scan) throws TException {
        List<Cell> cells = new ArrayList<>();
        ByteBuffer token = NO_TOKEN;
        Page page;
        do {
            page = cluster.calls().scanCells(table, scan, token);
            assertThat(page.getRows().size()).isLessThanOrEqualTo(scan.isSetPageRows() ? scan.getPageRows() : 1_000);
            page.getRows().stream().map(Row::getCells).forEach(cells::addAll);
            token = page.bufferForResumeToken();
        } while (page.isSetResumeToken());
        return cells;
    }

    private static List<String> values(Filter filter) throws TException {
        return cluster.calls().readRow("letters", text("a"), filter).getCells().stream()
                .map(ReadsIT::value)
                .toList();
    }

    private static String value(Cell cell) {
        return new String(cell.getValue(), UTF_8);
    }

    private static ColumnKey column(int number) {
        return ColumnKey.of("f", String.format("%04d", number));
    }

    private static ByteBuffer text(String text) {
        return ByteBuffer.wrap(text.getBytes(UTF_8));
    }
}
