package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.Output;
import bt.base.RejectedException;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.FilterText;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.RowSet;
import bt.model.RowWalk;
import bt.script.ScriptBudget;
import bt.sstable.ReadWork;
import bt.testing.SeededTest;
import bt.testing.SuffixScripts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PageTest {
    private static final Filter KEEP_1 = new Filter.Script("suffix", "value ends with", Bytes.utf8("1"));

    private final SuffixScripts engine = new SuffixScripts();
    private final TabletFixture fixture;

    PageTest() throws BigtableException {
        fixture = new TabletFixture(
                RandomTable.schema(4), new TabletConfig(1 << 20, 5000, 2, ScriptBudget.DEFAULT), List.of(engine));
    }

    @Test
    void theScriptSeesEveryVisibleCellAndThePageCountsThem() throws BigtableException {
        write("a", 3, 1);
        write("b", 2, 1);

        Page page = read(RowRange.ALL, KEEP_1, PageLimits.DEFAULT, Optional.empty());

        assertThat(values(page)).containsExactly("1", "1");
        assertThat(page.rowsSeen()).isEqualTo(2);
        assertThat(page.cellsSeen()).isEqualTo(5);
        assertThat(page.next()).isEmpty();
    }

    @Test
    void aScriptIsCompiledOnceAndTheOnesUsedLastAreKept() throws BigtableException {
        for (String source : List.of("a", "a", "b", "a", "c", "a", "b")) {
            read(RowRange.ALL, new Filter.Script("suffix", source, Bytes.EMPTY), PageLimits.DEFAULT, Optional.empty());
        }

        assertThat(engine.compiled()).containsExactly("a", "b", "c", "b");
    }

    /** Else a scan of what was deleted would take as long as there is, and begin anew when its time is over. */
    @Test
    void aPageEndsWhenItHasPassedTooMuchThatIsHidden() throws BigtableException {
        for (int i = 0; i < 1_000; i++) {
            String row = String.format("row%04d", i);
            fixture.apply(RowMutation.of(row).set("all", "q", "gone").build());
            fixture.apply(RowMutation.of(row).deleteRow().build());
        }
        write("z", 1, 1);
        int pages = 0;
        List<String> found = new ArrayList<>();
        Optional<Bytes> from = Optional.of(Bytes.EMPTY);
        Optional<Resume> resume = Optional.empty();
        while (from.isPresent()) {
            Page page = read(new RowRange(from.get(), Optional.empty()), Filter.ALL, PageLimits.DEFAULT, resume);
            resume = page.resume();
            found.addAll(values(page));
            from = page.next();
            pages++;
        }
        assertThat(found).hasSize(1);
        // 2,000 changes of 80 bytes or so, of which a page looks at 5,000 and a row more.
        assertThat(pages).isBetween(20, 60);
    }

    /** A page looks at 5,000 bytes: without an expression at 40 cells or so. */
    @ParameterizedTest
    @ValueSource(strings = {"value~'([^x]*a?){100}b'", "if(value~'([^x]*a?){100}b', none, value~'([^x]*a?){100}b')"})
    void stepsOfRegularExpressionsCountAsBytesThatAPageLooksAt(String text) throws BigtableException {
        for (int row = 10; row < 30; row++) {
            write("r" + row, 1, 100);
        }
        write("s", 20, 100);
        RowWalk rest = new RowWalk(RowSet.ALL, false);
        Optional<Resume> resume = Optional.empty();
        int pages = 0;
        long cellsSeen = 0;
        while (!rest.isEmpty()) {
            Page page = fixture.tablet.read(
                    new ReadSpec(rest, FilterText.parse(text), PageLimits.DEFAULT, resume, Shown.ALL));
            // Of some 1,000 steps for each of 100 bytes.
            assertThat(page.cellsSeen()).isLessThan(3);
            cellsSeen += page.cellsSeen();
            rest = page.next().map(rest::from).orElse(RowWalk.NONE);
            resume = page.resume();
            pages++;
        }
        assertThat(cellsSeen).isEqualTo(40);
        // One ends inside of each row, the next one behind it.
        assertThat(pages).isBetween(40, 65);
    }

    /** Each of 100 rows, or of one row's 100 cells, costs ten milliseconds of a script or a disk; each page may take 100. */
    @ParameterizedTest
    @CsvSource({"100, 1, false", "100, 1, true", "1, 100, false", "1, 100, true"})
    void aPageThatTakesLongEndsWhereItIsAndTheNextGoesOn(int rows, int cells, boolean reversed)
            throws BigtableException {
        for (int row = 0; row < rows; row++) {
            write("r%03d".formatted(row), cells, 1);
        }
        engine.before(() -> fixture.clock.set(fixture.clock.micros() + 10_000));
        RowWalk rest = new RowWalk(RowSet.ALL, reversed);
        Optional<Resume> resume = Optional.empty();
        ReadWork work = ReadWork.ofThread();
        int found = 0;
        int pages = 0;
        while (!rest.isEmpty()) {
            long begunMicros = fixture.clock.micros();
            work.begin(clocked(fixture.clock), Long.MAX_VALUE);
            work.endAfter(100_000_000);
            Page page = fixture.tablet.read(new ReadSpec(
                    rest, new Filter.Script("suffix", "any", Bytes.EMPTY), PageLimits.DEFAULT, resume, Shown.ALL));
            // It is looked at after each sixteenth.
            assertThat(fixture.clock.micros() - begunMicros).isLessThanOrEqualTo(170_000);
            assertThat(pages).as("pages that get on").isLessThan(100);
            found += page.cells().size();
            rest = page.next().map(rest::from).orElse(RowWalk.NONE);
            resume = page.resume();
            pages++;
        }
        work.end();
        assertThat(found).isEqualTo(100);
        assertThat(pages).isBetween(6, 10);
    }

    private static ReadWork.Terms clocked(Clock clock) {
        return new ReadWork.Terms() {
            @Override
            public long nanos() {
                return clock.nanos();
            }
        };
    }

    /** Of thousands of rows by their keys each may have to be read from a disk. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPageOfManyRowsByTheirKeysEndsWhenItIsOverdue(boolean reversed) throws BigtableException {
        List<Bytes> asked = new ArrayList<>();
        for (int row = 0; row < 1_000; row++) {
            asked.add(Bytes.utf8("r%03d".formatted(row)));
        }
        write("r500", 1, 1);
        long[] nanos = {0};
        ReadWork.Terms terms = new ReadWork.Terms() {
            @Override
            public long more() {
                // Each row takes a step at least: it has waited for ten milliseconds.
                nanos[0] += 10_000_000;
                return 0;
            }

            @Override
            public long nanos() {
                return nanos[0];
            }
        };
        RowWalk rest = new RowWalk(RowSet.rows(asked), reversed);
        ReadWork work = ReadWork.ofThread();
        int found = 0;
        int pages = 0;
        while (!rest.isEmpty()) {
            long begun = nanos[0];
            work.begin(terms, 0);
            work.endAfter(1_000_000_000);
            Page page = fixture.tablet.read(
                    new ReadSpec(rest, Filter.ALL, PageLimits.DEFAULT, Optional.empty(), Shown.ALL));
            assertThat(nanos[0] - begun).isLessThan(1_100_000_000);
            assertThat(pages).as("pages that get on").isLessThan(100);
            found += page.cells().size();
            rest = page.next().map(rest::from).orElse(RowWalk.NONE);
            pages++;
        }
        work.end();
        assertThat(found).isEqualTo(1);
        assertThat(pages).isBetween(9, 11);
    }

    /** Rows of very many cells of which none is seen, in columns of one and of many versions, deleted or filtered out. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPageEndsInsideARowOfWhichNothingIsSeen(boolean reversed) throws BigtableException {
        for (String row : List.of("a", "m", "z")) {
            writeUnseen(row);
        }
        fixture.flush();
        writeUnseen("m");
        RowWalk rest = new RowWalk(RowSet.ALL, reversed);
        Optional<Resume> resume = Optional.empty();
        List<String> found = new ArrayList<>();
        int pages = 0;
        long rowsSeen = 0;
        ReadWork work = ReadWork.ofThread();
        while (!rest.isEmpty()) {
            work.begin(ReadWork.Terms.NONE, Long.MAX_VALUE);
            Page page = fixture.tablet.read(new ReadSpec(rest, KEEP_1, PageLimits.DEFAULT, resume, Shown.ALL));
            // A change costs 80 bytes or so, of which a page looks at 5,000, twice where it is between seen and unseen.
            assertThat(Long.MAX_VALUE - work.left())
                    .as("steps of page %d", pages)
                    .isLessThan(200);
            page.cells()
                    .forEach(
                            cell -> found.add(cell.row().toUtf8() + cell.value().toUtf8()));
            rest = page.next().map(rest::from).orElse(RowWalk.NONE);
            resume = page.resume();
            rowsSeen += page.rowsSeen();
            pages++;
        }
        work.end();
        assertThat(found).containsExactlyElementsOf(reversed ? List.of("z1", "m1", "a1") : List.of("a1", "m1", "z1"));
        assertThat(rowsSeen).isEqualTo(3);
        assertThat(pages).isGreaterThan(100);
    }

    /** It comes back from a client. */
    @SeededTest(runs = 300)
    void anyBytesAsWhatWasMetAreReadOrRejected(RandomGenerator random) throws BigtableException {
        for (int i = 0; i < 20; i++) {
            fixture.apply(RowMutation.of("a")
                    .set(ColumnKey.of("one", "q"), i, Bytes.utf8("v".repeat(300)))
                    .deleteVersion(ColumnKey.of("one", "q"), i - 3)
                    .build());
        }
        Filter filter = new Filter.Chain(List.of(new Filter.Latest(3), new Filter.First(9), Filter.ALL));
        RowRange row = RowRange.row(Bytes.utf8("a"));
        Resume resume = read(row, filter, new PageLimits(9, 100, 1), Optional.empty())
                .resume()
                .orElseThrow();
        byte[] met = resume.met().toArray();
        met[random.nextInt(met.length)] = (byte) random.nextInt();
        Bytes damaged = Bytes.copyOf(met, 0, 1 + random.nextInt(met.length));
        try {
            read(row, filter, PageLimits.DEFAULT, Optional.of(with(resume, damaged)));
        } catch (RejectedException refused) {
            assertThat(refused).hasMessageContaining("a cannot go on inside it");
        }
    }

    /** A request may be of many megabytes, and in memory this is many times as much. */
    @Test
    void moreThanAPageHasForTheNextOneIsRejected() throws BigtableException {
        write("a", 9, 400);
        RowRange row = RowRange.row(Bytes.utf8("a"));
        Resume resume = read(row, Filter.ALL, new PageLimits(9, 100, 1), Optional.empty())
                .resume()
                .orElseThrow();

        assertThat(read(row, Filter.ALL, PageLimits.DEFAULT, Optional.of(with(resume, metDeletions(1_000))))
                        .cells())
                .hasSize(8);
        assertThatThrownBy(() ->
                        read(row, Filter.ALL, PageLimits.DEFAULT, Optional.of(with(resume, metDeletions(40_000)))))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("a cannot go on inside it")
                .hasRootCauseMessage("what the last page met at 2: more than a page has for the next one");
    }

    private static Resume with(Resume resume, Bytes met) {
        return new Resume(resume.afterKey(), resume.sequence(), resume.nowMicros(), resume.counted(), met);
    }

    /** In a column that has shown a version, of a family that keeps all. */
    private static Bytes metDeletions(int ofVersions) {
        Output out = new Output().u8(1).bytes(Bytes.EMPTY);
        out.varint(0).varint(0).varint(0).varint(ofVersions);
        for (int i = 0; i < ofVersions; i++) {
            out.varint(0).signedVarint(1);
        }
        return out.u8(1).u8(1).u64(5).toBytes();
    }

    private void writeUnseen(String row) throws BigtableException {
        for (int i = 0; i < 1_000; i++) {
            ColumnKey single = ColumnKey.of("all", "single" + i);
            ColumnKey many = ColumnKey.of("all", "many");
            fixture.apply(RowMutation.of(row)
                    .set(ColumnKey.of("all", "filtered out"), i, Bytes.utf8("0"))
                    .set(single, 5, Bytes.utf8("gone"))
                    .set(many, i, Bytes.utf8("gone"))
                    .build());
            fixture.apply(RowMutation.of(row)
                    .deleteColumn(single)
                    .deleteVersion(many, i)
                    .build());
        }
        fixture.apply(RowMutation.of(row)
                .set(ColumnKey.of("all", "the last"), 5, Bytes.utf8("1"))
                .build());
    }

    @Test
    void anUnknownEngineIsRejectedWithTheKnownOnes() {
        assertThatThrownBy(() -> read(
                        RowRange.ALL, new Filter.Script("perl", "", Bytes.EMPTY), PageLimits.DEFAULT, Optional.empty()))
                .isInstanceOf(RejectedException.class)
                .hasMessage("no script engine perl here: there is suffix: name one that is there,"
                        + " or have it put on the class path of the servers");
    }

    @Test
    void aPageEndsWithTheRowThatReachesItsBounds() throws BigtableException {
        for (String row : List.of("a", "b", "c")) {
            write(row, 3, 1);
        }

        assertThat(read(RowRange.ALL, Filter.ALL, new PageLimits(2, 100, 10_000), Optional.empty())
                        .next())
                .contains(Bytes.utf8("c"));
        assertThat(read(RowRange.ALL, Filter.ALL, new PageLimits(9, 1, 10_000), Optional.empty())
                        .next())
                .contains(Bytes.utf8("b"));
        assertThat(read(RowRange.ALL, Filter.ALL, new PageLimits(9, 4, 10_000), Optional.empty())
                        .next())
                .contains(Bytes.utf8("c"));
        assertThat(read(RowRange.ALL, Filter.ALL, new PageLimits(9, 100, 150), Optional.empty())
                        .next())
                .contains(Bytes.utf8("c"));
    }

    @Test
    void aRowThatAloneIsTooLargeBeginsAPageAndEndsInLaterOnes() throws BigtableException {
        write("a", 1, 1);
        write("b", 9, 400);
        write("c", 1, 1);
        PageLimits limits = new PageLimits(9, 100, 1000);

        Page first = read(RowRange.ALL, Filter.ALL, limits, Optional.empty());
        assertThat(first.next()).contains(Bytes.utf8("b"));
        assertThat(first.resume()).isEmpty();
        assertThat(values(first)).hasSize(1);
        assertThat(first.cellsSeen()).isEqualTo(1);

        List<String> ofB = new ArrayList<>();
        Optional<Resume> resume = Optional.empty();
        Page page;
        int pages = 0;
        long rowsSeen = 0;
        long cellsSeen = 0;
        do {
            page = read(RowRange.from(Bytes.utf8("b")), Filter.ALL, limits, resume);
            resume = page.resume();
            ofB.addAll(values(page));
            rowsSeen += page.rowsSeen();
            cellsSeen += page.cellsSeen();
            pages++;
        } while (resume.isPresent());
        assertThat(ofB).hasSize(9).doesNotHaveDuplicates();
        assertThat(pages).isEqualTo(4);
        assertThat(rowsSeen).as("rows seen, by all pages of one row").isEqualTo(1);
        assertThat(cellsSeen).isEqualTo(9);
        assertThat(page.next()).contains(Bytes.utf8("b").successor());
    }

    @Test
    void aFilterThatKeepsNothingStillEndsThePage() throws BigtableException {
        Filter nothing = new Filter.Script("suffix", "none", Bytes.utf8("nowhere"));
        for (int row = 10; row < 30; row++) {
            write("r" + row, 2, 500);
        }

        Page page = read(RowRange.ALL, nothing, PageLimits.DEFAULT, Optional.empty());

        assertThat(page.cells()).isEmpty();
        assertThat(page.rowsSeen()).isEqualTo(5);
        assertThat(page.next()).contains(Bytes.utf8("r15"));
    }

    /** Cells 1 to count, each a column of its own, with values that end with the number. */
    private void write(String row, int count, int bytes) throws BigtableException {
        RowMutation.Builder mutation = RowMutation.of(row);
        for (int i = 1; i <= count; i++) {
            mutation.set(ColumnKey.of("all", "q" + i), 5, Bytes.utf8("0".repeat(bytes - 1) + i));
        }
        fixture.apply(mutation.build());
    }

    private Page read(RowRange range, Filter filter, PageLimits limits, Optional<Resume> resume)
            throws BigtableException {
        return fixture.tablet.read(new ReadSpec(range, filter, limits, resume));
    }

    private static List<String> values(Page page) {
        return page.cells().stream().map(Cell::value).map(Bytes::toUtf8).toList();
    }
}
