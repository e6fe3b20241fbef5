package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.UnavailableException;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The long work on one tablet (load, minor compaction, unload), one job at a time and in order: the files of an earlier
 * memtable must be in METADATA before a later one's, because the redo point covers both. Each on the threads that it is for, in
 * whose line the next one stands behind what has come meanwhile. A job that has to come again to what does not answer does so in
 * parts, and holds no thread between them. Any thread.
 */
final class TabletJobs {
    private final Executor pool;
    private final ReentrantLock lock = new ReentrantLock();

    /** Of most tablets there is never more than one. */
    @GuardedBy("lock") private final Deque<Pending> waiting = new ArrayDeque<>(1);

    @GuardedBy("lock") private boolean running;

    TabletJobs(Executor pool) {
        this.pool = pool;
    }

    /** Completes when the job has run, or fails with what it threw. */
    CompletableFuture<Void> submit(Job job) {
        return submit(job, pool);
    }

    /** The same on other threads than most of the tablet's jobs. */
    CompletableFuture<Void> submit(Job job, Executor threads) {
        return submit(
                () -> {
                    job.run();
                    return Optional.empty();
                },
                threads,
                threads);
    }

    /** The same of a job that may leave a rest, which {@code later} begins; no other job of the tablet comes before it. */
    CompletableFuture<Void> submit(Part job, Executor threads, Executor later) {
        Pending pending = new Pending(job, threads, later, new CompletableFuture<>());
        if (enqueue(pending)) {
            start(threads);
        }
        return pending.done;
    }

    /** Whether one waits for the one that runs. */
    boolean areWaitedFor() {
        lock.lock();
        try {
            return !waiting.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Whether the next would begin at once, or as soon as there is a thread. */
    boolean areIdle() {
        lock.lock();
        try {
            return !running;
        } finally {
            lock.unlock();
        }
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

    /** The next job is for these threads. */
    private void start(Executor threads) {
        try {
            threads.execute(() -> run(threads));
        } catch (RejectedExecutionException full) {
            for (Pending job = next(); job != null; job = next()) {
                job.done.completeExceptionally(
                        new UnavailableException("too much work waits for a compaction thread", Outcome.NOT_APPLIED));
            }
        }
    }

    /**
     * One job, after which whatever else waits for the threads has its turn: however many more the tablet has, those of
     * others stand behind one of them. What finds no place there goes on here.
     */
    private void run(Executor threads) {
        for (Pending job = next(); job != null; job = next()) {
            try {
                Optional<Part> rest = job.job.run();
                if (rest.isPresent()) {
                    putFirst(job.rest(rest.get()));
                    start(job.later);
                    return;
                }
                job.done.complete(null);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                job.done.completeExceptionally(new UnavailableException("this server stops", Outcome.UNKNOWN));
            } catch (BigtableException | RuntimeException | Error failed) {
                // An Error too: without an end of this job none after it would ever begin.
                job.done.completeExceptionally(failed);
            }
            if (isHandedOn(threads)) {
                return;
            }
        }
    }

    /** Whether the next job, if there is any, begins elsewhere or later. */
    private boolean isHandedOn(Executor threads) {
        Optional<Executor> next = threadsOfNext();
        if (next.isEmpty()) {
            return true;
        }
        if (!next.get().equals(threads)) {
            start(next.get());
            return true;
        }
        try {
            threads.execute(() -> run(threads));
            return true;
        } catch (RejectedExecutionException full) {
            return false;
        }
    }

    private void putFirst(Pending rest) {
        lock.lock();
        try {
            waiting.addFirst(rest);
        } finally {
            lock.unlock();
        }
    }

    /** Without one nothing runs any more. */
    private Optional<Executor> threadsOfNext() {
        lock.lock();
        try {
            Optional<Executor> next = Optional.ofNullable(waiting.peek()).map(Pending::threads);
            running = next.isPresent();
            return next;
        } finally {
            lock.unlock();
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

    /** The same for a while; what is left of it then, if anything. */
    @FunctionalInterface
    interface Part {
        Optional<Part> run() throws BigtableException, InterruptedException;
    }

    private record Pending(Part job, Executor threads, Executor later, CompletableFuture<Void> done) {
        private Pending rest(Part left) {
            return new Pending(left, later, later, done);
        }
    }
}
