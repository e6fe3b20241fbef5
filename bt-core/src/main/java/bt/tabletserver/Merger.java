package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.FencedException;
import bt.base.Futures;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.model.TableSchema;
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
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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
    private final TabletMemory memory;
    private final Patience patience;
    private final CompactionCounts counts = new CompactionCounts();

    /** One for thousands of tablets perhaps. */
    private final BigtableException noMemory = new OverloadedException(
                    "it would make more files of the tablet, and the server's tablets take more than their share of its memory:"
                            + " it goes on when files are merged, tables dropped, or tablets moved to another server",
                    TabletMemory.RETRY_MILLIS)
            .bare();

    Merger(Scheduler scheduler, Pools pools, Throttle throttle, FileNames names, TabletMemory memory) {
        this.scheduler = scheduler;
        this.pools = pools;
        this.throttle = throttle;
        this.names = names;
        this.memory = memory;
        this.patience = new Patience(scheduler.clock());
    }

    /** Of compactions of files, and of what {@link Compactor} does. */
    CompactionCounts counts() {
        return counts;
    }

    /** Files, or a memtable, were written to these. */
    void wrote(HostedTablet hosted, Compacted compacted) {
        counts.wrote(hosted.id(), compacted);
        memory.wrote(hosted.tablet(), compacted);
    }

    /** Of all compactions with what does not answer. */
    Patience patience() {
        return patience;
    }

    /** Sees to it that the tablet's files are compacted as they should be. Returns at once. */
    void look(HostedTablet hosted) {
        Optional<Task> next = plan(hosted);
        if (next.isEmpty()) {
            return;
        }
        MergeLine line = line(hosted.tablet().compactions(), next.get());
        AtomicBoolean queued = hosted.merging().queued(line);
        if (queued.compareAndSet(false, true)) {
            try {
                pools.merges(hosted.id(), line).execute(() -> {
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

    /** One that somebody has asked for does what a promise wants, too, which must not wait for what others have asked for. */
    private static MergeLine line(Compactions compactions, Task next) {
        if (compactions.areBehind()) {
            return MergeLine.CROWDED;
        }
        Optional<CompactionPlan> due = next.asked().isPresent() ? compactions.plan() : Optional.of(next.plan());
        return due.filter(plan -> plan.reason() == CompactionPlan.Reason.PURGE).isPresent()
                ? MergeLine.PROMISED
                : MergeLine.USUAL;
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
            if (all.isPresent() && compactions.mustWait(all.get())) {
                putOff(hosted, asked.getAsLong());
            } else if (all.isPresent()) {
                return Optional.of(new Task(all.get(), asked));
            }
        }
        return compactions.plan().map(plan -> new Task(plan, OptionalLong.empty()));
    }

    /** As one that has failed: it rests, and who has asked is told why. */
    private void putOff(HostedTablet hosted, long asked) {
        AskedCompaction compaction = hosted.merging().asked();
        lookLater(
                hosted,
                TimeUnit.NANOSECONDS.toMillis(
                        compaction.fail(asked, noMemory, scheduler.clock().nanos())));
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
            return Pace.AT_ONCE;
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
            wrote(hosted, compacted);
            String event = (task.plan().isMajor() ? "major" : "merging") + " compaction, "
                    + task.plan().reason();
            Unnamed written = new Unnamed(compacted, compacted::in, event);
            CompletableFuture<?> unused = pools.hasten(installed(hosted, written, pools.idlePartings(hosted.id())))
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

    /** Ends when METADATA has named it or never will. Where that does not answer it is asked again, by a job of its own each time. */
    private CompletableFuture<Void> installed(HostedTablet hosted, Unnamed written, Executor threads) {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        CompletableFuture<?> unused = hosted.jobs()
                .submit(
                        () -> {
                            try {
                                install(hosted, written);
                                ended.complete(null);
                            } catch (BigtableException failed) {
                                if (!written.isInDoubt()) {
                                    throw failed;
                                }
                                log.warn("{}: compaction of files: {}; asked again", hosted.id(), failed.getMessage());
                                hosted.merging().doubt();
                                scheduler.after(
                                        RETRY_MILLIS,
                                        () -> Futures.pass(
                                                installed(hosted, written, pools.retries(hosted.id())), ended));
                            }
                        },
                        threads)
                .whenComplete((done, failure) -> {
                    if (failure != null) {
                        ended.completeExceptionally(failure);
                    }
                });
        return ended;
    }

    /** One of the tablet's jobs. */
    private void install(HostedTablet hosted, Unnamed written) throws BigtableException, InterruptedException {
        if (!hosted.tablet().files().containsAll(written.compacted().replaced())) {
            // Unloaded meanwhile: what was written is nobody's.
            settle(written);
            return;
        }
        // Opened before METADATA names it, and METADATA before the view, as for a minor compaction. The old files stay
        // where they are: reads may be at work on them, and nobody but the sweep of files that nothing names deletes
        // any.
        try (Prepared opened = prepare(hosted, written)) {
            name(hosted, written);
            hosted.tablet().install(opened);
        }
    }

    /**
     * Has METADATA name what was written: done or refused, nobody will come to name it. Any other failure leaves it in doubt, and it
     * is to be named again, by one of the tablet's jobs.
     */
    void name(HostedTablet hosted, Unnamed written) throws BigtableException, InterruptedException {
        written.ask();
        try {
            hosted.row().serve(written.change(), written.event(), patience.metadataMillis());
        } catch (RejectedException | FencedException refused) {
            settle(written);
            throw refused;
        } catch (UnavailableException | OverloadedException noAnswer) {
            patience.wasInVain();
            throw noAnswer;
        }
        settle(written);
    }

    /** METADATA names it, or nobody will have it named any more. */
    void settle(Unnamed written) {
        written.settle();
        names.settle(written.compacted().written());
    }

    private Prepared prepare(HostedTablet hosted, Unnamed written) throws BigtableException {
        try {
            return hosted.tablet().prepare(written.compacted());
        } catch (BigtableException unreadable) {
            if (!written.isInDoubt()) {
                settle(written);
            }
            throw unreadable;
        }
    }
}
