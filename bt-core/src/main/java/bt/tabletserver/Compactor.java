package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.Failures;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.record.CompactionReport;
import bt.record.FileReference;
import bt.record.TabletState;
import bt.tablet.Compacted;
import bt.tablet.Frozen;
import bt.tablet.OpenWrites;
import bt.tablet.Pace;
import bt.tablet.Prepared;
import bt.tablet.TabletContext;
import bt.tabletserver.TabletJobs.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Minor compactions: when the commit thread wants one, and when somebody asks for a flush. Where files would be merged with
 * what it writes at once, both are done in one (section 5.4 of the paper). Any thread.
 */
final class Compactor {
    private static final Logger log = LoggerFactory.getLogger(Compactor.class);
    /** Of a value that is longer no more counts: while its file waits all of it is in buffers. */
    private static final int MOST_PACED_BYTES = 1 << 20;

    private static final long FREEZE_MILLIS = 60_000;
    private static final long RETRY_MILLIS = 1_000;

    /** Of a tablet for which that has not helped for a while. */
    private static final long LONG_RETRY_MILLIS = 10_000;

    /** For so long a bad day of the file store is waited out, on a thread that others wait for too. */
    private static final long PATIENCE_NANOS = 30_000_000_000L;

    private final Scheduler scheduler;
    private final TabletContext context;
    private final Merger merger;
    private final Pools pools;

    /** One for thousands of tablets perhaps, and told to nobody. */
    private final BigtableException unwanted =
            new RejectedException("nobody wants it flushed", "ask for it again if you do").bare();

    /** What all flushes share that nobody waits for. */
    private final Throttle flushes;

    /** Tablets whose compaction was requested and has not ended. */
    private final Set<TabletId> requested = ConcurrentHashMap.newKeySet();

    Compactor(Scheduler scheduler, TabletContext context, Merger merger, Pools pools) {
        this.scheduler = scheduler;
        this.context = context;
        this.merger = merger;
        this.pools = pools;
        this.flushes = new Throttle(scheduler, Long.MAX_VALUE);
    }

    /** One for all requests that come before it ends; after one that failed, not at once. */
    void request(HostedTablet hosted) {
        CompletableFuture<?> unused = flushOnce(hosted);
    }

    /**
     * For one whose time has come: in its table's turn, if it still has then, for memory may have needed it meanwhile. What is
     * refused, or fails, is asked for again at the next look.
     */
    void requestDue(HostedTablet hosted) {
        pools.dueFlushes().ask(hosted, () -> hosted.tablet().compactions().flushIsDue(), () -> flushOnce(hosted));
    }

    /** The same for the log, which is to become shorter. */
    void requestForLog(HostedTablet hosted) {
        pools.logFlushes().ask(hosted, () -> true, () -> flushOnce(hosted));
    }

    /** Unless one is requested; never in wait for a turn. */
    private CompletableFuture<Void> flushOnce(HostedTablet hosted) {
        if (!requested.add(hosted.id())) {
            return CompletableFuture.completedFuture(null);
        }
        return flush(hosted, pace(hosted)).whenComplete((done, failure) -> {
            if (failure == null) {
                requested.remove(hosted.id());
            } else {
                log.error("{}: minor compaction: {}", hosted.id(), failure.getMessage());
                // Sooner than it is asked for again.
                scheduler.after(
                        retryMillis(hosted, scheduler.clock().nanos()) - RETRY_MILLIS,
                        () -> requested.remove(hosted.id()));
            }
        });
    }

    /**
     * For whoever asks for it, of many tablets perhaps: in the turn of the one that it is for. Completes when all that is in the
     * memtable now is in files; REJECTED when nobody wants it any more when its turn has come.
     */
    CompletableFuture<Void> flushInTurn(HostedTablet hosted, String whose, BooleanSupplier isWanted) {
        return pools.flushes()
                .begin(
                        whose,
                        () -> isWanted.getAsBoolean()
                                ? hasten(flush(hosted, Pace.AT_ONCE))
                                : CompletableFuture.failedFuture(unwanted));
    }

    /** Until that is done no flush keeps to a pace: it needs their threads, or waits behind one. */
    <T> CompletableFuture<T> hasten(CompletableFuture<T> work) {
        return pools.hasten(work);
    }

