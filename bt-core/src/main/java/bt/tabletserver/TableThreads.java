package bt.tabletserver;

import bt.base.Scheduler.WorkerPool;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Threads that tables have in turns: whatever one table's tablets want of them stands behind one piece of work of each other table,
 * and those that are under way, however many tablets of that are waiting. Any thread.
 */
final class TableThreads implements AutoCloseable {
    private final WorkerPool threads;
    private final FewAtOnce turns;
    private volatile boolean closed;

    /** So many turns are taken at once as there are threads. */
    TableThreads(WorkerPool threads, int size, int mostWaiting) {
        this.threads = threads;
        this.turns = new FewAtOnce(size, mostWaiting);
    }

    /** For the work of a table's tablets: of one table always equal. Refuses it as {@link WorkerPool} does, when too much waits. */
    Executor of(long tableId) {
        return new OfTable(this, tableId);
    }

    private record OfTable(TableThreads threads, long tableId) implements Executor {
        @Override
        public void execute(Runnable work) {
            threads.execute("table " + tableId, work);
        }
    }

    private void execute(String whose, Runnable work) {
        if (closed || turns.begin(whose, () -> run(work)).isCompletedExceptionally()) {
            throw new RejectedExecutionException("too much of " + whose + " waits, or the server stops");
        }
    }

    /** Never fails: the turn is over when the work is. */
    private CompletableFuture<Void> run(Runnable work) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        try {
            threads.execute(() -> {
                try {
                    work.run();
                } finally {
                    done.complete(null);
                }
            });
        } catch (RejectedExecutionException stops) {
            // There are as many threads as turns, so it is not for want of room. What has waited until now is not done
            // any more.
            done.complete(null);
        }
        return done;
    }

    @Override
    public void close() {
        closed = true;
        threads.close();
    }
}
