package bt.tabletserver;

import bt.base.Bytes;
import bt.model.TabletId;
import bt.tablet.Frozen;
import bt.tablet.OpenWrite;
import bt.tablet.Tablet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A tablet that this server serves, with what belongs to it here: its METADATA row as we last wrote it, the queue that
 * its writes go through, its jobs, how much is asked of it, and the frozen memtables that are not in files yet, the oldest
 * first, and which of its open writes nobody can tell. The commit thread adds to those, the jobs take from them, and none is ever passed over: the redo point of a later one covers it.
 */
record HostedTablet(
        Tablet tablet,
        HeldRow row,
        CommitQueue queue,
        TabletJobs jobs,
        Queue<Frozen> unwritten,
        Traffic traffic,
        Merging merging,
        UnreadWrites unread) {
    static HostedTablet of(TabletLoader.Loaded loaded, CommitQueue queue, TabletJobs jobs, long nowNanos) {
        HostedTablet hosted = new HostedTablet(
                loaded.tablet(),
                loaded.row(),
                queue,
                jobs,
                new ConcurrentLinkedQueue<>(),
                new Traffic(nowNanos),
                new Merging(),
                loaded.unread());
        loaded.unwritten().ifPresent(hosted.unwritten()::add);
        return hosted;
    }

    static HostedTablet of(Tablet tablet, HeldRow row, CommitQueue queue, TabletJobs jobs, long nowNanos) {
        return of(tablet, row, queue, jobs, new Traffic(nowNanos));
    }

    static HostedTablet of(Tablet tablet, HeldRow row, CommitQueue queue, TabletJobs jobs, Traffic traffic) {
        return new HostedTablet(
                tablet, row, queue, jobs, new ConcurrentLinkedQueue<>(), traffic, new Merging(), UnreadWrites.NONE);
    }

    TabletId id() {
        return tablet.id();
    }

    boolean holds(long tableId, Bytes row) {
        return id().tableId() == tableId && tablet.range().contains(row);
    }

    /** Only the commit thread. */
    Optional<Frozen> freeze(List<OpenWrite> open) {
        Optional<Frozen> frozen = tablet.freeze(open);
        frozen.ifPresent(unwritten::add);
        return frozen;
    }
}
