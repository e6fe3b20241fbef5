package bt.master;

import bt.base.Scheduler;
import bt.base.Scheduler.WorkerPool;

/** Who does for an active master what its own thread must not wait for, or not one after the other. They end with it. */
record Workers(
        WorkerPool metadataDiggers, WorkerPool diggers, WorkerPool listers, WorkerPool writers, WorkerPool askers)
        implements AutoCloseable {
    /** More than there are servers. */
    private static final int MOST_BURIALS = 100_000;

    static Workers start(Scheduler scheduler) {
        return new Workers(
                // Apart: until METADATA serves nothing does, and of a thousand logs of users no segment goes before one
                // of it.
                scheduler.pool("burial-metadata", 2, MOST_BURIALS),
                scheduler.pool("burial", 4, MOST_BURIALS),
                // Apart: who asks how far recoveries are would wait behind all these logs.
                scheduler.pool("progress", 1, Commands.BOUND),
                scheduler.pool("assign", RowWrites.WRITERS, RowWrites.MOST_UNDER_WAY + RowWrites.WRITERS),
                scheduler.pool("homes", Homes.ASKERS, Homes.MOST_ASKED));
    }

    @Override
    public void close() {
        askers.close();
        writers.close();
        listers.close();
        diggers.close();
        metadataDiggers.close();
    }
}
