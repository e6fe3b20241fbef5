package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.model.Bloom;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.model.FamilySchema;
import bt.model.Filter;
import bt.model.GcRule;
import bt.model.LocalityGroup;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.sstable.BlockCache;
import bt.sstable.ScanCache;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a read of one row asks of its files: blocks are counted, from the cache or not. */
class PointReadTest {
    private static final int ROWS = 1_000;
    private static final int ABSENT = 10_000;
    /** 10 bits a key let 0.9 % pass in theory, a little more for keeping each key to one cache line. */
    private static final int MOST_PASSED = ABSENT * 15 / 1000;

    private final TabletFixture fixture;

    PointReadTest() throws BigtableException {
        List<LocalityGroup> groups = List.of(
                new LocalityGroup("rows", 1 << 10, "none", false, Bloom.ROW),
                new LocalityGroup("columns", 1 << 10, "none", false, Bloom.ROW_AND_COLUMN));
        List<FamilySchema> families = List.of(
                new FamilySchema(1, "narrow", "rows", GcRule.KEEP_ALL),
                new FamilySchema(2, "wide", "columns", GcRule.KEEP_ALL),
                new FamilySchema(3, "other", "columns", GcRule.KEEP_ALL));
        fixture = new TabletFixture(new TableSchema(4, "points", 1, 4, TableSchema.Durability.SYNC, families, groups));
    }

    @Test
    void aRowThatIsNotThereCostsNoBlock() throws BigtableException {
        write();
        int passed = 0;
        for (int i = 0; i < ABSENT; i++) {
            passed += blocksOf("absent" + i, Filter.ALL) > 0 ? 1 : 0;
        }
        // The two files ask one filter each.
        assertThat(passed).isBetween(1, 2 * MOST_PASSED);
    }

    @Test
    void aColumnThatIsNotThereCostsNoBlockWhereThereIsAFilterForIt() throws BigtableException {
        write();
        int passed = 0;
        for (int i = 0; i < ABSENT; i++) {
            passed += blocksOf("row" + i % ROWS, column("wide", "absent" + i)) > 0 ? 1 : 0;
        }
        assertThat(passed).isBetween(1, MOST_PASSED);
        assertThat(blocksOf("row7", column("narrow", "absent"))).isPositive();
    }

    @Test
    void ofSeveralColumnsOneThatIsThereIsEnough() throws BigtableException {
        write();
        Filter both =
                new Filter.Columns(List.of(ColumnKey.of("wide", "absent"), ColumnKey.of("other", "q" + ROWS / 2)));
        assertThat(values("row" + ROWS / 2, both)).containsExactly("other");
        assertThat(values("row" + ROWS / 2, new Filter.Families(List.of("wide"))))
                .containsExactly("wide");
    }

    @Test
    void aDeletionInAFileOfItsOwnHidesTheColumnThatAReadNames() throws BigtableException {
        write();
        fixture.apply(RowMutation.of("row3").deleteRow().build());
        fixture.flush();
        fixture.apply(RowMutation.of("row5").deleteFamily("wide").build());
        fixture.flush();
        for (String row : List.of("row3", "row5")) {
            String qualifier = "q" + row.substring(3);
            assertThat(values(row, column("wide", qualifier))).isEmpty();
            assertThat(values(row, Filter.ALL)).doesNotContain("wide");
        }
        assertThat(values("row4", column("wide", "q4"))).containsExactly("wide");
        // Of these files nothing but their filter is asked for a row that they do not delete.
        assertThat(blocksOf("row4", column("wide", "q4")))
                .isEqualTo(blocksOf("row6", column("wide", "q6")))
                .isEqualTo(1);
    }

    @Test
    void whatIsAskedAgainIsInTheScanCacheAndCostsNoBlock() throws BigtableException {
        write();
        ScanCache scans = fixture.context.caches().users().scans();
        List<Filter> filters = List.of(Filter.ALL, column("wide", "q8"), column("wide", "absent"));
        for (Filter filter : filters) {
            List<String> first = values("row8", filter);
            assertThat(values("row8", filter)).isEqualTo(first);
            long hits = scans.hits();
            assertThat(blocksOf("row8", filter)).isZero();
            assertThat(values("row8", filter)).isEqualTo(first);
            assertThat(scans.hits()).isGreaterThanOrEqualTo(hits);
        }
        assertThat(scans.hits()).isPositive();
        assertThat(scans.bytes()).isPositive();
    }

