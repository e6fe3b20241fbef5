package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.UnavailableException;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The long work on one tablet (load, minor compaction, unload), one job at a time and in order: the files of an earlier
 * memtable must be in METADATA before a later one's, because the redo point covers both. Any thread.
 */
final class TabletJobs {
    private final Executor pool;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private final Deque<Pending> waiting = new ArrayDeque<>();

    @GuardedBy("lock") private boolean running;

    TabletJobs(Executor pool) {
        this.pool = pool;
    }

    /** Completes when the job has run, or fails with what it threw. */
    CompletableFuture<Void> submit(Job job) {
        Pending pending = new Pending(job, new CompletableFuture<>());
        if (enqueue(pending)) {
            start();
        }
        return pending.done;
    }

    /** True when nothing runs yet. */
    private boolean enqueue(Pending pending) {
        lock.lock();
        try {
            boolean idle = !running;
            waiting.add(pending);
            running = true;
            return idle;
        } finally {
            lock.unlock();
        }
    }

    private void start() {
        try {
            pool.execute(this::run);
        } catch (RejectedExecutionException full) {
            for (Pending job = next(); job != null; job = next()) {
                job.done.completeExceptionally(
                        new UnavailableException("too much work waits for a compaction thread", Outcome.NOT_APPLIED));
            }
        }
    }

    private void run() {
        for (Pending job = next(); job != null; job = next()) {
            try {
                job.job.run();
                job.done.complete(null);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                job.done.completeExceptionally(new UnavailableException("this server stops", Outcome.UNKNOWN));
            } catch (BigtableException | RuntimeException | Error failed) {
                // An Error too: without an end of this job none after it would ever begin.
                job.done.completeExceptionally(failed);
            }
        }
    }

    private @Nullable Pending next() {
        lock.lock();
        try {
            Pending job = waiting.poll();
            running = job != null;
            return job;
        } finally {
            lock.unlock();
        }
    }

    /** Blocks as long as it likes; interruption ends it. */
    @FunctionalInterface
    interface Job {
        void run() throws BigtableException, InterruptedException;
    }

    private record Pending(Job job, CompletableFuture<Void> done) {}
}
