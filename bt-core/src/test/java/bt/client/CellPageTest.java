package bt.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.RowSet;
import bt.model.TableSchema;
import bt.protocol.PageBounds;
import bt.protocol.RowResume;
import bt.testing.MemoryCluster;
import bt.testing.MemoryCluster.Fate;
import bt.testing.SeededTest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pages of cells, of which each begins with nothing but the bytes that the one before has left. */
class CellPageTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();

    private MemoryCluster cluster;
    private Bigtable bigtable;
    private Table table;

    @BeforeEach
    void start() throws Exception {
        cluster = new MemoryCluster();
        cluster.table(4, DRAFT, List.of(Bytes.utf8("h"), Bytes.utf8("p")), 3);
        bigtable = Bigtable.over(cluster, cluster.locks, cluster.scheduler);
        table = bigtable.table("t");
    }

    @AfterEach
    void stop() {
        bigtable.close();
        cluster.close();
    }

    @SeededTest(runs = 40)
    void theyAddUpToWhatACellScannerReads(RandomGenerator random) throws Exception {
        write(random);
        cluster.fates((to, request) -> random.nextInt(6) == 0 ? Fate.ANSWER_LOST : Fate.DELIVERED);
        Scan scan = scan(random);

        assertThat(paged(scan)).isEqualTo(scanned(scan));
    }

    @Test
    void aSetOfMoreRowsThanARequestTakesIsReadToItsEnd() throws Exception {
        List<Bytes> rows = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            Bytes row = Bytes.utf8(String.format("%c%03d", 'a' + i / 20, i));
            table.apply(RowMutation.of(row).set("f", "q", "" + i).build());
            if (i % 2 == 0) {
                rows.add(row);
            }
        }
        Scan scan = Scan.of(RowSet.rows(rows));

        for (Scan either : List.of(scan, scan.reversed(), scan.pages(7, 1_000), scan.limit(220))) {
            assertThat(paged(either)).isEqualTo(scanned(either)).hasSize(either.equals(scan.limit(220)) ? 220 : 250);
        }
    }

    @Test
    void aPageOfOneByteIsOneCell() throws Exception {
        table.apply(RowMutation.of("r")
                .set(ColumnKey.of("f", "a"), 1, Bytes.utf8("x"))
                .set(ColumnKey.of("f", "b"), 1, Bytes.utf8("y"))
                .build());

        CellPage page = table.cellPage(Scan.row("r").pages(10, 1), Optional.empty());

        assertThat(page.cells()).hasSize(1);
        assertThat(page.next()).hasValueSatisfying(position -> {
            assertThat(position.isInsideRow()).isTrue();
            assertThat(position.rowHasBegun()).isTrue();
        });
    }

    @Test
    void aScanOfNothingIsOnePageOfNothing() throws Exception {
        assertThat(table.cellPage(Scan.of(RowSet.NONE), Optional.empty()))
                .isEqualTo(new CellPage(List.of(), Optional.empty()));
    }

    @Test
    void aPositionOfAnotherScanIsRejected() throws Exception {
        CellPosition position = new CellPosition(Bytes.utf8("m"), Optional.empty(), false, ReadAmount.NONE);

        assertThatThrownBy(() -> table.cellPage(Scan.of(RowRange.before(Bytes.utf8("m"))), Optional.of(position)))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("outside of this scan");
    }

    @SeededTest(runs = 500)
    void anyBytesAreAPositionOrRejected(RandomGenerator random) {
        byte[] bytes = new byte[random.nextInt(40)];
        random.nextBytes(bytes);
        try {
            assertThat(CellPosition.decode(Bytes.wrap(bytes))).isNotNull();
        } catch (RejectedException refused) {
            assertThat(refused).hasMessageContaining("none of a scan of cells");
        }
    }

    /** A token of a stranger may say anything. */
    @SeededTest(runs = 200)
    void whateverAPositionSaysWasTakenIsTakenForThat(RandomGenerator random) throws Exception {
        write(random);
        ReadAmount taken = new ReadAmount(count(random), count(random), count(random));
        CellPosition forged = new CellPosition(Bytes.utf8("a"), Optional.empty(), random.nextBoolean(), taken);
        ReadLimits limits = new ReadLimits(1 + count(random) / 2, Long.MAX_VALUE, 1 + count(random) / 2);
        Scan scan = Scan.of(RowRange.from(Bytes.utf8("a"))).limited(random.nextBoolean() ? limits : ReadLimits.NONE);

        CellPage page = table.cellPage(scan, Optional.of(CellPosition.decode(forged.encode())));

        page.next().map(CellPosition::taken).ifPresent(after -> {
            assertThat(after.rows()).isGreaterThanOrEqualTo(taken.rows());
            assertThat(after.cells()).isEqualTo(taken.cells() + page.cells().size());
        });
        assertThat(taken.plus(taken).cells()).isBetween(taken.cells(), Long.MAX_VALUE);
    }

    @Test
    void aPositionWithSomethingBehindItOrOfAnotherTruthIsRejected() throws Exception {
        byte[] encoded = new CellPosition(
                        Bytes.utf8("m"), Optional.of(new RowResume(Bytes.utf8("k"), 1, 2)), true, ReadAmount.NONE)
                .encode()
                .toArray();
        assertThat(encoded[3]).isEqualTo((byte) 1);
        byte[] longer = Arrays.copyOf(encoded, encoded.length + 1);
        byte[] other = encoded.clone();
        other[3] = 2;

        for (byte[] foreign : List.of(longer, other)) {
            assertThatThrownBy(() -> CellPosition.decode(Bytes.wrap(foreign)))
                    .isInstanceOf(RejectedException.class)
                    .hasMessageContaining("none of a scan of cells");
        }
    }

    private static long count(RandomGenerator random) {
        return random.nextBoolean() ? random.nextInt(5) : Long.MAX_VALUE - random.nextInt(5);
    }

    private void write(RandomGenerator random) throws BigtableException {
        for (int i = 0; i < 20; i++) {
            RowMutation.Builder mutation = RowMutation.of("" + (char) ('a' + random.nextInt(26)));
            for (int q = random.nextInt(6); q >= 0; q--) {
                mutation.set(ColumnKey.of("f", "q" + q), 1 + random.nextInt(3), Bytes.utf8("some value"));
            }
            table.apply(mutation.build());
        }
    }

    private static Scan scan(RandomGenerator random) {
        List<RowRange> ranges = new ArrayList<>();
        for (int i = random.nextInt(5); i >= 0; i--) {
            Bytes row = Bytes.utf8("" + (char) ('a' + random.nextInt(26)));
            ranges.add(random.nextBoolean() ? RowRange.row(row) : RowRange.from(row));
        }
        ReadLimits limits = new ReadLimits(most(random, 25), most(random, 60), most(random, 800));
        Scan scan = Scan.of(new RowSet(ranges))
                .limited(limits)
                .pages(new PageBounds(1 + random.nextInt(4), 100, 1 + random.nextInt(150)));
        Scan filtered = random.nextBoolean()
                ? scan
                : scan.filtered(new Filter.Latest(1)).cellsPerRow(3);
        return random.nextBoolean() ? filtered : filtered.reversed();
    }

    private static long most(RandomGenerator random, int bound) {
        return random.nextBoolean() ? Long.MAX_VALUE : 1 + random.nextInt(bound);
    }

    private List<Cell> paged(Scan scan) throws BigtableException {
        List<Cell> cells = new ArrayList<>();
        Optional<CellPosition> position = Optional.empty();
        do {
            CellPage page = table.cellPage(scan, position);
            cells.addAll(page.cells());
            position = page.next();
            if (position.isPresent()) {
                Bytes encoded = position.get().encode();
                assertThat(CellPosition.decode(encoded)).isEqualTo(position.get());
                position = Optional.of(CellPosition.decode(encoded));
            }
        } while (position.isPresent());
        return cells;
    }

    private List<Cell> scanned(Scan scan) throws BigtableException {
        List<Cell> cells = new ArrayList<>();
        try (CellScanner scanner = table.cells(scan)) {
            for (Optional<Cell> cell = scanner.next(); cell.isPresent(); cell = scanner.next()) {
                cells.add(cell.get());
            }
        }
        return cells;
    }
}