    /**
     * The same of a job of the tablet until its first part is over: what is left of it waits for METADATA alone, which may be long. The
     * job itself.
     */
    CompletableFuture<Void> submitHastened(HostedTablet hosted, Part job, Executor threads, Executor later) {
        CompletableFuture<Void> firstPart = new CompletableFuture<>();
        CompletableFuture<?> unused = hasten(firstPart);
        Part told = () -> {
            try {
                return job.run();
            } finally {
                firstPart.complete(null);
            }
        };
        // Or it never began.
        return hosted.jobs().submit(told, threads, later).whenComplete((done, failure) -> firstPart.complete(null));
    }

    private CompletableFuture<Void> flush(HostedTablet hosted, Pace pace) {
        boolean isAgain = hosted.merging().flushTrouble().isNow();
        return hosted.jobs()
                .submit(() -> compact(hosted, pace), isAgain ? pools.retries(hosted.id()) : pools.jobs(hosted.id()));
    }

    /** Twice as fast as memtables fill, unless somebody waits: see {@link CommitQueue#flushBytesPerSecond}. METADATA's are small. */
    private Pace pace(HostedTablet hosted) {
        if (hosted.id().tableId() == TableSchema.METADATA_ID) {
            return Pace.AT_ONCE;
        }
        return bytes -> {
            if (!pools.isHastened() && !hosted.jobs().areWaitedFor()) {
                flushes.spend(Math.min(bytes, MOST_PACED_BYTES), hosted.queue().flushBytesPerSecond());
            }
        };
    }

    /** One of the tablet's jobs. */
    void compact(HostedTablet hosted) throws BigtableException, InterruptedException {
        compact(hosted, Pace.AT_ONCE);
    }

    private void compact(HostedTablet hosted, Pace pace) throws BigtableException, InterruptedException {
        if (!hosted.unwritten().isEmpty()) {
            // Left by an attempt that failed: with each that fails there would be one more.
            writeFrozen(hosted, Way.patient(frozen -> write(hosted, frozen, pace)));
        }
        scheduler.await(hosted.queue().freeze(hosted), FREEZE_MILLIS);
        // With files that would be merged next, unless they are being compacted.
        boolean withFiles = hosted.merging().reserve();
        try {
            writeFrozen(
                    hosted,
                    Way.patient(
                            withFiles
                                    ? frozen -> writeWithFiles(hosted, frozen, pace)
                                    : frozen -> write(hosted, frozen, pace)));
        } finally {
            boolean isKept = hosted.merging()
                    .unnamed()
                    .filter(files -> !files.compacted().replaced().isEmpty())
                    .isPresent();
            if (withFiles && !isKept) {
                hosted.merging().free();
            }
        }
        merger.look(hosted);
    }

    /** Brings all that is frozen into files of its own, in order. One of the tablet's jobs. */
    void writeFrozen(HostedTablet hosted) throws BigtableException, InterruptedException {
        writeFrozen(hosted, Way.patient(frozen -> write(hosted, frozen, Pace.AT_ONCE)));
        merger.look(hosted);
    }

    /**
     * The same of a tablet that takes no writes meanwhile: where the file store does not take a file at once this fails, so that the
     * tablet takes writes again.
     */
    void writeFrozenAtOnce(HostedTablet hosted) throws BigtableException, InterruptedException {
        writeFrozen(hosted, new Way(frozen -> writeOnce(hosted, frozen, Pace.AT_ONCE), false));
        merger.look(hosted);
    }

    /**
     * Brings all that is frozen of a tablet that takes no writes into files, which are named when it is given up, or fails at once. It
     * is read from memory until then, and the log keeps what is in it. One of the tablet's jobs.
     */
    Parting part(HostedTablet hosted) throws BigtableException, InterruptedException {
        List<Parting.Flushed> flushed = new ArrayList<>();
        boolean done = false;
        try {
            for (Frozen frozen : hosted.unwritten()) {
                flushed.add(new Parting.Flushed(
                        frozen, counted(hosted, frozen, next -> writeOnce(hosted, next, Pace.AT_ONCE))));
            }
            done = true;
            return new Parting(flushed, hosted.unread());
        } catch (BigtableException | RuntimeException | Error failed) {
            failed(hosted, failed, false);
            throw failed;
        } finally {
            if (!done) {
                new Parting(flushed, hosted.unread()).settle(context.names());
            }
        }
    }

    /** METADATA says that the tablet has left, and names its files: the log need not keep anything for it any more. */
    void parted(HostedTablet hosted, Parting parting) {
        parting.settle(context.names());
        hosted.merging().unnamed().ifPresent(merger::settle);
        hosted.merging().settled();
        hosted.unwritten().clear();
    }

