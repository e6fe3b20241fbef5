package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.model.Bloom;
import bt.model.CellKey;
import bt.model.ColumnKey;
import bt.model.FamilySchema;
import bt.model.Filter;
import bt.model.FilterText;
import bt.model.GcRule;
import bt.model.LocalityGroup;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.record.FileReference;
import bt.record.SSTableProperties;
import bt.sstable.BlockCache;
import bt.sstable.Cursor;
import bt.sstable.SSTable;
import bt.sstable.SSTableOptions;
import bt.sstable.SSTableWriter;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a filter cannot let pass is not read: blocks, rows and cells that a read looks at are counted. */
class PruningTest {
    private static final int ROWS = 1_000;
    private static final int WIDE = 2_000;

    private final TabletFixture fixture;

    PruningTest() throws BigtableException {
        List<LocalityGroup> groups = List.of(
                new LocalityGroup("pages", 1 << 10, "none", false, Bloom.ROW),
                new LocalityGroup("links", 1 << 10, "none", false, Bloom.ROW));
        List<FamilySchema> families = List.of(
                new FamilySchema(1, "contents", "pages", GcRule.KEEP_ALL),
                new FamilySchema(2, "anchor", "links", GcRule.KEEP_ALL));
        fixture = new TabletFixture(new TableSchema(4, "web", 1, 3, TableSchema.Durability.SYNC, families, groups));
    }

    @BeforeEach
    void write() throws BigtableException {
        for (int i = 0; i < ROWS; i++) {
            fixture.apply(RowMutation.of(row(i))
                    .set(ColumnKey.of("contents", ""), 1, Bytes.utf8("page " + i))
                    .set(ColumnKey.of("anchor", "a"), 1, Bytes.utf8("link " + i))
                    .build());
        }
        RowMutation.Builder wide = RowMutation.of("wide");
        for (int i = 0; i < WIDE; i++) {
            wide.set(ColumnKey.of("anchor", String.format("q%04d", i)), 1, Bytes.utf8("link"));
        }
        fixture.apply(wide.build());
        for (int version = 0; version < WIDE; version++) {
            fixture.apply(RowMutation.of("zold")
                    .set(ColumnKey.of("contents", ""), version, Bytes.utf8("v" + version))
                    .build());
        }
        fixture.flush();
    }

    @Test
    void aFixedBeginningOfARegularExpressionIsARangeOfRows() throws BigtableException {
        Read read = read("row~'row00[0-4].'");
        assertThat(read.rowsSeen).isEqualTo(100);
        assertThat(read.cells).isEqualTo(100);
        assertThat(read.blocks).isLessThan(all().blocks / 5);
        assertThat(read("row~'.*00[0-4].'").rowsSeen).isEqualTo(ROWS + 2);
    }

    @Test
    void rowsAreReadOneByOneHoweverTheyAreNamed() throws BigtableException {
        Read read = read("row=row0007 | (family=anchor | keys) & row=row0500 | row in [row0998,row0999]");
        assertThat(read.rowsSeen).isEqualTo(4);
        assertThat(read.cells).isEqualTo(8);
        assertThat(read.blocks).isLessThan(20);
        assertThat(read("row=absent").rowsSeen).isZero();
        assertThat(read("first(1) & row=row0007").rowsSeen)
                .as("a row is a row whatever is counted")
                .isEqualTo(1);
    }

    @Test
    void whatLiesInNoRangeIsNotAskedForInTheNextTabletEither() throws BigtableException {
        Page page = fixture.tablet.read(ReadSpec.of(RowRange.ALL, FilterText.parse("none")));
        assertThat(page.next()).isEmpty();
        assertThat(read("none").blocks).isZero();
    }

