package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.Deadline;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.metadata.MetadataSchema;
import bt.model.TableSchema;
import bt.tabletserver.TabletSet.Holding;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the master move the tablets to other servers, then hands back those that are left, those of users first, the root tablet last: each is recorded in the one above it, which may be
 * served by this server too. What cannot be handed back in time is left to recovery, which finds it in the log.
 */
final class PlannedStop {
    private static final Logger log = LoggerFactory.getLogger(PlannedStop.class);
    private static final long FAREWELL_MILLIS = 30_000;
    private static final long STOP_MILLIS = 50_000;
    private static final long LOOK_MILLIS = 100;

    private final Scheduler scheduler;
    private final Control control;
    private final CommitQueues queues;
    private final Farewell farewell;

    PlannedStop(Scheduler scheduler, Control control, CommitQueues queues, Farewell farewell) {
        this.scheduler = scheduler;
        this.control = control;
        this.queues = queues;
        this.farewell = farewell;
    }

    void run() throws InterruptedException {
        farewell.run(control, Deadline.after(scheduler.clock(), FAREWELL_MILLIS));
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

    /** Also what is still being loaded: METADATA may name us for it before we know it. */
    private void unload(Predicate<Holding> which, Deadline deadline) throws BigtableException, InterruptedException {
        while (true) {
            List<Holding> held = scheduler.await(control.holdings(), deadline.leftMillis()).stream()
                    .filter(which)
                    .filter(holding -> holding.trouble().isEmpty())
                    .toList();
            if (held.isEmpty()) {
                return;
            }
            List<CompletableFuture<Void>> unloads = held.stream()
                    .flatMap(holding -> holding.tablet().stream())
                    .map(hosted -> control.unload(hosted.id()))
                    .toList();
            for (CompletableFuture<Void> unload : unloads) {
                scheduler.await(unload, deadline.leftMillis());
            }
            if (unloads.isEmpty()) {
                scheduler.pause(Math.min(LOOK_MILLIS, deadline.leftMillis()));
            }
            if (deadline.isOver()) {
                throw new UnavailableException(held.size() + " tablets are still here");
            }
        }
    }
}
