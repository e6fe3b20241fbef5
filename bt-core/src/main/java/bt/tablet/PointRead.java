package bt.tablet;

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

/** A read of one row: what it asks of the Bloom filters of its files, hashed once for all of them. One thread. */
final class PointRead {
    private final Bytes row;
    private final Projection projection;
    private final FilterHash rowHash;
    private final Map<Integer, List<FilterHash>> columnHashes = new HashMap<>();

    private PointRead(Bytes row, Projection projection) {
        this.row = row;
        this.projection = projection;
        this.rowHash = FilterHash.of(CellKey.rowPrefix(row));
    }

    /** Empty when the rows may be several. */
    static Optional<PointRead> of(RowRange rows, Projection projection) {
        boolean oneRow = !rows.start().isEmpty()
                && rows.end().equals(Optional.of(rows.start().successor()));
        return oneRow ? Optional.of(new PointRead(rows.start(), projection)) : Optional.empty();
    }

    /** Adds the runs of the file in which something of what is wanted may be. */
    void addRuns(TabletFile file, List<Cursor> runs) {
        if (!file.mayContain(row, rowHash)) {
            return;
        }
        // First, and by the row alone: the filter by row and column knows nothing of what deletes the whole row.
        if (file.mayDelete(rowHash)) {
            runs.add(file.deletions(Access.LOOK_UP));
        }
        if (mayContainColumn(file)) {
            runs.add(file.cells(Access.LOOK_UP));
        }
    }

    private boolean mayContainColumn(TabletFile file) {
        for (int family : file.families()) {
            if (projection.wants(family)) {
                Optional<Iterable<Bytes>> named = projection.named(family);
                if (named.isEmpty()) {
                    return true;
                }
                List<FilterHash> hashes = columnHashes.computeIfAbsent(family, id -> hashes(id, named.get()));
                if (hashes.stream().anyMatch(file::mayContainColumn)) {
                    return true;
                }
            }
        }
        return false;
    }

    private List<FilterHash> hashes(int family, Iterable<Bytes> qualifiers) {
        List<FilterHash> hashes = new ArrayList<>();
        for (Bytes qualifier : qualifiers) {
            hashes.add(FilterHash.of(CellKey.columnPrefix(row, family, qualifier)));
        }
        return hashes;
    }
}