    @Test
    void onlyTheLocalityGroupsOfFamiliesThatMayPassAreRead() throws BigtableException {
        long pages = read("family=contents").blocks;
        long links = read("family=anchor").blocks;
        assertThat(pages).isPositive();
        assertThat(links).isPositive();
        assertThat(read("all").blocks).isEqualTo(pages + links);
        for (String filter : List.of(
                "family~'c.*' & value~'p.*'",
                "family in [b,d) | column=contents:''",
                "family=anchor & family=contents | family=contents",
                "family=contents & first(100000)")) {
            assertThat(read(filter).blocks).as(filter).isEqualTo(pages);
        }
        assertThat(read("if(row=row0001, family=contents, family=contents & keys)").blocks)
                .as("and what the predicate is asked about")
                .isBetween(pages, pages + 2);
        assertThat(read("first(100000) & family=contents").blocks)
                .as("the first of the row are counted in all families")
                .isEqualTo(pages + links);
        assertThat(read("family=anchor | value~'page.*'").blocks).isEqualTo(pages + links);
    }

    @Test
    void whatIsNegatedIsNotReadWhereItIsARange() throws BigtableException {
        long pages = read("family=contents").blocks;
        for (String filter : List.of(
                "not family=anchor", "not family~'a.*'", "not family in [a,b)", "not (family=anchor | value=x)")) {
            assertThat(read(filter).blocks).as(filter).isEqualTo(pages);
        }
        Read columns = read("row=wide & not qualifier in [q0010,) & not column=anchor:q0003");
        assertThat(columns.cells).isEqualTo(9);
        assertThat(columns.cellsSeen).isEqualTo(9);
        Read rows = read("not row in [row0005,zold)");
        assertThat(rows.rowsSeen).isEqualTo(6);
        Read newest = read("row=zold & not time in [,1989]");
        assertThat(newest.cells).isEqualTo(10);
        assertThat(newest.cellsSeen).isEqualTo(11);
        assertThat(read("not time in [0,]").blocks).isZero();
        assertThat(read("not time in [,5000]").blocks).isZero();
        assertThat(read("not time in [5,1000]").cells).isEqualTo(2 * ROWS + 2 * WIDE - 996);
    }

    @Test
    void ofAWideRowOnlyTheColumnsThatMayPassAreLookedAt() throws BigtableException {
        for (String filter : List.of(
                "qualifier in [q0500,q0510)",
                "qualifier~'q050.'",
                "qualifier in [q0500,q0505) | qualifier~'q050[5-9]'")) {
            Read read = read("row=wide & (" + filter + ")");
            assertThat(read.cells).as(filter).isEqualTo(10);
            assertThat(read.cellsSeen).as(filter).isEqualTo(10);
            assertThat(read.blocks).as(filter).isLessThan(20);
        }
        assertThat(read("row=wide & first(3)").cellsSeen)
                .as("the rest of the row")
                .isEqualTo(4);
    }

    @Test
    void ofAColumnOnlyTheVersionsThatMayPassAreLookedAt() throws BigtableException {
        assertThat(read("row=zold & latest(2)").cellsSeen).isEqualTo(3);
        Read newest = read("row=zold & time in [1990,]");
        assertThat(newest.cells).isEqualTo(10);
        assertThat(newest.cellsSeen).isEqualTo(11);
        assertThat(newest.blocks).isLessThan(20);
    }

    @Test
    void filesWithoutAVersionOfTheTimesThatMayPassAreNotRead() throws BigtableException {
        ColumnKey late = ColumnKey.of("contents", "late");
        for (int i = 0; i < ROWS; i++) {
            fixture.apply(
                    RowMutation.of(row(i)).set(late, 1_000_000 + i, Bytes.EMPTY).build());
        }
        fixture.flush();
        long both = read("family=contents").blocks;
        Read early = read("family=contents & time in [,5000]");
        Read newest = read("family=contents & time in [1000000,]");
        assertThat(early.cells).isEqualTo(ROWS + WIDE);
        assertThat(newest.cells).isEqualTo(ROWS);
        assertThat(early.blocks).isLessThan(both);
        assertThat(newest.blocks).isLessThan(both);
        assertThat(read("time in [6000,7000]").blocks).isZero();
        assertThat(read("time in [6000,7000] | if(row=row0001, none, time in [7000,8000])").blocks)
                .as("what the predicate is asked about")
                .isLessThan(4L * (ROWS + 2));
        assertThat(read("family=contents & latest(1) & time in [1000000,]").blocks)
                .as("the latest are counted first")
                .isGreaterThan(newest.blocks);
        assertThat(read("family=contents & first(9) & time in [1000000,]").blocks)
                .as("and so are the first")
                .isGreaterThan(newest.blocks);
    }

