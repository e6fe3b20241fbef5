package bt.sstable;

import java.util.ArrayList;
import java.util.List;

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

    /** All entries of the file but row and family deletions. */
    public Cursor cells(SSTable file) {
        return file.cellsBy(this);
    }

    /** Row and family deletions of the file. */
    public Cursor deletions(SSTable file) {
        return file.deletionsBy(this);
    }

    Cursor run(BlockSource file, Block root) {
        if (runsOut == runs.size()) {
            runs.add(new RunCursor());
        }
        return runs.get(runsOut++).enter(file, root);
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
