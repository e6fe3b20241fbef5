package bt.master;

import bt.base.BigtableException;
import bt.base.BigtableException.Kind;
import bt.base.BigtableException.Outcome;
import bt.base.Scheduler.WorkerPool;
import bt.base.UnavailableException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Writes rows of METADATA that are wanted all or not at all, sixteen at a time, while the master's thread does other things: it would be
 * kept from them for seconds. Whoever has written one goes to the end of the pool's queue for the next, so that those who want to write
 * something else wait for sixteen rows, and not for all. Where METADATA does not take one no other is begun. Any thread.
 */
final class RowFeed {
    private final WorkerPool writers;
    private final Runnable whenDone;

    /** What is done is told by {@code whenDone} too, on any thread. */
    RowFeed(WorkerPool writers, Runnable whenDone) {
        this.writers = writers;
        this.whenDone = whenDone;
    }

    /** What is to be written; asked once, by a writer, who may read METADATA for it. */
    @FunctionalInterface
    interface Source {
        List<RowWrites.Write> rows() throws BigtableException, InterruptedException;
    }

    /** How many rows there are now. What it fails with is the first failure, FENCED before any other. */
    CompletableFuture<Integer> begin(Source source) {
        Rows rows = new Rows(source);
        CompletableFuture<?> unused = rows.done.whenComplete((count, failure) -> whenDone.run());
        rows.submit(rows::find);
        return rows.done;
    }

    private final class Rows {
        private final Source source;
        private final Queue<RowWrites.Write> left = new ConcurrentLinkedQueue<>();
        private final Queue<BigtableException> failures = new ConcurrentLinkedQueue<>();

        /** Writers that are at it. */
        private final AtomicInteger writing = new AtomicInteger(1);

        private final CompletableFuture<Integer> done = new CompletableFuture<>();
        private volatile int count;

        private Rows(Source source) {
            this.source = source;
        }

        private void submit(Runnable task) {
            try {
                writers.execute(task);
            } catch (RejectedExecutionException closed) {
                failures.add(ended());
                leave();
            }
        }

        private void find() {
            attempt(() -> {
                List<RowWrites.Write> rows = source.rows();
                count = rows.size();
                left.addAll(rows);
                int more = Math.min(RowWrites.WRITERS, rows.size()) - 1;
                for (int i = 0; i < more; i++) {
                    writing.incrementAndGet();
                    submit(this::next);
                }
            });
            next();
        }

        private void next() {
            RowWrites.Write write = failures.isEmpty() && !done.isDone() ? left.poll() : null;
            if (write == null) {
                leave();
            } else {
                attempt(write);
                submit(this::next);
            }
        }

        private void attempt(RowWrites.Write write) {
            try {
                write.run();
            } catch (BigtableException failed) {
                failures.add(failed);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                failures.add(ended());
            } catch (RuntimeException bug) {
                done.completeExceptionally(bug);
            }
        }

        /** Completes it when nobody writes any more: what is told then is true. */
        private void leave() {
            if (writing.decrementAndGet() > 0) {
                return;
            }
            try {
                check();
                done.complete(count);
            } catch (BigtableException first) {
                done.completeExceptionally(first);
            }
        }

        private void check() throws BigtableException {
            BigtableException first = null;
            for (BigtableException failed : failures) {
                if (first == null || (failed.kind() == Kind.FENCED && first.kind() != Kind.FENCED)) {
                    first = failed;
                }
            }
            if (first != null) {
                throw first;
            }
        }

        private UnavailableException ended() {
            return new UnavailableException("this master ends", Outcome.UNKNOWN);
        }
    }
}
