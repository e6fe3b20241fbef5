package bt.tablet;

import java.util.List;

/**
 * What a compaction wrote, opened: METADATA may name it, for it can be read. Closing lets its files go, unless a tablet has
 * them by then. One thread.
 */
public final class Prepared implements AutoCloseable {
    private final Compacted compacted;
    private final List<TabletFile> files;
    private boolean installed;

    Prepared(Compacted compacted, List<TabletFile> files) {
        this.compacted = compacted;
        this.files = files;
    }

    public Compacted compacted() {
        return compacted;
    }

    /** For the view that has them from now on. */
    List<TabletFile> take() {
        installed = true;
        return files;
    }

    @Override
    public void close() {
        if (!installed) {
            files.forEach(TabletFile::release);
        }
    }
}
