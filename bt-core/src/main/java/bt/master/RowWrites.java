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
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Writes rows of METADATA several at a time, because METADATA's log takes as many with one sync. Owned by the master's thread,
 * which does nothing else while it waits: so when a server of METADATA goes away, no write begins that would wait for it once
 * more, and all others do.
 */
final class RowWrites {
    /** Writers of METADATA at a time, and how much may wait for them. */
    static final int WRITERS = 16;

    static final int MOST_UNDER_WAY = 1_000;

    private static final long WRITE_MILLIS = 60_000;

    private final Scheduler scheduler;
    private final WorkerPool writers;
    private final Function<TabletId, String> home;
    private final Map<TabletId, CompletableFuture<Void>> underWay = new LinkedHashMap<>();

    /** Of what is under way: the servers of METADATA that have failed one of them. */
    private Set<String> failing = ConcurrentHashMap.newKeySet();

    /**
     * Of a pool that a {@link RowFeed} shares, its queue takes {@link #MOST_UNDER_WAY} beside that one's. {@code home} says who has the row of a tablet,
     * and asks nobody.
     */
    RowWrites(Scheduler scheduler, WorkerPool writers, Function<TabletId, String> home) {
        this.scheduler = scheduler;
        this.writers = writers;
        this.home = home;
    }

    /** What a writer does about one row. */
    @FunctionalInterface
    interface Write {
        void run() throws BigtableException, InterruptedException;
    }

    void begin(TabletId id, Write write) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        underWay.put(id, done);
        String at = home.apply(id);
        Set<String> fail = failing;
        writers.execute(() -> run(new Row(id, at), write, fail, done));
    }

    /** Whether nothing more may begin before {@link #finish}. */
    boolean isFull() {
        return underWay.size() >= MOST_UNDER_WAY;
    }

    private record Row(TabletId id, String home) {}

    /** A writer. */
    private static void run(Row row, Write write, Set<String> failing, CompletableFuture<Void> done) {
        if (failing.contains(row.home)) {
            done.completeExceptionally(new UnavailableException(
                    row.id + ": not written, " + row.home + " fails others", Outcome.NOT_APPLIED));
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
                failing.add(row.home);
            }
            done.completeExceptionally(failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            done.completeExceptionally(new UnavailableException(row.id + ": this master ends", Outcome.UNKNOWN));
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
        failing = ConcurrentHashMap.newKeySet();
        return failures;
    }
}