    private void writeFrozen(HostedTablet hosted, Way how) throws BigtableException, InterruptedException {
        try {
            writeAllFrozen(hosted, how);
            hosted.merging().flushTrouble().over();
        } catch (BigtableException | RuntimeException | Error failed) {
            failed(hosted, failed, how.isPatient());
            throw failed;
        }
    }

    /** What is frozen has no other way out of memory, and nobody else may ask for it again. */
    private void failed(HostedTablet hosted, Throwable failure, boolean wasPatient) {
        Trouble trouble = hosted.merging().flushTrouble();
        long now = scheduler.clock().nanos();
        trouble.failed(Failures.said(failure), now);
        if (wasPatient) {
            merger.patience().wasInVain();
        }
        // Later than who had requested it may do so again.
        scheduler.after(retryMillis(hosted, now), () -> {
            if (!hosted.unwritten().isEmpty() && !hosted.tablet().isClosed()) {
                request(hosted);
            }
        });
    }

    private static long retryMillis(HostedTablet hosted, long nowNanos) {
        return hosted.merging().flushTrouble().lasting(nowNanos).isPresent() ? LONG_RETRY_MILLIS : 2 * RETRY_MILLIS;
    }

    private void writeAllFrozen(HostedTablet hosted, Way how) throws BigtableException, InterruptedException {
        for (Frozen frozen = hosted.unwritten().peek();
                frozen != null;
                frozen = hosted.unwritten().peek()) {
            Optional<Unnamed> kept = hosted.merging().unnamed();
            Unnamed written = kept.isPresent() ? kept.get() : unnamed(hosted, frozen, how.writing());
            install(hosted, frozen, written, how.isPatient());
        }
    }

    private Unnamed unnamed(HostedTablet hosted, Frozen oldest, Writing how)
            throws BigtableException, InterruptedException {
        Compacted written = counted(hosted, oldest, how);
        String event = written.replaced().isEmpty() ? "minor compaction" : "merging compaction with the memtable";
        return new Unnamed(written, state -> named(state, oldest, written, hosted.unread()), event);
    }

    private void install(HostedTablet hosted, Frozen oldest, Unnamed written, boolean isPatient)
            throws BigtableException, InterruptedException {
        try (Prepared opened = prepare(hosted, written, isPatient)) {
            // METADATA before the view: should we die in between, the next server reads the files that METADATA
            // names and needs no log below the redo point. In the other order we would serve from files that
            // nobody names.
            merger.name(hosted, written);
            hosted.unwritten().remove();
            hosted.tablet().install(oldest, opened);
        } finally {
            if (written.isInDoubt()) {
                hosted.merging().keep(written);
            } else {
                hosted.merging().settled();
            }
        }
    }

    private Compacted counted(HostedTablet hosted, Frozen frozen, Writing how)
            throws BigtableException, InterruptedException {
        CompactionCounts counts = merger.counts();
        counts.flushBegins(hosted.id());
        try {
            Compacted written = how.write(frozen);
            merger.wrote(hosted, written);
            return written;
        } finally {
            counts.flushEnds(hosted.id());
        }
    }

    /** Compactions of memtables and of files alone, so far. */
    CompactionReport report() {
        return merger.counts().report();
    }

    /** One way to bring a frozen memtable into files. */
    @FunctionalInterface
    private interface Writing {
        Compacted write(Frozen frozen) throws BigtableException, InterruptedException;
    }

    /** The same, and whether a bad moment of the file store is waited out. */
    private record Way(Writing writing, boolean isPatient) {
        static Way patient(Writing writing) {
            return new Way(writing, true);
        }
    }

    private Compacted writeWithFiles(HostedTablet hosted, Frozen frozen, Pace pace)
            throws BigtableException, InterruptedException {
        try {
            // It frees memory, on which writers may wait: it waits for no compaction of files.
            Compacted flushed = hosted.tablet().compactions().flush(frozen, pace);
            return withOpenWrites(flushed, frozen);
        } catch (BigtableException failed) {
            // One of the files may be at fault, and the memtable must not wait for it.
            log.warn("{}: merging compaction with the memtable: {}", hosted.id(), failed.getMessage());
            merger.lookAfterRest(hosted);
            return write(hosted, frozen, pace);
        }
    }

    /** With what does not answer. */
    Patience patience() {
        return merger.patience();
    }

    /** See {@link Merger#isCrowded}. */
    boolean isCrowded(HostedTablet hosted) {
        return merger.isCrowded(hosted);
    }

