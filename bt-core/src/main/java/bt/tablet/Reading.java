package bt.tablet;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.model.CellKey;
import bt.model.RowRange;
import bt.sstable.Access;
import bt.sstable.Cursor;
import bt.sstable.FilterHash;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** One read at work on one view: the files that it needs stay open until it is closed. One thread. */
final class Reading implements AutoCloseable {
    private final TabletView view;
    private final Projection projection;
    private final List<TabletFile> files;

    private Reading(TabletView view, Projection projection, List<TabletFile> files) {
        this.view = view;
        this.projection = projection;
        this.files = files;
    }

    /** Empty when a file of the view is closed already, which means that there is a newer view. */
    static Optional<Reading> begin(TabletView view, Projection projection) {
        Reading reading =
                new Reading(view, projection, new ArrayList<>(view.files().size()));
        for (TabletFile file : view.files()) {
            if (file.holdsAnyOf(projection)) {
                if (!file.use()) {
                    reading.close();
                    return Optional.empty();
                }
                reading.files.add(file);
            }
        }
        return Optional.of(reading);
    }

    /** Reads of what was before this sequence would miss what compactions have dropped. */
    long oldestReadable() {
        return view.oldestReadable();
    }

    List<Memtable> memtables() {
        return view.memtables();
    }

    /** The visible versions of the rows. */
    VersionFilter versions(RowRange rows, ReadPoint readPoint) throws BigtableException {
        return new VersionFilter(changes(rows), view.schema(), projection, readPoint);
    }

    /** The visible versions of one row, from the beginning of this key's column on. */
    VersionFilter versionsFrom(CellKey key, ReadPoint readPoint) throws BigtableException {
        Projection rest = projection.from(key.family(), key.qualifier().orElse(Bytes.EMPTY), view.schema());
        return new VersionFilter(changes(RowRange.row(key.row())), view.schema(), rest, readPoint);
    }

    /** All changes of the rows, merged: what no wanted family is in may be missing. */
    private Cursor changes(RowRange rows) throws BigtableException {
        List<Cursor> runs = new ArrayList<>(2 + 2 * files.size());
        if (!projection.isEmpty()) {
            addMemtables(runs);
        }
        Optional<PointRead> point = PointRead.of(rows, projection);
        if (point.isPresent()) {
            for (TabletFile file : files) {
                point.get().addRuns(file, runs);
            }
            return ClippedCursor.ofRow(MergingCursor.of(runs), point.get().prefix());
        }
        for (TabletFile file : files) {
            runs.add(file.cells(Access.SCAN));
            runs.add(file.deletions(Access.SCAN));
        }
        return new ClippedCursor(MergingCursor.of(runs), rows, Optional.empty());
    }

    /** One that is empty now has nothing that this read may see: its read point is older. */
    private void addMemtables(List<Cursor> runs) {
        if (!view.active().isEmpty()) {
            runs.add(view.active().cursor());
        }
        for (Memtable memtable : view.frozen()) {
            runs.add(memtable.cursor());
        }
    }

    /** The highest sequence of the row in the files if it is above {@code known}, else that. */
    long newestOnDisk(Bytes row, long known) throws BigtableException {
        long newest = known;
        FilterHash rowHash = FilterHash.of(CellKey.rowPrefix(row));
        List<TabletFile> newestFirst = files.stream()
                .sorted(Comparator.comparingLong(TabletFile::largestSequence).reversed())
                .toList();
        for (TabletFile file : newestFirst) {
            if (file.largestSequence() > newest && file.mayContain(row, rowHash)) {
                Cursor changes = new ClippedCursor(
                        MergingCursor.of(List.of(file.cells(Access.LOOK_UP), file.deletions(Access.LOOK_UP))),
                        RowRange.row(row),
                        Optional.empty());
                while (changes.next()) {
                    newest = Math.max(newest, CellKey.sequenceOf(changes.key()));
                }
            }
        }
        return newest;
    }

    @Override
    public void close() {
        files.forEach(TabletFile::release);
    }
}
