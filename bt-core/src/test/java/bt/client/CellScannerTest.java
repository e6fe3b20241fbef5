package bt.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.protocol.PageBounds;
import bt.testing.MemoryCluster;
import bt.testing.MemoryCluster.Fate;
import bt.testing.SeededTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CellScannerTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();

    private MemoryCluster cluster;
    private Bigtable bigtable;
    private Table table;

    @BeforeEach
    void start() throws Exception {
        cluster = new MemoryCluster();
        cluster.table(4, DRAFT, List.of(Bytes.utf8("m")), 3);
        bigtable = Bigtable.over(cluster, cluster.locks, cluster.scheduler);
        table = bigtable.table("t");
    }

    @AfterEach
    void stop() {
        bigtable.close();
        cluster.close();
    }

    /** Half as much again as this JVM could hold at once, each page new on the heap. */
    @Test
    void aRowLargerThanMemoryIsStreamed() throws Exception {
        long pages = Runtime.getRuntime().maxMemory() / LongRow.PAGE_BYTES * 3 / 2;
        cluster.listen(MemoryCluster.address(3), new LongRow(pages));
        long bytes = 0;
        long cells = 0;
        try (CellScanner scanner = table.cells(Scan.of(RowRange.row(LongRow.ROW)))) {
            for (Optional<Cell> cell = scanner.next(); cell.isPresent(); cell = scanner.next()) {
                bytes += cell.get().value().length();
                cells++;
            }
        }
        assertThat(cells).isEqualTo(pages);
        assertThat(bytes).isGreaterThan(Runtime.getRuntime().maxMemory());
    }

    @SeededTest(runs = 20)
    void readsTheCellsOfTheRowsThatAScannerReads(RandomGenerator random) throws Exception {
        for (int i = 0; i < 20; i++) {
            RowMutation.Builder mutation = RowMutation.of("" + (char) ('a' + random.nextInt(26)));
            for (int q = random.nextInt(6); q >= 0; q--) {
                mutation.set(ColumnKey.of("f", "q" + q), 1, Bytes.utf8("some value"));
            }
            table.apply(mutation.build());
        }
        cluster.fates((to, request) -> random.nextInt(5) == 0 ? Fate.ANSWER_LOST : Fate.DELIVERED);
        Scan paged = Scan.all().limit(1 + random.nextInt(25)).pages(new PageBounds(3, 100, 1 + random.nextInt(50)));
        Scan scan = random.nextBoolean() ? paged : paged.reversed();
        List<Cell> expected = new ArrayList<>();
        try (Scanner scanner = table.scan(scan)) {
            for (var row = scanner.next(); row.isPresent(); row = scanner.next()) {
                expected.addAll(row.get().cells());
            }
        }
        assertThat(read(scan)).isEqualTo(expected);
        int most = 1 + random.nextInt(expected.size());
        assertThat(read(scan.limited(ReadLimits.NONE.cells(most)))).isEqualTo(expected.subList(0, most));
    }

    @Test
    void aRowThatACompactionOvertookIsRefusedOnceAndGoesOn() throws Exception {
        LongRow row = new LongRow(3);
        cluster.listen(MemoryCluster.address(3), row);
        try (CellScanner scanner =
                table.cells(Scan.of(RowRange.row(LongRow.ROW)).limited(ReadLimits.NONE.cells(10)))) {
            assertThat(scanner.next()).isPresent();
            row.overtake();
            assertThatThrownBy(scanner::next).isInstanceOf(RejectedException.class);
            assertThat(scanner.next()).isPresent();
            assertThat(scanner.next()).isPresent();
            assertThat(scanner.next()).isEmpty();
        }
    }

    private List<Cell> read(Scan scan) throws BigtableException {
        List<Cell> cells = new ArrayList<>();
        try (CellScanner scanner = table.cells(scan)) {
            for (Optional<Cell> cell = scanner.next(); cell.isPresent(); cell = scanner.next()) {
                cells.add(cell.get());
            }
        }
        return cells;
    }
}
