package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.Scheduler;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.tablet.Compacted;
import bt.tablet.CompactionPlan;
import bt.tablet.FileNames;
import bt.tablet.Pace;
import bt.tablet.Prepared;
import bt.tablet.Tablet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Merging and major compactions of the tablets served here, one at a time for each. They are written beside the tablet's
 * jobs, so that no minor compaction waits for a long one; only the change of METADATA and of the view is a job. Any thread.
 */
final class Merger {
    private static final Logger log = LoggerFactory.getLogger(Merger.class);
    private static final long RETRY_MILLIS = 10_000;

    private final Scheduler scheduler;
    private final Pools pools;
    private final Throttle throttle;
    private final FileNames names;
    private final Set<TabletId> busy = ConcurrentHashMap.newKeySet();

    /** Whose last compaction failed. */
    private final Set<TabletId> failing = ConcurrentHashMap.newKeySet();

    Merger(Scheduler scheduler, Pools pools, Throttle throttle, FileNames names) {
        this.scheduler = scheduler;
        this.pools = pools;
        this.throttle = throttle;
        this.names = names;
    }

    /** Sees to it that the tablet's files are compacted as they should be. Returns at once. */
    void look(HostedTablet hosted) {
        if (hosted.tablet().compactions().plan().isPresent() && busy.add(hosted.id())) {
            try {
                pools.merges(hosted.id()).execute(() -> compact(hosted));
            } catch (RejectedExecutionException full) {
                lookLater(hosted);
            }
        }
    }

    /**
     * Whether it has so many files that whoever writes has to wait for merging. Not METADATA's, which merging itself writes
     * to; nor a tablet whose files cannot be merged, for one that is damaged would be the end of all writes.
     */
    boolean isCrowded(HostedTablet hosted) {
        return hosted.id().tableId() != TableSchema.METADATA_ID
                && hosted.tablet().compactions().areFarBehind()
                && !failing.contains(hosted.id());
    }

    /** True when no files of the tablet are being compacted, and from then on none are until it is free again. */
    boolean reserve(TabletId id) {
        return busy.add(id);
    }

    void free(TabletId id) {
        busy.remove(id);
    }

    /** What all compactions of files share. METADATA's wait for no user's, nor do those of a tablet with too many files. */
    private Pace pace(Tablet tablet) {
        if (tablet.id().tableId() == TableSchema.METADATA_ID) {
            return bytes -> {};
        }
        return bytes -> {
            if (!tablet.compactions().areBehind()) {
                throttle.spend(bytes);
            }
        };
    }

    private void compact(HostedTablet hosted) {
        try {
            Optional<CompactionPlan> plan = hosted.tablet().compactions().plan();
            if (plan.isPresent()) {
                Compacted compacted = hosted.tablet().compactions().write(plan.get(), pace(hosted.tablet()));
                CompletableFuture<?> unused = hosted.jobs()
                        .submit(() -> install(hosted, compacted, plan.get()))
                        .whenComplete((done, failure) -> end(hosted, failure));
            } else {
                end(hosted, null);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (BigtableException | RuntimeException failed) {
            end(hosted, failed);
        }
    }

    /** Another look at once, for what has come meanwhile; after a failure later. */
    private void end(HostedTablet hosted, @Nullable Throwable failure) {
        if (failure == null) {
            failing.remove(hosted.id());
            busy.remove(hosted.id());
            look(hosted);
        } else {
            log.warn("{}: compaction of files: {}", hosted.id(), failure.getMessage());
            failing.add(hosted.id());
            lookLater(hosted);
        }
    }

    private void lookLater(HostedTablet hosted) {
        scheduler.after(RETRY_MILLIS, () -> {
            busy.remove(hosted.id());
            if (hosted.tablet().isClosed()) {
                failing.remove(hosted.id());
            } else {
                look(hosted);
            }
        });
    }

    /** One of the tablet's jobs. */
    private void install(HostedTablet hosted, Compacted compacted, CompactionPlan plan)
            throws BigtableException, InterruptedException {
        if (!hosted.tablet().files().containsAll(compacted.replaced())) {
            // Unloaded meanwhile: what was written is nobody's.
            names.settle(compacted.written());
            return;
        }
        // Opened before METADATA names it, and METADATA before the view, as for a minor compaction. The old files stay
        // where they are: reads may be at work on them, and nobody but the sweep of files that nothing names deletes
        // any.
        try (Prepared opened = prepare(hosted, compacted)) {
            hosted.row().serve(compacted::in, (plan.isMajor() ? "major" : "merging") + " compaction, " + plan.reason());
            names.settle(compacted.written());
            hosted.tablet().install(opened);
        }
    }

    private Prepared prepare(HostedTablet hosted, Compacted compacted) throws BigtableException {
        try {
            return hosted.tablet().prepare(compacted);
        } catch (BigtableException unreadable) {
            names.settle(compacted.written());
            throw unreadable;
        }
    }
}
