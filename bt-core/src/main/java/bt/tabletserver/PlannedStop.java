package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.Deadline;
import bt.base.Scheduler;
import bt.metadata.MetadataSchema;
import bt.model.TableSchema;
import bt.tabletserver.TabletSet.Holding;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands back all tablets, those of users first, the root tablet last: each is recorded in the one above it, which may be
 * served by this server too. What cannot be handed back in time is left to recovery, which finds it in the log.
 */
final class PlannedStop {
    private static final Logger log = LoggerFactory.getLogger(PlannedStop.class);
    private static final long STOP_MILLIS = 50_000;

    private final Scheduler scheduler;
    private final TabletSet tablets;
    private final Control control;
    private final CommitQueues queues;

    PlannedStop(Scheduler scheduler, TabletSet tablets, Control control, CommitQueues queues) {
        this.scheduler = scheduler;
        this.tablets = tablets;
        this.control = control;
        this.queues = queues;
    }

    void run() throws InterruptedException {
        Deadline deadline = Deadline.after(scheduler.clock(), STOP_MILLIS);
        try {
            scheduler.await(control.refuseLoads(), deadline.leftMillis());
            unload(holding -> holding.id().tableId() != TableSchema.METADATA_ID, deadline);
            unload(holding -> !holding.id().equals(MetadataSchema.ROOT), deadline);
            unload(holding -> true, deadline);
            scheduler.await(queues.user().close(), deadline.leftMillis());
            scheduler.await(queues.metadata().close(), deadline.leftMillis());
        } catch (BigtableException failed) {
            log.warn("stop: {}; what is not handed back will be recovered from the log", failed.getMessage());
        }
    }

    private void unload(Predicate<Holding> which, Deadline deadline) throws BigtableException, InterruptedException {
        List<CompletableFuture<Void>> unloads = tablets.all().stream()
                .filter(which)
                .flatMap(holding -> holding.tablet().stream())
                .map(hosted -> control.unload(hosted, true))
                .toList();
        for (CompletableFuture<Void> unload : unloads) {
            scheduler.await(unload, deadline.leftMillis());
        }
    }
}
