package bt.master;

import bt.base.BigtableException;
import bt.base.BigtableException.Kind;
import bt.base.BigtableException.Outcome;
import bt.base.RejectedException;
import bt.base.Scheduler;
import bt.base.Scheduler.WorkerPool;
import bt.base.UnavailableException;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.model.TabletId;
import bt.record.TabletLocation;
import bt.record.TabletState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes to METADATA what an {@link Assigner} has decided, several rows at a time, because METADATA's log takes as many with
 * one sync, and then asks the servers to load. Owned by the master's thread, which does nothing else while it waits: so when
 * METADATA goes away, no write begins that would wait for it once more.
 */
final class AssignmentWrites {
    private static final Logger log = LoggerFactory.getLogger(AssignmentWrites.class);

    /** Writers of METADATA at a time, and how much may wait for them. */
    static final int WRITERS = 16;

    static final int MOST_UNDER_WAY = 1_000;

    private static final long WRITE_MILLIS = 60_000;

    private final MetadataTable metadata;
    private final Scheduler scheduler;
    private final TabletOrders orders;
    private final WorkerPool writers;
    private final Map<TabletId, CompletableFuture<Void>> underWay = new LinkedHashMap<>();

    /** Of what is under way: whether METADATA has failed one of them. */
    private AtomicBoolean metadataFails = new AtomicBoolean();

    AssignmentWrites(MetadataTable metadata, Scheduler scheduler, TabletOrders orders, WorkerPool writers) {
        this.metadata = metadata;
        this.scheduler = scheduler;
        this.orders = orders;
        this.writers = writers;
    }

    void begin(MetadataRow row, TabletLocation location, TabletState state, Member target) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        underWay.put(row.id(), done);
        AtomicBoolean fails = metadataFails;
        writers.execute(() -> write(row, location, state, target, fails, done));
    }

    /** Whether nothing more may begin before {@link #finish}. */
    boolean isFull() {
        return underWay.size() >= MOST_UNDER_WAY;
    }

    /** A writer. */
    private void write(
            MetadataRow row,
            TabletLocation location,
            TabletState state,
            Member target,
            AtomicBoolean fails,
            CompletableFuture<Void> done) {
        if (fails.get()) {
            done.completeExceptionally(
                    new UnavailableException(row.id() + ": not assigned, METADATA fails others", Outcome.NOT_APPLIED));
            return;
        }
        try {
            MetadataRow written = metadata.replace(row, location, state, "loading on " + target.id());
            List<Long> logs = state.getLogs();
            log.info(
                    "{} goes to {}{}",
                    row.id(),
                    target.id(),
                    logs.isEmpty() ? "" : ", which replays the logs of " + logs);
            orders.askToLoad(written, target);
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
            done.completeExceptionally(new UnavailableException(row.id() + ": this master ends", Outcome.UNKNOWN));
        }
    }

    /**
     * Waits until METADATA has what was decided, or has refused it because the row has changed since: that is decided anew by
     * the next pass. Else the first failure, FENCED before any other. Told are the tablets of which the decision fell.
     */
    void finish(Consumer<TabletId> fallen) throws BigtableException, InterruptedException {
        Optional<BigtableException> first = Optional.empty();
        for (Map.Entry<TabletId, CompletableFuture<Void>> write : underWay.entrySet()) {
            try {
                scheduler.await(write.getValue(), WRITE_MILLIS);
            } catch (RejectedException overtaken) {
                fallen.accept(write.getKey());
                log.info("{}: {}", write.getKey(), overtaken.getMessage());
            } catch (BigtableException failed) {
                fallen.accept(write.getKey());
                if (first.isEmpty() || failed.kind() == Kind.FENCED) {
                    first = Optional.of(failed);
                }
            }
        }
        underWay.clear();
        metadataFails = new AtomicBoolean();
        if (first.isPresent()) {
            throw first.get();
        }
    }
}
