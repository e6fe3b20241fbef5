package bt.tablet;

import static bt.base.BigtableException.Outcome.NOT_APPLIED;

import bt.base.BigtableException;
import bt.base.ByteRanges;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.model.CellKey;
import bt.model.RowRange;
import bt.model.RowWalk;
import java.util.Optional;

/** Pages of a tablet's rows: each is read from one view, at one read point. Any thread. */
final class TabletReads {
    /** A row that goes over pages is begun again when it has taken so long: ages are judged by the time of its first page. */
    static final long MAX_RESUME_MICROS = 600_000_000L;

    private final Tablet tablet;
    private final TabletContext context;

    TabletReads(Tablet tablet, TabletContext context) {
        this.tablet = tablet;
        this.context = context;
    }

    Effort effort() {
        return new Effort(context.clock());
    }

    Page page(ReadSpec spec, Optional<Effort> effort) throws BigtableException {
        Bytes first = spec.walk().next();
        if (!tablet.range().contains(first)) {
            throw new UnavailableException(tablet.subject() + " does not hold row " + first.brief(), NOT_APPLIED);
        }
        while (true) {
            // The read point before the view: what it covers is in every later view, while a view taken first could
            // miss what was written to the next memtable.
            long visible = tablet.readPoint();
            try (Reading reading = tablet.begin(spec.filter(), spec.shown())) {
                if (visible >= reading.oldestReadable()) {
                    return spec.resume().isPresent()
                            ? resumeRow(reading, spec, visible, effort)
                            : readRows(reading, spec, visible, effort);
                }
                // A compaction was installed in between, of changes that the read point does not cover: it does now.
            }
        }
    }

    private Page readRows(Reading reading, ReadSpec spec, long visible, Optional<Effort> effort)
            throws BigtableException {
        reading.upTo(visible).at(context.clock().micros());
        PageFilter filter = PageFilter.of(spec, tablet, context, effort);
        PageReader page = page(reading, spec);
        ByteRanges shape = FilterShape.rows(spec.filter());
        RowWalk wanted = spec.walk().within(shape);
        RowWalk here = wanted.within(tablet.range());
        RangeReader ranges = new RangeReader(reading, filter, page);
        for (RowRange range : here.ranges()) {
            Optional<Page> ended = ranges.read(range, here.reversed());
            if (ended.isPresent()) {
                count(page.lookedAtBytes() + filter.probedBytes(), ended, spec, effort);
                return ended.get();
            }
        }
        count(page.lookedAtBytes() + filter.probedBytes(), Optional.empty(), spec, effort);
        return page.whole(next(wanted.beyond(tablet.range())));
    }

    private static Optional<Bytes> next(RowWalk rest) {
        return rest.isEmpty() ? Optional.empty() : Optional.of(rest.edge());
    }

    /** Only what is left of the row: the rows after it are read at a read point of their own, by the page that follows. */
    private Page resumeRow(Reading reading, ReadSpec spec, long visible, Optional<Effort> effort)
            throws BigtableException {
        Resume resume = spec.resume().orElseThrow();
        Bytes row = spec.walk().next();
        CellKey after = resume.decodeAfterKey(row);
        long nowMicros = resume.isOfLatest() ? context.clock().micros() : resume.nowMicros();
        if (isForgotten(resume, reading.oldestReadable())) {
            throw new RejectedException(
                    "table " + tablet.schema().name() + " row " + row.brief() + ": what it held at sequence "
                            + resume.sequence() + " may be gone",
                    "read the row again from its beginning");
        }
        PageFilter filter = PageFilter.of(spec, tablet, context, effort);
        filter.resume(row, resume.counted());
        VersionFilter versions =
                reading.upTo(Math.min(visible, resume.sequence())).at(nowMicros).versionsFrom(after);
        PageReader page = page(reading, spec);
        Optional<Page> ended = page.goOn(filter.begin(versions), row, resume);
        count(page.lookedAtBytes() + filter.probedBytes(), ended, spec, effort);
        return ended.isPresent() ? ended.get() : page.whole(next(spec.walk().after(row)));
    }

    private void count(long bytes, Optional<Page> ended, ReadSpec spec, Optional<Effort> effort)
            throws RejectedException {
        if (effort.isPresent()) {
            effort.get().add(bytes, ended.isEmpty(), spec, tablet);
        }
    }

    /** Whether what the row's first page saw may be gone, or is too long ago. */
    boolean isForgotten(Resume resume, long oldestReadable) {
        return resume.sequence() < oldestReadable
                || (!resume.isOfLatest() && context.clock().micros() - resume.nowMicros() > MAX_RESUME_MICROS);
    }

    private PageReader page(Reading reading, ReadSpec spec) {
        return reading.page(
                spec.limits(), context.config().workBytesPerPage(), spec.walk().reversed());
    }
}
