package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.FencedException;
import bt.base.RejectedException;
import bt.base.Scheduler;
import bt.model.TableSchema;
import bt.record.TabletState;
import bt.tablet.Compacted;
import bt.tablet.CompactionPlan;
import bt.tablet.Compactions;
import bt.tablet.FileNames;
import bt.tablet.Pace;
import bt.tablet.Prepared;
import bt.tablet.Tablet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
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
    private final CompactionCounts counts = new CompactionCounts();

    Merger(Scheduler scheduler, Pools pools, Throttle throttle, FileNames names) {
        this.scheduler = scheduler;
        this.pools = pools;
        this.throttle = throttle;
        this.names = names;
    }

    /** Of compactions of files, and of what {@link Compactor} does. */
    CompactionCounts counts() {
        return counts;
    }

    /** Sees to it that the tablet's files are compacted as they should be. Returns at once. */
    void look(HostedTablet hosted) {
        if (plan(hosted).isEmpty()) {
            return;
        }
        boolean first = hosted.tablet().compactions().areBehind();
        AtomicBoolean queued = hosted.merging().queued(first);
        if (queued.compareAndSet(false, true)) {
            try {
                pools.merges(hosted.id(), first).execute(() -> {
                    queued.set(false);
                    // Whoever has it now looks again at the end.
                    if (hosted.merging().reserve()) {
                        compact(hosted);
                    }
                });
            } catch (RejectedExecutionException full) {
                queued.set(false);
                lookLater(hosted, RETRY_MILLIS);
            }
        }
    }

    /** What is next, and which compaction that somebody has asked for is done when it is. */
    private record Task(CompactionPlan plan, OptionalLong asked) {}

    /**
     * One that somebody has asked for goes first, but not while it rests: a file that hinders it must not keep the others
     * from being merged.
     */
    private Optional<Task> plan(HostedTablet hosted) {
        Compactions compactions = hosted.tablet().compactions();
        // Before the files: what is wanted is what lies in those that are there now.
        OptionalLong asked = hosted.merging().asked().wanted(scheduler.clock().nanos());
        if (asked.isPresent()) {
            if (hosted.tablet().files().isEmpty()) {
                hosted.merging().asked().end(asked.getAsLong());
            }
            Optional<CompactionPlan> all = compactions.planAll();
            if (all.isPresent()) {
                return Optional.of(new Task(all.get(), asked));
            }
        }
        return compactions.plan().map(plan -> new Task(plan, OptionalLong.empty()));
    }

    /**
     * Whether it has so many files that whoever writes has to wait for the compaction that is at work on them. Not
     * METADATA's, which that writes to at its end.
     */
    boolean isCrowded(HostedTablet hosted) {
        return hosted.id().tableId() != TableSchema.METADATA_ID
                && hosted.merging().isRunning()
                && hosted.tablet().compactions().areFarBehind();
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
        hosted.merging().run();
        Optional<Task> chosen = Optional.empty();
        try {
            chosen = plan(hosted);
            if (chosen.isEmpty()) {
                hosted.merging().free();
                return;
            }
            counts.mergeBegins(hosted.id());
            Task task = chosen.get();
            Compacted compacted = hosted.tablet().compactions().write(task.plan(), pace(hosted.tablet()));
            counts.wrote(hosted.id(), compacted);
            CompletableFuture<?> unused = hosted.jobs()
                    .submit(() -> install(hosted, compacted, task.plan()))
                    .whenComplete((done, failure) -> end(hosted, task, failure));
        } catch (InterruptedException stopped) {
            chosen.ifPresent(task -> counts.mergeEnds(hosted.id()));
            hosted.merging().free();
            Thread.currentThread().interrupt();
        } catch (BigtableException | RuntimeException | Error failed) {
            // An Error too: a tablet that is taken for busy for ever would never be merged again.
            chosen.ifPresentOrElse(
                    task -> end(hosted, task, failed), () -> hosted.merging().free());
            if (failed instanceof Error error) {
                throw error;
            }
        }
    }

    /** Another look at once, for what has come meanwhile, or for what is next to what could not be done; and later again. */
    private void end(HostedTablet hosted, Task task, @Nullable Throwable failure) {
        counts.mergeEnds(hosted.id());
        if (failure != null) {
            log.warn("{}: compaction of files: {}", hosted.id(), failure.getMessage());
            lookLater(hosted, rest(hosted, task, failure));
        } else {
            task.asked().ifPresent(hosted.merging().asked()::end);
        }
        hosted.merging().free();
        look(hosted);
    }

    /** Returns after how many milliseconds to look again. */
    private long rest(HostedTablet hosted, Task failed, Throwable why) {
        if (failed.asked().isPresent()) {
            long number = failed.asked().getAsLong();
            long nanos =
                    hosted.merging().asked().fail(number, why, scheduler.clock().nanos());
            return TimeUnit.NANOSECONDS.toMillis(nanos);
        }
        hosted.tablet().compactions().fail(failed.plan());
        return restMillis(hosted);
    }

    /** Looks again when what could not be compacted with a memtable has rested. */
    void lookAfterRest(HostedTablet hosted) {
        lookLater(hosted, restMillis(hosted));
    }

    private static long restMillis(HostedTablet hosted) {
        return TimeUnit.NANOSECONDS.toMillis(hosted.tablet().compactions().restNanos()) + 1;
    }

    private void lookLater(HostedTablet hosted, long millis) {
        scheduler.after(millis, () -> {
            if (!hosted.tablet().isClosed()) {
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
            String event = (plan.isMajor() ? "major" : "merging") + " compaction, " + plan.reason();
            name(hosted, compacted, compacted::in, event);
            hosted.tablet().install(opened);
        }
    }

    /** Has METADATA name what was written, by that change of the tablet's row: done or refused, nobody will come to name it. */
    void name(HostedTablet hosted, Compacted compacted, UnaryOperator<TabletState> change, String event)
            throws BigtableException, InterruptedException {
        try {
            hosted.row().serve(change, event);
        } catch (RejectedException | FencedException refused) {
            names.settle(compacted.written());
            throw refused;
        }
        names.settle(compacted.written());
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