    /** Whether the tablet's files are to be compacted. */
    void look(HostedTablet hosted) {
        merger.look(hosted);
    }

    /**
     * Brings into files what a load has replayed, and looks whether the files are to be compacted. The first of the tablet's jobs behind
     * its load: what waits for this is bounded by the memtables' share, in which loads wait for room.
     */
    void begin(HostedTablet hosted) throws InterruptedException {
        try {
            writeFrozen(hosted);
        } catch (BigtableException | RuntimeException | Error failed) {
            // Whatever it was, it is tried again. The logs are kept meanwhile; as long as they are, the tablet cannot
            // move.
            log.error("{}: what was replayed is not in files yet", hosted.id(), failed);
        }
    }

    private Compacted write(HostedTablet hosted, Frozen frozen, Pace pace)
            throws BigtableException, InterruptedException {
        return patiently(hosted, () -> writeOnce(hosted, frozen, pace));
    }

    private Compacted writeOnce(HostedTablet hosted, Frozen frozen, Pace pace)
            throws BigtableException, InterruptedException {
        return withOpenWrites(hosted.tablet().compactions().writeAlone(frozen, pace), frozen);
    }

    /** One thing that is done for a memtable to become a file. */
    @FunctionalInterface
    private interface Attempt<T> {
        T make() throws BigtableException, InterruptedException;
    }

    /**
     * What is frozen has no other way out of memory, so a bad moment of the file store is waited out. Of a tablet for which that has
     * not helped each attempt is one, and of others for a while: loads wait for the thread.
     */
    private <T> T patiently(HostedTablet hosted, Attempt<T> attempt) throws BigtableException, InterruptedException {
        Trouble trouble = hosted.merging().flushTrouble();
        boolean isPatient = !trouble.isNow() && merger.patience().isThere();
        long beganNanos = scheduler.clock().nanos();
        while (true) {
            try {
                return attempt.make();
            } catch (UnavailableException | OverloadedException notNow) {
                long now = scheduler.clock().nanos();
                trouble.failed(notNow.getMessage(), now);
                if (!isPatient || now - beganNanos >= PATIENCE_NANOS) {
                    throw notNow;
                }
                log.warn("{}: minor compaction: {}; tried again", hosted.id(), notNow.getMessage());
                scheduler.pause(RETRY_MILLIS);
            }
        }
    }

    private Compacted withOpenWrites(Compacted flushed, Frozen frozen) throws BigtableException {
        boolean done = false;
        try {
            Compacted all = OpenWrites.write(frozen.open(), frozen.schema(), context)
                    .map(flushed::with)
                    .orElse(flushed);
            done = true;
            return all;
        } finally {
            if (!done) {
                context.names().settle(flushed.written());
            }
        }
    }

    /** What was just written, opened. Where that fails nothing names it, unless METADATA was asked to, and it is written again. */
    private Prepared prepare(HostedTablet hosted, Unnamed written, boolean isPatient)
            throws BigtableException, InterruptedException {
        boolean done = false;
        try {
            Attempt<Prepared> attempt = () -> hosted.tablet().prepare(written.compacted());
            Prepared opened = isPatient ? patiently(hosted, attempt) : attempt.make();
            done = true;
            return opened;
        } finally {
            if (!done && !written.isInDoubt()) {
                merger.settle(written);
            }
        }
    }

    /**
     * The state with the files in it and the redo point behind them. What a load has replayed is the oldest that can be
     * frozen, so whatever is written first brings it into files, and no log of a dead server is needed any more. Naming them
     * twice is naming them once.
     */
    static TabletState named(TabletState state, Frozen frozen, Compacted flushed, UnreadWrites unread) {
        List<FileReference> files = new ArrayList<>(state.getFiles());
        files.removeAll(flushed.replaced());
        // What is still open of those is among what was open at this freeze, unless they could not be read.
        files.removeIf(file -> OpenWrites.isFile(file) && !flushed.written().contains(file) && !unread.holds(file));
        for (FileReference file : flushed.written()) {
            if (!files.contains(file)) {
                files.add(file);
            }
        }
        return TabletState.newBuilder(state)
                .setFiles(files)
                .setLogs(List.of())
                .setRedoPoint(Math.max(state.getRedoPoint(), frozen.redoPoint()))
                .setLastServerTimestamp(Math.max(state.getLastServerTimestamp(), frozen.lastServerTimestamp()))
                .setOldestReadableSequence(Math.max(state.getOldestReadableSequence(), flushed.oldestReadable()))
                .build();
    }
}
