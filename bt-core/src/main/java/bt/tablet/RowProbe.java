package bt.tablet;

import static bt.base.BigtableException.Outcome.NOT_APPLIED;

import bt.base.BigtableException;
import bt.base.ByteRanges;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.model.Filter;
import bt.model.RowRange;

/**
 * Puts the predicates of a filter's conditions to whole rows, as they are at the page's read point and time. Of one page;
 * one thread.
 */
final class RowProbe {
    /** Of one row: it is looked at again with every page that it goes over. */
    static final long MAX_BYTES = 256L << 20;

    /** What the look at a row costs beside what is found, so that a page does not go over too many. */
    private static final long OVERHEAD_BYTES = 2 << 10;

    private final Tablet tablet;
    private final TabletContext context;
    private final Shown shown;
    private final RegexWork regexWork;
    private long sequence;
    private long nowMicros;
    private long workBytes;

    /** Conditions ask about what the page is shown, and nothing else. */
    RowProbe(Tablet tablet, TabletContext context, Shown shown, RegexWork regexWork) {
        this.tablet = tablet;
        this.context = context;
        this.shown = shown;
        this.regexWork = regexWork;
    }

    /** Before the first question. */
    void begin(VersionFilter page) {
        sequence = page.readSequence();
        nowMicros = page.nowMicros();
    }

    /** How much it has looked at so far. */
    long workBytes() {
        return workBytes;
    }

    /** That of the page, or of all pages of an effort, inside conditions and outside. */
    RegexWork regexWork() {
        return regexWork;
    }

    /** Whether the predicate lets a cell of the row pass. */
    Question<Bytes> asking(Filter predicate) throws RejectedException {
        PageFilter filter = PageFilter.of(predicate, context, this);
        ByteRanges rows = FilterShape.rows(predicate);
        return row -> rows.contains(row) && holds(predicate, filter, row);
    }

    private boolean holds(Filter predicate, PageFilter filter, Bytes row) throws BigtableException {
        try (Reading reading = tablet.begin(predicate, shown)) {
            if (sequence < reading.oldestReadable()) {
                throw new UnavailableException(
                        "table " + tablet.schema().name() + " row " + row.brief()
                                + " was compacted while it was read: read it again",
                        NOT_APPLIED);
            }
            return anyPasses(reading.upTo(sequence).at(nowMicros).versions(RowRange.row(row)), filter);
        }
    }

    private boolean anyPasses(VersionFilter versions, PageFilter filter) throws BigtableException {
        Candidate cell = new Candidate(versions);
        workBytes += OVERHEAD_BYTES;
        long before = workBytes;
        for (boolean more = versions.first(); more; more = versions.next()) {
            workBytes += versions.key().length() + versions.value().length();
            if (workBytes - before > MAX_BYTES) {
                throw new RejectedException(
                        "table " + tablet.schema().name() + " row "
                                + versions.row().brief() + ": a condition has looked at " + (workBytes - before)
                                + " bytes of it",
                        "name families or columns in the condition");
            }
            Verdict verdict = filter.judge(cell.begin());
            if (verdict == Verdict.KEEP) {
                return true;
            }
            versions.skip(verdict);
        }
        return false;
    }
}
