package bt.tabletserver;

import bt.model.TableSchema;
import bt.model.TabletId;
import bt.record.CompactionReport;
import bt.record.FileReference;
import bt.tablet.Compacted;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the compactions of users' tablets as they begin and end, for whoever wants to know what fell into a time. Any thread. */
final class CompactionCounts {
    private final AtomicLong flushesBegun = new AtomicLong();
    private final AtomicLong flushesEnded = new AtomicLong();
    private final AtomicLong mergesBegun = new AtomicLong();
    private final AtomicLong mergesEnded = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();

    /** A memtable goes to files, alone or with others. */
    void flushBegins(TabletId tablet) {
        add(tablet, 1, flushesBegun);
    }

    /** However. */
    void flushEnds(TabletId tablet) {
        add(tablet, 1, flushesEnded);
    }

    /** Files are written anew. */
    void mergeBegins(TabletId tablet) {
        add(tablet, 1, mergesBegun);
    }

    /** However. */
    void mergeEnds(TabletId tablet) {
        add(tablet, 1, mergesEnded);
    }

    /** Either has written its files. */
    void wrote(TabletId tablet, Compacted compacted) {
        long written =
                compacted.written().stream().mapToLong(FileReference::getBytes).sum();
        add(tablet, written, bytes);
    }

    private static void add(TabletId tablet, long more, AtomicLong to) {
        if (tablet.tableId() != TableSchema.METADATA_ID) {
            to.addAndGet(more);
        }
    }

    CompactionReport report() {
        // Those that have ended first: none is told that has not begun.
        long endedFlushes = flushesEnded.get();
        long endedMerges = mergesEnded.get();
        return new CompactionReport(flushesBegun.get(), endedFlushes, mergesBegun.get(), endedMerges, bytes.get());
    }
}
