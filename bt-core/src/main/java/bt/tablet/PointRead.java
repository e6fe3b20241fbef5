package bt.tablet;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.model.CellKey;
import bt.model.RowRange;
import bt.sstable.Access;
import bt.sstable.Cursor;
import bt.sstable.FilterHash;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A read of one row: what it asks of the filters and caches of its files, hashed once for all of them. One thread. */
final class PointRead {
    /** From so many columns on it is one look-up of the row that finds them all. */
    private static final int MAX_LOOK_UPS = 4;

    private final Bytes row;
    private final Projection projection;
    private final Target wholeRow;
    private final List<Target> justRow;
    /** By family; made where columns are named. */
    private @Nullable Map<Integer, List<Target>> columns;

    private PointRead(Bytes row, Projection projection) {
        this.row = row;
        this.projection = projection;
        this.wholeRow = Target.of(CellKey.rowPrefix(row));
        this.justRow = List.of(wholeRow);
    }

    /** Empty when the rows may be several. */
    static Optional<PointRead> of(RowRange rows, Projection projection) {
        return !rows.start().isEmpty() && rows.isOneRow()
                ? Optional.of(new PointRead(rows.start(), projection))
                : Optional.empty();
    }

    /** What all keys of the row begin with. */
    Bytes prefix() {
        return wholeRow.prefix;
    }

    /** Adds the runs of the file in which something of what is wanted may be. */
    void addRuns(TabletFile file, List<Cursor> runs) throws BigtableException {
        if (!file.mayContain(row, wholeRow.hash)) {
            return;
        }
        // First, and by the row alone: the filter by row and column knows nothing of what deletes the whole row.
        if (file.mayDelete(wholeRow.hash)) {
            runs.add(file.deletions(Access.LOOK_UP));
        }
        for (Target target : targetsIn(file)) {
            runs.add(file.cellsOf(target.prefix, target.hash));
        }
    }

    /** Where the file may have cells that are wanted. */
    private List<Target> targetsIn(TabletFile file) {
        if (projection.isEvery()) {
            return justRow;
        }
        List<Target> targets = new ArrayList<>();
        for (int family : file.families()) {
            if (projection.wants(family)) {
                Optional<Iterable<Bytes>> named = projection.named(family);
                if (named.isEmpty()) {
                    return justRow;
                }
                for (Target column : columns(family, named.get())) {
                    if (file.mayContainColumn(column.hash)) {
                        targets.add(column);
                    }
                }
            }
        }
        return targets.size() > MAX_LOOK_UPS ? justRow : targets;
    }

    private List<Target> columns(int family, Iterable<Bytes> qualifiers) {
        Map<Integer, List<Target>> begun = columns;
        if (begun == null) {
            begun = new HashMap<>();
            columns = begun;
        }
        return begun.computeIfAbsent(family, id -> targets(id, qualifiers));
    }

    private List<Target> targets(int family, Iterable<Bytes> qualifiers) {
        List<Target> targets = new ArrayList<>(1);
        for (Bytes qualifier : qualifiers) {
            targets.add(Target.of(CellKey.columnPrefix(row, family, qualifier)));
        }
        return targets;
    }

    /** What the keys of a row, or of a column, begin with, and the hash that filters and caches know it by. */
    private record Target(Bytes prefix, FilterHash hash) {
        static Target of(Bytes prefix) {
            return new Target(prefix, FilterHash.of(prefix));
        }
    }
}