    /** As programs wrote them that knew no such properties; whether both are missing or one, nothing is known. */
    @ParameterizedTest
    @CsvSource({"false, false", "true, false", "false, true"})
    void aFileThatDoesNotTellItsTimesIsReadWhateverTheTimes(boolean tellsSmallest, boolean tellsLargest)
            throws BigtableException {
        String late = "family=contents & time in [6000,7000]";
        String early = "family=contents & time in [,-1]";
        assertThat(read(late).blocks + read(early).blocks).isZero();
        for (FileReference file : fixture.tablet.files()) {
            rewrite(file.getPath(), tellsSmallest, tellsLargest);
        }
        fixture.reopen();
        assertThat(fixture.tablet
                        .read(ReadSpec.of(RowRange.ALL, FilterText.parse("row=row0000")))
                        .cells())
                .hasSize(2);
        assertThat(read(late).blocks).isPositive();
        assertThat(read(early).blocks).isPositive();
        assertThat(read("family=contents & time in [,0]").cells).isEqualTo(1);
        assertThat(read("family=contents & time in [1990,]").cells).isEqualTo(10);
    }

    /** The file again, with the same entries and properties but for its times. */
    private void rewrite(String path, boolean tellsSmallest, boolean tellsLargest) throws BigtableException {
        SSTableOptions options = new SSTableOptions(1 << 10, "none", 10, CellKey::rowPrefixLength);
        String copy = path + "-copy";
        try (SSTable table = SSTable.open(
                fixture.files, path, fixture.context.caches().users().blocks())) {
            SSTableWriter writer = SSTableWriter.create(fixture.files, copy, options);
            for (Cursor cells = table.cursor(); cells.next(); ) {
                writer.add(cells.key(), cells.value());
            }
            SSTableProperties.Builder told = SSTableProperties.newBuilder(table.properties());
            if (!tellsSmallest) {
                told.setSmallestTimestamp(null);
            }
            if (!tellsLargest) {
                told.setLargestTimestamp(null);
            }
            writer.finish(told);
        }
        fixture.files.delete(path);
        fixture.files.rename(copy, path);
    }

    /** It is in a file of no version that the read wants. */
    @Test
    void aFileThatHidesSomethingIsReadWhateverTheTimes() throws BigtableException {
        fixture.apply(RowMutation.of("zold")
                .deleteVersions(ColumnKey.of("contents", ""), 0, 1_500)
                .build());
        fixture.flush();
        assertThat(read("row=zold & time in [1400,1600]").cells).isEqualTo(100);
        fixture.apply(RowMutation.of("zold").deleteRow().build());
        fixture.flush();
        assertThat(read("row=zold & time in [1400,1600]").cells).isZero();
    }

    private record Read(long blocks, long rowsSeen, long cellsSeen, long cells) {}

    private Read all() throws BigtableException {
        return read("all");
    }

    private Read read(String text) throws BigtableException {
        Filter filter = FilterText.parse(text);
        BlockCache blocks = fixture.context.caches().users().blocks();
        long before = blocks.hits() + blocks.misses();
        long rowsSeen = 0;
        long cellsSeen = 0;
        long cells = 0;
        Optional<Bytes> from = Optional.of(Bytes.EMPTY);
        Optional<Resume> resume = Optional.empty();
        while (from.isPresent()) {
            RowRange rest = new RowRange(from.get(), Optional.empty());
            Page page = fixture.tablet.read(new ReadSpec(rest, filter, PageLimits.DEFAULT, resume));
            rowsSeen += page.rowsSeen();
            cellsSeen += page.cellsSeen();
            cells += page.cells().size();
            from = page.next();
            resume = page.resume();
        }
        return new Read(blocks.hits() + blocks.misses() - before, rowsSeen, cellsSeen, cells);
    }

    private static String row(int number) {
        return String.format("row%04d", number);
    }
}
