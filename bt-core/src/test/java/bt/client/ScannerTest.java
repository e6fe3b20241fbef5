package bt.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.UnavailableException;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.FilterText;
import bt.model.GcRule;
import bt.model.Row;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.RowSet;
import bt.model.TableSchema;
import bt.protocol.PageBounds;
import bt.protocol.Request;
import bt.testing.MemoryCluster;
import bt.testing.MemoryCluster.Fate;
import bt.testing.SeededTest;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ScannerTest {
    private static final TableSchema DRAFT = TableSchema.draft("t")
            .family("f", GcRule.KEEP_ALL)
            .family("g", GcRule.KEEP_ALL)
            .build();

    private MemoryCluster cluster;
    private Bigtable bigtable;
    private Table table;

    @BeforeEach
    void start() throws Exception {
        cluster = new MemoryCluster();
        cluster.table(4, DRAFT, List.of(Bytes.utf8("f"), Bytes.utf8("m")), 3);
        bigtable = Bigtable.over(cluster, cluster.locks, cluster.scheduler);
        table = bigtable.table("t");
    }

    @AfterEach
    void stop() {
        bigtable.close();
        cluster.close();
    }

    @Test
    void rowsAndCellsAreGoneThroughByALoopAndAStream() throws Exception {
        for (String row : List.of("a", "b", "n")) {
            write(row, 2);
        }
        List<Bytes> looped = new ArrayList<>();
        try (Scanner rows = table.scan(Scan.all())) {
            for (Row row : rows) {
                looped.add(row.key());
            }
            assertThat(rows.iterator().hasNext()).isFalse();
        }
        assertThat(looped).extracting(Bytes::toUtf8).containsExactly("a", "b", "n");
        Scanner rows = table.scan(Scan.all());
        try (Stream<Row> streamed = rows.stream()) {
            assertThat(streamed.map(row -> row.key().toUtf8()).limit(2)).containsExactly("a", "b");
        }
        assertThat(rows.next()).as("closed with its stream").isEmpty();
        int cells = 0;
        try (CellScanner all = table.cells(Scan.prefix(Bytes.utf8("b")))) {
            for (Cell cell : all) {
                assertThat(cell.row()).isEqualTo(Bytes.utf8("b"));
                cells++;
            }
        }
        assertThat(cells).isEqualTo(2);
        assertThat(table.cells(Scan.all()).stream()).hasSize(6);
    }

    @Test
    void aLoopThatFailedGoesOnWhereItStood() throws Exception {
        write("a", 1);
        Iterator<Row> rows =
                table.scan(Scan.of(RowRange.before(Bytes.utf8("f")))).iterator();
        Thread.currentThread().interrupt();
        assertThatThrownBy(rows::next)
                .isInstanceOf(UncheckedIOException.class)
                .hasCauseInstanceOf(UnavailableException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(rows.next().key()).isEqualTo(Bytes.utf8("a"));
        assertThatThrownBy(rows::next).isInstanceOf(NoSuchElementException.class);
    }

    /** Whatever the pages, the direction, the limits and the losses, and with rows larger than a page. */
    @SeededTest(runs = 60)
    void readsWhatASortedMapReads(RandomGenerator random) throws Exception {
        NavigableMap<Bytes, Integer> model = new TreeMap<>();
        for (int i = 0; i < 60; i++) {
            String row = row(random);
            write(row, i % 7 + 1);
            model.merge(Bytes.utf8(row), i % 7 + 1, Math::max);
        }
        cluster.fates((to, request) -> random.nextInt(5) == 0 ? Fate.ANSWER_LOST : Fate.DELIVERED);
        List<RowRange> ranges = new ArrayList<>();
        for (int i = random.nextInt(4) * random.nextInt(10); i >= 0; i--) {
            ranges.add(range(random));
        }
        RowSet rows = new RowSet(ranges);
        Scan scan = Scan.of(rows)
                .pages(new PageBounds(1 + random.nextInt(5), 1 + random.nextInt(20), 1 + random.nextInt(100)));
        boolean reversed = random.nextBoolean();
        int limit = random.nextBoolean() ? 1 + random.nextInt(20) : Integer.MAX_VALUE;

        List<Bytes> expected = (reversed ? model.descendingMap() : model)
                .keySet().stream().filter(rows::contains).limit(limit).toList();
        List<Row> read = read((reversed ? scan.reversed() : scan).limit(limit));
        assertThat(read).extracting(Row::key).isEqualTo(expected);
        assertThat(read).allMatch(row -> row.cells().size() == model.getOrDefault(row.key(), 0));
    }

    @Test
    void anInterruptionIsNoticedThoughTheNextPageIsThereAlready() throws Exception {
        write("a", 1);
        write("b", 1);
        try (Scanner scanner = table.scan(Scan.all().pages(1, 1 << 20))) {
            assertThat(scanner.next()).isPresent();
            Thread.currentThread().interrupt();
            assertThatThrownBy(scanner::next)
                    .isInstanceOf(UnavailableException.class)
                    .hasMessageContaining("interrupted");
            assertThat(Thread.interrupted()).isTrue();
            assertThat(scanner.next()).isPresent();
        }
    }

    /** Six requests for three tablets would be one each with what it takes to find them. */
    @Test
    void rowsOfOneTabletAreAskedForTogether() throws Exception {
        List<Bytes> rows = new ArrayList<>();
        for (char c = 'a'; c <= 'z'; c++) {
            write("" + c, 1);
            rows.add(Bytes.utf8("" + c));
            rows.add(Bytes.utf8(c + "-missing"));
        }
        // Where the tablets are is known from here on.
        assertThat(read(Scan.all())).hasSize(26);
        AtomicInteger scans = new AtomicInteger();
        cluster.fates((to, request) -> {
            scans.addAndGet(request instanceof Request.Scan ? 1 : 0);
            return Fate.DELIVERED;
        });
        assertThat(read(Scan.of(RowSet.rows(rows)))).hasSize(26);
        assertThat(scans.get()).isEqualTo(3);
    }

    @Test
    void rangesMayIncludeAndExcludeTheirEnds() throws Exception {
        for (String row : List.of("a", "b", "c", "d")) {
            write(row, 1);
        }
        Bytes b = Bytes.utf8("b");
        Bytes c = Bytes.utf8("c");
        assertThat(keys(RowRange.closed(b, c))).containsExactly("b", "c");
        assertThat(keys(RowRange.of(b, c))).containsExactly("b");
        assertThat(keys(RowRange.after(b))).containsExactly("c", "d");
        assertThat(keys(RowRange.before(b))).containsExactly("a");
        assertThat(keys(RowRange.upTo(b))).containsExactly("a", "b");
        assertThat(keys(RowRange.after(b).intersect(RowRange.upTo(c)))).containsExactly("c");
    }

    @Test
    void aReadEndsWithTheRowThatReachesALimit() throws Exception {
        for (String row : List.of("a", "b", "c")) {
            write(row, 3);
        }
        assertThat(read(Scan.all().limited(ReadLimits.NONE.cells(3)))).hasSize(1);
        assertThat(read(Scan.all().limited(ReadLimits.NONE.cells(4)))).hasSize(2);
        long bytesOfARow = read(Scan.row("a")).get(0).cells().stream()
                .mapToLong(cell -> cell.bytes())
                .sum();
        assertThat(read(Scan.all().limited(ReadLimits.NONE.bytes(bytesOfARow)))).hasSize(1);
        assertThat(read(Scan.all().limited(ReadLimits.NONE.bytes(bytesOfARow + 1))))
                .hasSize(2);
        assertThatThrownBy(() -> Scan.all().limit(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void cellsOfARowVersionsAndATimeAreLimitsToo() throws Exception {
        ColumnKey q = ColumnKey.of("f", "q");
        table.apply(RowMutation.of("r")
                .set(q, 10, Bytes.utf8("ten"))
                .set(q, 20, Bytes.utf8("twenty"))
                .set(q, 30, Bytes.utf8("thirty"))
                .set(ColumnKey.of("f", "z"), 15, Bytes.utf8("z"))
                .build());
        assertThat(values(Scan.row("r").versions(2))).containsExactly("thirty", "twenty", "z");
        assertThat(values(Scan.row("r").cellsPerRow(1))).containsExactly("thirty");
        assertThat(values(Scan.row("r").asOf(20))).containsExactly("twenty", "z");
        assertThat(values(Scan.row("r").asOf(14))).containsExactly("ten");
        assertThat(values(Scan.row("r").asOf(9))).isEmpty();
        assertThat(values(Scan.row("r").filtered(new Filter.Columns(List.of(q))).asOf(29)))
                .containsExactly("twenty");
        assertThat(values(Scan.row("r").versions(2).asOf(29))).containsExactly("twenty", "ten", "z");
        assertThat(values(Scan.row("r").asOf(29).versions(2))).containsExactly("twenty", "ten", "z");
        assertThat(values(Scan.row("r").cellsPerRow(2).asOf(29))).containsExactly("twenty", "z");
        assertThat(values(Scan.row("r").filtered(new Filter.First(1)).asOf(14))).containsExactly("ten");
    }

    @Test
    void whatIsSaidOfCellsAddsUp() throws Exception {
        ColumnKey q = ColumnKey.of("f", "q");
        table.apply(RowMutation.of("r")
                .set(q, 10, Bytes.utf8("ten"))
                .set(q, 20, Bytes.utf8("twenty"))
                .set("g", "q", "other")
                .build());
        Filter ten = FilterText.parse("value=ten");
        assertThat(values(Scan.row("r").asOf(15).family("f"))).containsExactly("ten");
        assertThat(values(Scan.row("r").versions(1).filtered(ten))).containsExactly("ten");
        assertThat(values(Scan.row("r").filtered(ten).family("g"))).isEmpty();
        assertThat(values(Scan.row("r").family("f").filtered(ten))).containsExactly("ten");
        assertThat(values(Scan.row("r").family("f").family("g"))).isEmpty();
        assertThat(values(Scan.row("r").families("f", "g").versions(1))).containsExactly("twenty", "other");
        assertThat(values(Scan.row("r").versions(2).versions(1).family("f"))).containsExactly("twenty");
        assertThatThrownBy(() -> Scan.row("r").versions(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void nothingIsReadOfNoRows() throws Exception {
        write("a", 1);
        assertThat(read(Scan.of(RowSet.NONE))).isEmpty();
        assertThat(read(Scan.of(RowRange.of(Bytes.utf8("b"), Bytes.utf8("b"))).reversed()))
                .isEmpty();
    }

    private List<Row> read(Scan scan) throws BigtableException {
        List<Row> rows = new ArrayList<>();
        try (Scanner scanner = table.scan(scan)) {
            for (Optional<Row> row = scanner.next(); row.isPresent(); row = scanner.next()) {
                rows.add(row.get());
            }
        }
        return rows;
    }

    private List<String> keys(RowRange range) throws BigtableException {
        return read(Scan.of(range)).stream().map(row -> row.key().toUtf8()).toList();
    }

    private List<String> values(Scan scan) throws BigtableException {
        return read(scan).stream()
                .flatMap(row -> row.cells().stream())
                .map(cell -> cell.value().toUtf8())
                .toList();
    }

    private void write(String row, int cells) throws BigtableException {
        RowMutation.Builder mutation = RowMutation.of(row);
        for (int q = 0; q < cells; q++) {
            mutation.set(ColumnKey.of("f", "q" + q), 1, Bytes.utf8("some value"));
        }
        table.apply(mutation.build());
    }

    private static String row(RandomGenerator random) {
        return "" + (char) ('a' + random.nextInt(26)) + random.nextInt(10);
    }

    private static RowRange range(RandomGenerator random) {
        Bytes one = Bytes.utf8(row(random));
        Bytes other = Bytes.utf8(row(random));
        return switch (random.nextInt(5)) {
            case 0 -> RowRange.row(one);
            case 1 -> RowRange.from(one);
            case 2 -> RowRange.before(one);
            case 3 -> RowRange.prefix(one.slice(0, 1));
            default -> RowRange.of(one, other);
        };
    }
}
