package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.RowMutation;
import bt.model.RowSet;
import bt.model.RowWalk;
import bt.script.ScriptBudget;
import bt.sstable.ReadWork;
import bt.testing.SuffixScripts;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a client gives back of a page that ended inside a row: any bytes lead on through that row to its end, over no more
 * pages than it has changes, or are REJECTED. The first byte says how the row is read, the second at which of its pages.
 */
class HaltFuzzTest {
    private static final Bytes ROW = Bytes.utf8("r");
    private static final List<String> FAMILIES = List.of("one", "all", "young", "both");

    /** One cell a page, or what the tablet looks at before it tires. */
    private static final PageLimits LIMITS = new PageLimits(9, 100, 1);

    private static final int WORK_BYTES = 300;
    private static final int STEPS_A_PAGE = 200;

    private static final List<Filter> FILTERS = List.of(
            Filter.ALL,
            new Filter.Chain(List.of(new Filter.Latest(2), new Filter.First(9))),
            new Filter.Interleave(List.of(new Filter.SkipLatest(1), new Filter.SkipFirst(5))),
            new Filter.Condition(new Filter.Latest(1), new Filter.SkipLatest(1), new Filter.First(2)),
            new Filter.Columns(List.of(ColumnKey.of("one", "many"), ColumnKey.of("both", "single"))),
            new Filter.Script("suffix", "value ends with", Bytes.utf8("7")));

    private final TabletFixture fixture;

    /** Of each filter upwards, then of each downwards: where its pages ended inside the row. */
    private final List<List<Place>> places = new ArrayList<>();

    private int changes;

    HaltFuzzTest() throws BigtableException {
        fixture = new TabletFixture(
                RandomTable.schema(4),
                new TabletConfig(1 << 20, WORK_BYTES, 2, ScriptBudget.DEFAULT),
                List.of(new SuffixScripts()));
        for (String family : FAMILIES) {
            write(family);
        }
        fixture.flush();
        for (String family : FAMILIES) {
            write(family);
        }
        for (boolean reversed : new boolean[] {false, true}) {
            for (Filter filter : FILTERS) {
                places.add(placesOf(filter, reversed));
            }
        }
    }

    /** The page that ended there, and what it left to read. */
    private record Place(Filter filter, RowWalk rest, Resume resume) {
        Place with(Bytes afterKey, Bytes met) {
            return new Place(
                    filter, rest, new Resume(afterKey, resume.sequence(), resume.nowMicros(), resume.counted(), met));
        }
    }

    /** Versions, overwritten and deleted one by one and in ranges; what the whole column, or family, was emptied of. */
    private void write(String family) throws BigtableException {
        ColumnKey many = ColumnKey.of(family, "many");
        ColumnKey single = ColumnKey.of(family, "single");
        for (int i = 0; i < 9; i++) {
            long timestamp = RandomTable.EPOCH - i % 5;
            apply(RowMutation.of(ROW).set(many, timestamp, Bytes.utf8("many" + i)));
            apply(RowMutation.of(ROW).set(ColumnKey.of(family, "each" + i), 5, Bytes.utf8("each" + i)));
            apply(RowMutation.of(ROW).deleteVersions(many, timestamp - i, timestamp));
        }
        apply(RowMutation.of(ROW).set(single, 5, Bytes.utf8("single")));
        apply(RowMutation.of(ROW).deleteColumn(single));
        if (family.equals("young")) {
            apply(RowMutation.of(ROW).deleteFamily(family));
        }
        apply(RowMutation.of(ROW).set(single, 6, Bytes.utf8("single7")));
    }

    private void apply(RowMutation.Builder mutation) throws BigtableException {
        fixture.apply(mutation.build());
        changes++;
    }

    private List<Place> placesOf(Filter filter, boolean reversed) throws BigtableException {
        List<Place> found = new ArrayList<>();
        RowWalk rest = new RowWalk(RowSet.ALL, reversed);
        Page page = read(filter, rest, Optional.empty());
        while (page.resume().isPresent()) {
            rest = rest.from(page.next().orElseThrow());
            found.add(new Place(filter, rest, page.resume().get()));
            page = read(filter, rest, page.resume());
        }
        assertThat(found).as("pages that end inside the row").hasSizeGreaterThan(1);
        return found;
    }

    private Page read(Filter filter, RowWalk rest, Optional<Resume> resume) throws BigtableException {
        return fixture.tablet.read(new ReadSpec(rest, filter, LIMITS, resume, Shown.ALL));
    }

    @FuzzTest
    void anyBytesAsWhatWasMet(byte[] bytes) throws BigtableException {
        if (bytes.length >= 2) {
            Place place = place(bytes);
            goOn(place.with(place.resume.afterKey(), rest(bytes)));
        }
    }

    @FuzzTest
    void anyBytesAsTheKeyToGoOnAfter(byte[] bytes) throws BigtableException {
        if (bytes.length >= 2) {
            Place place = place(bytes);
            goOn(place.with(rest(bytes), place.resume.met()));
            goOn(place.with(rest(bytes), Bytes.EMPTY));
        }
    }

    private Place place(byte[] bytes) {
        List<Place> some = places.get((bytes[0] & 0xff) % places.size());
        return some.get((bytes[1] & 0xff) % some.size());
    }

    private static Bytes rest(byte[] bytes) {
        return Bytes.copyOf(bytes, 2, bytes.length - 2);
    }

    private void goOn(Place forged) throws BigtableException {
        RowWalk rest = forged.rest;
        Optional<Resume> resume = Optional.of(forged.resume);
        ReadWork work = ReadWork.ofThread();
        try {
            for (int pages = 0; resume.isPresent(); pages++) {
                assertThat(pages).as("pages").isLessThanOrEqualTo(changes);
                work.begin(ReadWork.Terms.NONE, Long.MAX_VALUE);
                Page page = read(forged.filter, rest, resume);
                assertThat(Long.MAX_VALUE - work.left())
                        .as("steps of page %d", pages)
                        .isLessThan(STEPS_A_PAGE);
                assertThat(page.cells()).allMatch(cell -> cell.row().equals(ROW));
                rest = page.next().map(rest::from).orElse(RowWalk.NONE);
                resume = page.resume();
            }
        } catch (RejectedException refused) {
            // One of the two things that may happen.
        } finally {
            work.end();
        }
    }
}
