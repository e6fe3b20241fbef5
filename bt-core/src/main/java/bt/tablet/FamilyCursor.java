package bt.tablet;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Slice;
import bt.model.CellKey;
import bt.sstable.Cursor;
import java.util.Set;

/** Of a sorted run what belongs to some families, and the deletions of rows, which belong to all. One thread. */
final class FamilyCursor implements Cursor {
    private final Cursor run;
    private final Set<Integer> families;

    FamilyCursor(Cursor run, Set<Integer> families) {
        this.run = run;
        this.families = families;
    }

    @Override
    public boolean seek(Bytes atOrAfter) throws BigtableException {
        return forwards(run.seek(atOrAfter));
    }

    @Override
    public boolean seekBefore(Bytes before) throws BigtableException {
        return backwards(run.seekBefore(before));
    }

    @Override
    public boolean seekToLast() throws BigtableException {
        return backwards(run.seekToLast());
    }

    @Override
    public boolean next() throws BigtableException {
        return forwards(run.next());
    }

    @Override
    public boolean previous() throws BigtableException {
        return backwards(run.previous());
    }

    @Override
    public Slice key() {
        return run.key();
    }

    @Override
    public Slice value() {
        return run.value();
    }

    private boolean forwards(boolean first) throws BigtableException {
        boolean found = first;
        while (found && !isOurs()) {
            found = run.next();
        }
        return found;
    }

    private boolean backwards(boolean first) throws BigtableException {
        boolean found = first;
        while (found && !isOurs()) {
            found = run.previous();
        }
        return found;
    }

    private boolean isOurs() {
        int family = CellKey.familyOf(run.key());
        return family == CellKey.ROW_LEVEL || families.contains(family);
    }
}
