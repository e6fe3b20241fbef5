package bt.master;

import bt.base.BigtableException;
import bt.base.BigtableException.Kind;
import bt.base.BigtableException.Outcome;
import bt.base.Scheduler;
import bt.base.Scheduler.WorkerPool;
import bt.base.UnavailableException;
import bt.model.TabletId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Writes rows of METADATA several at a time, because METADATA's log takes as many with one sync. Owned by the master's thread,
 * which does nothing else while it waits: so when METADATA goes away, no write begins that would wait for it once more.
 */
final class RowWrites {
    /** Writers of METADATA at a time, and how much may wait for them. */
    static final int WRITERS = 16;

    static final int MOST_UNDER_WAY = 1_000;

    private static final long WRITE_MILLIS = 60_000;

    private final Scheduler scheduler;
    private final WorkerPool writers;
    private final Map<TabletId, CompletableFuture<Void>> underWay = new LinkedHashMap<>();

    /** Of what is under way: whether METADATA has failed one of them. */
    private AtomicBoolean metadataFails = new AtomicBoolean();

    /** Of a pool that others share, its queue takes {@link #MOST_UNDER_WAY} for each. */
    RowWrites(Scheduler scheduler, WorkerPool writers) {
        this.scheduler = scheduler;
        this.writers = writers;
    }

    /** What a writer does about one row. */
    @FunctionalInterface
    interface Write {
        void run() throws BigtableException, InterruptedException;
    }

    void begin(TabletId id, Write write) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        underWay.put(id, done);
        AtomicBoolean fails = metadataFails;
        writers.execute(() -> run(id, write, fails, done));
    }

    /** Whether nothing more may begin before {@link #finish}. */
    boolean isFull() {
        return underWay.size() >= MOST_UNDER_WAY;
    }

    /** A writer. */
    private static void run(TabletId id, Write write, AtomicBoolean fails, CompletableFuture<Void> done) {
        if (fails.get()) {
            done.completeExceptionally(
                    new UnavailableException(id + ": not written, METADATA fails others", Outcome.NOT_APPLIED));
            return;
        }
        try {
            write.run();
            done.complete(null);
        } catch (BigtableException | RuntimeException failed) {
            // What is wrong with one row alone, damage or a change since, says nothing of the others.
            if (failed instanceof BigtableException known
                    && known.kind() != Kind.REJECTED
                    && known.kind() != Kind.CORRUPTION) {
                fails.set(true);
            }
            done.completeExceptionally(failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            done.completeExceptionally(new UnavailableException(id + ": this master ends", Outcome.UNKNOWN));
        }
    }

    /** Waits until all have ended; those that METADATA has not taken, in the order in which they were begun. */
    Map<TabletId, BigtableException> finish() throws InterruptedException {
        Map<TabletId, BigtableException> failures = new LinkedHashMap<>();
        for (Map.Entry<TabletId, CompletableFuture<Void>> write : underWay.entrySet()) {
            try {
                scheduler.await(write.getValue(), WRITE_MILLIS);
            } catch (BigtableException failed) {
                failures.put(write.getKey(), failed);
            }
        }
        underWay.clear();
        metadataFails = new AtomicBoolean();
        return failures;
    }

    /** What the caller is told of several failures: the first, FENCED before any other. */
    static void check(Iterable<BigtableException> failures) throws BigtableException {
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
}
