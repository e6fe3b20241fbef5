package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.Deadline;
import bt.base.Dwindling;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.metadata.MetadataSchema;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.tabletserver.TabletSet.Holding;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the master move the tablets to other servers, for as long as they do go, then hands back those that are left, those of users
 * first, the root tablet last: each is recorded in the one above it, which may be served by this server too. What cannot be handed
 * back in time is left to recovery, which finds it in the log.
 */
final class PlannedStop {
    private static final Logger log = LoggerFactory.getLogger(PlannedStop.class);

    /** A move is a flush and a load, one after the other: where none has ended for so long the next would not either. */
    private static final long FAREWELL_STILL_MILLIS = 30_000;

    private static final long HAND_BACK_MILLIS = 50_000;

    /** A hand-back is a flush: where none has ended for so long the next level's turn has come. */
    private static final long HAND_BACK_STILL_MILLIS = 20_000;

    private static final long LOOK_MILLIS = 20;
    private static final long AGAIN_MILLIS = 1_000;

    private final Scheduler scheduler;
    private final Control control;
    private final CommitQueues queues;
    private final Farewell farewell;
    private final long mostMillis;

    /** Tablets are moved for {@code mostMillis} at most. */
    PlannedStop(Scheduler scheduler, Control control, CommitQueues queues, Farewell farewell, long mostMillis) {
        this.scheduler = scheduler;
        this.control = control;
        this.queues = queues;
        this.farewell = farewell;
        this.mostMillis = mostMillis;
    }

    /** Until a server that was asked to end has handed everything back, where its tablets are moved for so long at most. */
    static long endMillis(long mostMillis) {
        return mostMillis + HAND_BACK_MILLIS;
    }

    void run() throws InterruptedException {
        Deadline end = Deadline.after(scheduler.clock(), endMillis(mostMillis));
        farewell.run(
                control,
                new Dwindling(scheduler.clock(), FAREWELL_STILL_MILLIS, Deadline.after(scheduler.clock(), mostMillis)));
        try {
            scheduler.await(control.refuseLoads(), end.leftMillis());
            handBackOrLeave(tablet -> tablet.tableId() != TableSchema.METADATA_ID, end);
            handBackOrLeave(tablet -> tablet.tableId() == TableSchema.METADATA_ID && !isRoot(tablet), end);
            handBackOrLeave(PlannedStop::isRoot, end);
            scheduler.await(queues.user().close(), Math.min(HAND_BACK_MILLIS, end.leftMillis()));
            scheduler.await(queues.metadata().close(), Math.min(HAND_BACK_MILLIS, end.leftMillis()));
        } catch (BigtableException failed) {
            log.warn("stop: {}", failed.getMessage());
        }
    }

    private static boolean isRoot(TabletId tablet) {
        return tablet.equals(MetadataSchema.ROOT);
    }

    /** What one level cannot hand back is no reason to leave the next to recovery too. */
    private void handBackOrLeave(Predicate<TabletId> which, Deadline end) throws InterruptedException {
        try {
            handBack(which, end);
        } catch (BigtableException failed) {
            log.warn("stop: {}; what is not handed back will be recovered from the log", failed.getMessage());
        }
    }

    /**
     * Also what is still being loaded: METADATA may name us for it before we know it. And what was on its way to another server when we
     * began: a tablet leaves our set before METADATA knows, and if that never comes to know it our log has to be replayed.
     */
    private void handBack(Predicate<TabletId> which, Deadline end) throws BigtableException, InterruptedException {
        Dwindling tablets = new Dwindling(scheduler.clock(), HAND_BACK_STILL_MILLIS, end);
        Map<TabletId, CompletableFuture<Void>> unloads = new LinkedHashMap<>();
        while (true) {
            Control.Remaining remaining =
                    scheduler.await(control.remaining(), tablets.deadline().leftMillis());
            List<Holding> held = remaining.held().stream()
                    .filter(holding -> which.test(holding.id()))
                    .toList();
            // A flush that has failed may not fail again.
            boolean haveFailed = unloads.values().removeIf(CompletableFuture::isCompletedExceptionally);
            held.stream()
                    .flatMap(holding -> holding.tablet().stream())
                    .forEach(hosted -> unloads.computeIfAbsent(hosted.id(), control::unload));
            Set<TabletId> leaving = new HashSet<>(unloads.keySet());
            leaving.removeIf(
                    tablet -> Objects.requireNonNull(unloads.get(tablet)).isDone());
            remaining.leaving().stream().filter(which).forEach(leaving::add);
            long left = held.stream().filter(Holding::isLoading).count() + leaving.size();
            if (left == 0) {
                break;
            }
            tablets.saw(left);
            if (tablets.isOver()) {
                throw new UnavailableException(left + " tablets are still here");
            }
            scheduler.pause(haveFailed ? AGAIN_MILLIS : LOOK_MILLIS);
        }
    }
}
