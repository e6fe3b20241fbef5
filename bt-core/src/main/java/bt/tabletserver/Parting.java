package bt.tabletserver;

import bt.record.FileReference;
import bt.record.TabletState;
import bt.tablet.Compacted;
import bt.tablet.FileNames;
import bt.tablet.Frozen;
import java.util.List;

/**
 * What a tablet that leaves still had in memory, in files that its METADATA row names with the mutation that gives the
 * tablet up: with one of its own nobody could write to the tablet for longer.
 */
record Parting(List<Flushed> flushed, UnreadWrites unread) {
    static final Parting NOTHING = new Parting(List.of(), UnreadWrites.NONE);

    /** A frozen memtable, the older first, and what was written of it. */
    record Flushed(Frozen frozen, Compacted written) {}

    Parting {
        flushed = List.copyOf(flushed);
    }

    /** Naming twice is naming once. */
    TabletState named(TabletState state) {
        TabletState named = state;
        for (Flushed one : flushed) {
            named = Compactor.named(named, one.frozen(), one.written(), unread);
        }
        return named;
    }

    /** The files are named, or never will be. */
    void settle(FileNames names) {
        for (Flushed one : flushed) {
            List<FileReference> files = one.written().written();
            names.settle(files);
        }
    }
}