    @Test
    void theScanCacheKnowsNothingOfWhatIsWrittenLater() throws BigtableException {
        write();
        for (int i = 0; i < 3; i++) {
            assertThat(values("row8", column("wide", "q8"))).containsExactly("wide");
        }
        fixture.apply(RowMutation.of("row8").set("wide", "q8", "newer").build());
        assertThat(values("row8", column("wide", "q8"))).containsExactly("newer", "wide");
        fixture.flush();
        for (int i = 0; i < 3; i++) {
            assertThat(values("row8", column("wide", "q8"))).containsExactly("newer", "wide");
        }
        fixture.apply(RowMutation.of("row8").deleteFamily("wide").build());
        assertThat(values("row8", column("wide", "q8"))).isEmpty();
    }

    @Test
    void aLargeScanLeavesTheBlocksOfLookUps() throws BigtableException {
        for (int i = 0; i < ROWS; i++) {
            fixture.apply(RowMutation.of("row" + i)
                    .set("narrow", "q" + i, "x".repeat(3_000))
                    .build());
        }
        fixture.flush();
        Filter narrow = new Filter.Families(List.of("narrow"));
        values("row8", narrow);
        BlockCache blocks = fixture.context.caches().users().blocks();
        assertThat(blocks.maxBytes()).isLessThan(ROWS * 3_000L / 2);
        for (int i = 0; i < 5; i++) {
            assertThat(countOfAll()).isEqualTo(ROWS);
        }
        long missed = blocks.misses();
        values("row8", narrow);
        assertThat(blocks.misses()).isEqualTo(missed);
    }

    /** Behind a row that ends a block lies another block, in which there is nothing of it. */
    @ParameterizedTest
    @ValueSource(ints = {70_000, 30_000, 1_000})
    void aRowCostsOneBlockWhereverItLies(int valueBytes) throws BigtableException {
        for (int i = 0; i < 200; i++) {
            fixture.apply(RowMutation.of(String.format("row%03d", i))
                    .set("wide", "q", "x".repeat(valueBytes))
                    .build());
        }
        fixture.flush();
        for (int i = 0; i < 200; i++) {
            String row = String.format("row%03d", i);
            for (Filter filter : List.of(Filter.ALL, column("wide", "q"))) {
                assertThat(blocksOf(row, filter)).as("%s %s", row, filter).isEqualTo(1);
            }
        }
    }

    private int countOfAll() throws BigtableException {
        int count = 0;
        Optional<Bytes> from = Optional.of(Bytes.EMPTY);
        while (from.isPresent()) {
            Page page = fixture.tablet.read(ReadSpec.of(new RowRange(from.get(), Optional.empty()), Filter.ALL));
            count += page.cells().size();
            from = page.next();
        }
        return count;
    }

    private void write() throws BigtableException {
        for (int i = 0; i < ROWS; i++) {
            fixture.apply(RowMutation.of("row" + i)
                    .set("narrow", "q" + i, "narrow")
                    .set("wide", "q" + i, "wide")
                    .set("other", "q" + i, "other")
                    .build());
        }
        fixture.flush();
        assertThat(fixture.tablet.files()).hasSize(2);
    }

    private static Filter column(String family, String qualifier) {
        return new Filter.Columns(List.of(ColumnKey.of(family, qualifier)));
    }

    /** Blocks that the read looked at, leaving aside those of the index, which lie in the tails of their files. */
    private long blocksOf(String row, Filter filter) throws BigtableException {
        long before = blocksAsked();
        values(row, filter);
        return blocksAsked() - before;
    }

    private long blocksAsked() {
        BlockCache blocks = fixture.context.caches().users().blocks();
        return blocks.hits() + blocks.misses();
    }

    private List<String> values(String row, Filter filter) throws BigtableException {
        return fixture.tablet.read(ReadSpec.of(RowRange.row(Bytes.utf8(row)), filter)).cells().stream()
                .map(Cell::value)
                .map(Bytes::toUtf8)
                .toList();
    }
}
