package bt.master;

import bt.base.Scheduler;
import bt.base.Scheduler.WorkerPool;

/** Who does for an active master what its own thread must not wait for, or not one after the other. They end with it. */
record Workers(WorkerPool diggers, WorkerPool listers, WorkerPool writers, WorkerPool askers) implements AutoCloseable {
    static Workers start(Scheduler scheduler) {
        return new Workers(
                scheduler.pool("burial", 4, 10_000),
                // Apart: who asks how far recoveries are would wait for a minute behind logs that cannot be closed.
                scheduler.pool("progress", 1, Commands.BOUND),
                scheduler.pool("assign", RowWrites.WRITERS, 2 * RowWrites.MOST_UNDER_WAY),
                scheduler.pool("homes", Homes.ASKERS, Homes.MOST_ASKED));
    }

    @Override
    public void close() {
        askers.close();
        writers.close();
        listers.close();
        diggers.close();
    }
}
