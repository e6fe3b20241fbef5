package bt.sstable;

import bt.base.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cursors of look-ups that are used again by the look-ups after them, for a new one is a dozen objects. Whatever it gave out
 * ends with {@link #takeBack}. One thread at a time.
 */
public final class SpareCursors {
    /** More are made for the read that needs them, and then let go. */
    private static final int MAX_KEPT = 16;

    private final List<RunCursor> runs = new ArrayList<>();
    private final List<EntriesCursor> found = new ArrayList<>();
    private int runsOut;
    private int foundOut;

    /**
     * The entries of the file that begin with the prefix, but row and family deletions; what comes behind may be missing. The
     * hash is that of the row which they all belong to.
     */
    Cursor cells(SSTable file, Bytes prefix, FilterHash row) {
        return file.cellsBy(this, prefix, row);
    }

    /** Row and family deletions of the file that begin with the prefix; what comes behind may be missing. */
    public Cursor deletions(SSTable file, Bytes prefix) {
        return file.deletionsBy(this, prefix);
    }

    Cursor run(BlockSource file, Block root, Bytes prefix, @Nullable FilterHash row) {
        if (runsOut == runs.size()) {
            runs.add(new RunCursor());
        }
        return runs.get(runsOut++).enter(file, root, prefix, row);
    }

    Cursor of(Entries entries) {
        if (foundOut == found.size()) {
            found.add(new EntriesCursor());
        }
        return found.get(foundOut++).enter(entries);
    }

    /** Takes all cursors back that it gave out, and lets go of the files and blocks that they stand in. */
    public void takeBack() {
        while (runsOut > 0) {
            runs.get(--runsOut).leaveFile();
        }
        while (foundOut > 0) {
            found.get(--foundOut).enter(Entries.NONE);
        }
        while (runs.size() > MAX_KEPT) {
            runs.remove(runs.size() - 1);
        }
        while (found.size() > MAX_KEPT) {
            found.remove(found.size() - 1);
        }
    }
}
