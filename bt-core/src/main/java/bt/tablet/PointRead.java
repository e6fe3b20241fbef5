package bt.tablet;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Output;
import bt.model.CellKey;
import bt.sstable.Cursor;
import bt.sstable.FilterHash;
import bt.sstable.SpareCursors;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads of one row, one after the other: what such a read asks of the filters and caches of its files, hashed once for all
 * of them. One thread.
 */
final class PointRead {
    /** From so many columns on it is one look-up of the row that finds them all. */
    private static final int MAX_LOOK_UPS = 4;

    /** Of longer rows the array is not kept. */
    private static final int MAX_KEPT_BYTES = 4 << 10;

    private static final FilterHash NO_HASH = new FilterHash(0);

    private final SpareCursors cursors;
    private Output encoded = new Output(64);
    private Bytes row = Bytes.EMPTY;
    private Projection projection = Projection.EVERY;
    private FilterHash hash = NO_HASH;
    /** Made when a file or a memtable may have something of the row. */
    private @Nullable Bytes prefix;
    /** By family; made where columns are named. */
    private @Nullable Map<Integer, List<Column>> columns;

    PointRead(SpareCursors cursors) {
        this.cursors = cursors;
    }

    void begin(Bytes ofRow, Projection wanted) {
        row = ofRow;
        projection = wanted;
        prefix = null;
        columns = null;
        encoded.clear();
        CellKey.rowPrefix(ofRow, encoded);
        hash = FilterHash.ofFirst(encoded.array(), encoded.size());
    }

    void end() {
        row = Bytes.EMPTY;
        projection = Projection.EVERY;
        prefix = null;
        columns = null;
        if (encoded.array().length > MAX_KEPT_BYTES) {
            encoded = new Output(64);
        }
    }

    /** What all keys of the row begin with. */
    Bytes prefix() {
        Bytes made = prefix;
        if (made == null) {
            made = encoded.toBytes();
            prefix = made;
        }
        return made;
    }

    /** Adds the runs of the file in which something of what is wanted may be. */
    void addRuns(TabletFile file, List<Cursor> runs) throws BigtableException {
        if (!file.mayContain(row, hash)) {
            return;
        }
        // First, and by the row alone: the filter by row and column knows nothing of what deletes the whole row.
        if (file.mayDelete(hash)) {
            runs.add(file.deletions(prefix(), cursors));
        }
        if (mayWantAny(file)) {
            runs.add(file.cellsOf(prefix(), hash, hash, cursors));
        } else {
            addColumns(file, columnsIn(file), runs);
        }
    }

    private void addColumns(TabletFile file, List<Column> some, List<Cursor> runs) throws BigtableException {
        if (some.size() > MAX_LOOK_UPS) {
            runs.add(file.cellsOf(prefix(), hash, hash, cursors));
            return;
        }
        for (Column column : some) {
            runs.add(file.cellsOf(column.prefix, column.hash, hash, cursors));
        }
    }

    /** Whether a family of the file is wanted, whatever its columns. */
    private boolean mayWantAny(TabletFile file) {
        if (projection.isEvery()) {
            return true;
        }
        for (int family : file.families()) {
            if (projection.wants(family) && projection.named(family).isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** The columns of which the file may have cells that are wanted. */
    private List<Column> columnsIn(TabletFile file) throws BigtableException {
        List<Column> some = new ArrayList<>();
        for (int family : file.families()) {
            Optional<Iterable<Bytes>> named = projection.named(family);
            if (named.isPresent()) {
                for (Column column : columns(family, named.get())) {
                    if (file.mayContainColumn(column.hash)) {
                        some.add(column);
                    }
                }
            }
        }
        return some;
    }

    private List<Column> columns(int family, Iterable<Bytes> qualifiers) {
        Map<Integer, List<Column>> begun = columns;
        if (begun == null) {
            begun = new HashMap<>();
            columns = begun;
        }
        return begun.computeIfAbsent(family, id -> hashed(id, qualifiers));
    }

    private List<Column> hashed(int family, Iterable<Bytes> qualifiers) {
        List<Column> hashed = new ArrayList<>(1);
        for (Bytes qualifier : qualifiers) {
            hashed.add(Column.of(CellKey.columnPrefix(row, family, qualifier)));
        }
        return hashed;
    }

    /** What the keys of a column begin with, and the hash that filters and caches know it by. */
    private record Column(Bytes prefix, FilterHash hash) {
        static Column of(Bytes prefix) {
            return new Column(prefix, FilterHash.of(prefix));
        }
    }
}
