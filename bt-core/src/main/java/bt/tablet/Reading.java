package bt.tablet;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.model.CellKey;
import bt.model.RowRange;
import bt.sstable.Access;
import bt.sstable.Cursor;
import bt.sstable.ReadWork;
import bt.sstable.SpareCursors;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One read at work on one view: the files that it needs stay open until it is closed. One thread, whose next read has the
 * same object: what a read works with is a few dozen objects, more than most reads find. Between two reads it holds no
 * file, no block and no memtable.
 */
final class Reading implements AutoCloseable {
    private static final ThreadLocal<Reading> OF_THREAD = ThreadLocal.withInitial(Reading::new);

    private final List<TabletFile> files = new ArrayList<>();
    private final List<Cursor> runs = new ArrayList<>();
    private final List<MemtableCursor> memtableCursors = new ArrayList<>();
    private final SpareCursors spares = new SpareCursors();
    private final MergingCursor merged = new MergingCursor();
    private final PointRead point = new PointRead(spares);
    private final VersionFilter versions = new VersionFilter();
    private final PageReader pages = new PageReader(versions);
    /** Made once, for every read asks for it. */
    private final Optional<Reading> self = Optional.of(this);

    private @Nullable TabletView view;
    private Projection projection = Projection.EVERY;
    private int memtablesRead;

    private Reading() {}

    /** Empty when a file of the view is closed already, which means that there is a newer view. */
    static Optional<Reading> begin(TabletView view, Projection projection, TimeSpan times) {
        Reading reading = OF_THREAD.get();
        if (reading.view != null) {
            // A read within a read, as of a script, has one of its own.
            return new Reading().open(view, projection, times);
        }
        ReadWork.ofThread().letGo();
        return reading.open(view, projection, times);
    }

    private Optional<Reading> open(TabletView opened, Projection wanted, TimeSpan times) {
        view = opened;
        projection = wanted;
        for (int i = 0; i < opened.files().size(); i++) {
            TabletFile file = opened.files().get(i);
            if (file.holdsAnyOf(wanted) && file.matters(times, opened.schema())) {
                if (!file.use()) {
                    close();
                    return Optional.empty();
                }
                files.add(file);
            }
        }
        return self;
    }

    TabletView view() {
        TabletView opened = view;
        if (opened == null) {
            throw new IllegalStateException("a reading that is closed");
        }
        return opened;
    }

    /** Reads of what was before this sequence would miss what compactions have dropped. */
    long oldestReadable() {
        return view().oldestReadable();
    }

    /** How the bytes of all files lie along the rows. */
    RowWeights weights() throws BigtableException {
        RowWeights weights = new RowWeights();
        for (TabletFile file : files) {
            weights.addAll(file.weights());
        }
        return weights;
    }

    List<Memtable> memtables() {
        return view().memtables();
    }

    /** What is above this sequence is not seen. */
    Reading upTo(long sequence) {
        versions.seeUpTo(sequence);
        return this;
    }

    /** Ages are judged by this time. */
    Reading at(long nowMicros) {
        versions.judgeAgesAt(nowMicros);
        return this;
    }

    /** The visible versions of the rows. One such walk at a time. */
    VersionFilter versions(RowRange rows) throws BigtableException {
        return versions(rows, projection);
    }

    /** The rows of a range from the last to the first. One such walk at a time, and no other. */
    RowsDownwards downwards(RowRange rows) {
        leaveRuns();
        if (!projection.isEmpty()) {
            addMemtables();
            addFiles(Access.REVERSED_SCAN);
        }
        return new RowsDownwards(rows, mergedRuns());
    }

    /** The visible versions of a row that a walk downwards stands at. */
    VersionFilter versionsAt(Bytes row, RowsDownwards rows) {
        return versions.begin(rows.changes(), view().schema(), projection).ofRow(row, CellKey.rowPrefix(row));
    }

    /** The visible versions of one row, from the beginning of this key's column on. */
    VersionFilter versionsFrom(CellKey key) throws BigtableException {
        Projection rest = projection.from(key.family(), key.qualifier().orElse(Bytes.EMPTY), view().schema());
        return versions(RowRange.row(key.row()), rest);
    }

    /** For a page of what a walk upwards, or downwards, comes by. */
    PageReader page(PageLimits limits, long workBytes, boolean downwards) {
        return pages.begin(limits, workBytes, downwards);
    }

    /** Of all changes of the rows, merged: what no wanted family is in may be missing. */
    private VersionFilter versions(RowRange rows, Projection wanted) throws BigtableException {
        leaveRuns();
        if (!wanted.isEmpty()) {
            addMemtables();
        }
        return !rows.start().isEmpty() && rows.isOneRow()
                ? versionsOf(rows.start(), wanted)
                : versionsAmong(rows, wanted);
    }

    private VersionFilter versionsOf(Bytes row, Projection wanted) throws BigtableException {
        point.begin(row, wanted);
        for (int i = 0; i < files.size(); i++) {
            point.addRuns(files.get(i), runs);
        }
        versions.begin(mergedRuns(), view().schema(), wanted);
        // Where nothing has to be read there is no need to know where.
        return runs.isEmpty() ? versions : versions.ofRow(row, point.prefix());
    }

    private VersionFilter versionsAmong(RowRange rows, Projection wanted) {
        addFiles(Access.SCAN);
        return versions.begin(new ClippedCursor(mergedRuns(), rows, Optional.empty()), view().schema(), wanted);
    }

    private void addFiles(Access access) {
        for (TabletFile file : files) {
            runs.add(file.cells(access));
            // Most have none, and one run needs no merging.
            if (file.hasDeletions()) {
                runs.add(file.deletions(access));
            }
        }
    }

    private Cursor mergedRuns() {
        return runs.size() == 1 ? runs.get(0) : merged.enter(runs);
    }

    /** One that is empty now has nothing that this read may see: its read point is older. */
    private void addMemtables() {
        addMemtable(view().active());
        for (int i = 0; i < view().frozen().size(); i++) {
            addMemtable(view().frozen().get(i));
        }
    }

    private void addMemtable(Memtable memtable) {
        if (memtable.isEmpty()) {
            return;
        }
        if (memtablesRead == memtableCursors.size()) {
            memtableCursors.add(new MemtableCursor());
        }
        ReadWork.ofThread().countMemtable();
        runs.add(memtable.cursor(memtableCursors.get(memtablesRead++)));
    }

    /** By their references: even a filter may have to be read. */
    boolean mayHaveChangedOnDisk(long since, Bytes row) {
        for (TabletFile file : files) {
            if (file.largestSequence() > since && file.shows(row)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() {
        // First: whatever fails below, the next read of this thread may use the object again.
        view = null;
        try {
            for (int i = 0; i < files.size(); i++) {
                files.get(i).release();
            }
        } finally {
            files.clear();
            letGo();
        }
    }

    /** Those of the walk before, if there was one. */
    private void leaveRuns() {
        runs.clear();
        merged.enter(runs);
        while (memtablesRead > 0) {
            memtableCursors.get(--memtablesRead).leave();
        }
        spares.takeBack();
    }

    private void letGo() {
        leaveRuns();
        point.end();
        versions.end();
        pages.end();
        projection = Projection.EVERY;
    }
}
