package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.model.TabletId;
import bt.record.CompactionReport;
import bt.record.FileReference;
import bt.record.TabletState;
import bt.tablet.Compacted;
import bt.tablet.Frozen;
import bt.tablet.MinorCompaction;
import bt.tablet.OpenWrites;
import bt.tablet.Prepared;
import bt.tablet.Tablet;
import bt.tablet.TabletContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Minor compactions: when the commit thread wants one, and when somebody asks for a flush. Where files would be merged with
 * what it writes at once, both are done in one (section 5.4 of the paper). Any thread.
 */
final class Compactor {
    private static final Logger log = LoggerFactory.getLogger(Compactor.class);
    private static final long FREEZE_MILLIS = 60_000;
    private static final long RETRY_MILLIS = 1_000;

    private final Scheduler scheduler;
    private final TabletContext context;
    private final Merger merger;
    private final FewAtOnce asked;

    /** Tablets whose compaction was requested and has not ended. */
    private final Set<TabletId> requested = ConcurrentHashMap.newKeySet();

    /** {@code asked} are the flushes that somebody asks for. */
    Compactor(Scheduler scheduler, TabletContext context, Merger merger, FewAtOnce asked) {
        this.scheduler = scheduler;
        this.context = context;
        this.merger = merger;
        this.asked = asked;
    }

    /** One for all requests that come before it ends; after one that failed, not at once. */
    void request(HostedTablet hosted) {
        if (requested.add(hosted.id())) {
            CompletableFuture<?> unused = flush(hosted).whenComplete((done, failure) -> {
                if (failure == null) {
                    requested.remove(hosted.id());
                } else {
                    log.error("{}: minor compaction: {}", hosted.id(), failure.getMessage());
                    scheduler.after(RETRY_MILLIS, () -> requested.remove(hosted.id()));
                }
            });
        }
    }

    /**
     * For whoever asks for it, of many tablets perhaps: in its turn. Completes when all that is in the memtable now is in files;
     * REJECTED when nobody wants it any more when its turn has come.
     */
    CompletableFuture<Void> flushInTurn(HostedTablet hosted, BooleanSupplier isWanted) {
        return asked.begin(() -> isWanted.getAsBoolean()
                ? flush(hosted)
                : CompletableFuture.failedFuture(
                        new RejectedException(hosted.tablet().subject() + ": nobody wants it flushed")));
    }

    private CompletableFuture<Void> flush(HostedTablet hosted) {
        return hosted.jobs().submit(() -> compact(hosted));
    }

    /** One of the tablet's jobs. */
    void compact(HostedTablet hosted) throws BigtableException, InterruptedException {
        scheduler.await(hosted.queue().freeze(hosted), FREEZE_MILLIS);
        // With files that would be merged next, unless they are being compacted.
        boolean withFiles = hosted.merging().reserve();
        try {
            writeFrozen(hosted, withFiles ? frozen -> writeWithFiles(hosted, frozen) : this::write);
        } finally {
            if (withFiles) {
                hosted.merging().free();
            }
        }
        merger.look(hosted);
    }

    /** Brings all that is frozen into files of its own, in order. One of the tablet's jobs. */
    void writeFrozen(HostedTablet hosted) throws BigtableException, InterruptedException {
        writeFrozen(hosted, this::write);
        merger.look(hosted);
    }

    /**
     * Brings all that is frozen of a tablet that takes no writes into files, which are named when it is given up. It is read
     * from memory until then, and the log keeps what is in it. One of the tablet's jobs.
     */
    Parting part(HostedTablet hosted) throws BigtableException, InterruptedException {
        List<Parting.Flushed> flushed = new ArrayList<>();
        boolean done = false;
        try {
            for (Frozen frozen : hosted.unwritten()) {
                flushed.add(new Parting.Flushed(frozen, counted(hosted, frozen, this::write)));
            }
            done = true;
            return new Parting(flushed);
        } finally {
            if (!done) {
                new Parting(flushed).settle(context.names());
            }
        }
    }

    /** METADATA says that the tablet has left, and names its files: the log need not keep anything for it any more. */
    void parted(HostedTablet hosted, Parting parting) {
        parting.settle(context.names());
        hosted.unwritten().clear();
    }

    private void writeFrozen(HostedTablet hosted, Writing how) throws BigtableException, InterruptedException {
        for (Frozen frozen = hosted.unwritten().peek();
                frozen != null;
                frozen = hosted.unwritten().peek()) {
            Frozen oldest = frozen;
            Compacted written = counted(hosted, oldest, how);
            String event = written.replaced().isEmpty() ? "minor compaction" : "merging compaction with the memtable";
            try (Prepared opened = prepare(hosted.tablet(), written)) {
                // METADATA before the view: should we die in between, the next server reads the files that METADATA
                // names and needs no log below the redo point. In the other order we would serve from files that
                // nobody names.
                hosted.row().serve(state -> named(state, oldest, written), event);
                context.names().settle(written.written());
                hosted.unwritten().remove();
                hosted.tablet().install(oldest, opened);
            }
        }
    }

    private Compacted counted(HostedTablet hosted, Frozen frozen, Writing how)
            throws BigtableException, InterruptedException {
        CompactionCounts counts = merger.counts();
        counts.flushBegins(hosted.id());
        try {
            Compacted written = how.write(frozen);
            counts.wrote(hosted.id(), written);
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

    private Compacted writeWithFiles(HostedTablet hosted, Frozen frozen)
            throws BigtableException, InterruptedException {
        try {
            // It frees memory, on which writers may wait: it waits for no compaction of files.
            Compacted flushed = hosted.tablet().compactions().flush(frozen, bytes -> {});
            return withOpenWrites(flushed, frozen);
        } catch (BigtableException failed) {
            // One of the files may be at fault, and the memtable must not wait for it.
            log.warn("{}: merging compaction with the memtable: {}", hosted.id(), failed.getMessage());
            merger.lookAfterRest(hosted);
            return write(frozen);
        }
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
     * Brings into files what a load has replayed, and looks whether the files are to be compacted. In the job that has
     * loaded the tablet, so that no more than its threads hold is replayed and not yet in files.
     */
    void begin(HostedTablet hosted) throws InterruptedException {
        try {
            writeFrozen(hosted);
        } catch (BigtableException | RuntimeException | Error failed) {
            // Whatever it was, the tablet is served, and must not be taken for one that could not be loaded. The logs
            // are kept
            // meanwhile; as long as they are, the tablet cannot move.
            log.error("{}: what was replayed is not in files yet", hosted.id(), failed);
            scheduler.after(RETRY_MILLIS, () -> {
                if (!hosted.tablet().isClosed()) {
                    CompletableFuture<?> unused = hosted.jobs().submit(() -> begin(hosted));
                }
            });
        }
    }

    /** What is frozen has no other way out of memory, so a bad day is waited out. */
    Compacted write(Frozen frozen) throws BigtableException, InterruptedException {
        while (true) {
            try {
                return withOpenWrites(Compacted.written(MinorCompaction.write(frozen, context)), frozen);
            } catch (UnavailableException | OverloadedException notNow) {
                log.warn("minor compaction: {}; tried again", notNow.getMessage());
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

    /** What was just written, opened. CORRUPTION when it cannot be read: then nothing names it, and it is written again. */
    Prepared prepare(Tablet tablet, Compacted written) throws BigtableException, InterruptedException {
        while (true) {
            try {
                return tablet.prepare(written);
            } catch (UnavailableException | OverloadedException notNow) {
                log.warn("{}: {}; tried again", tablet.id(), notNow.getMessage());
                scheduler.pause(RETRY_MILLIS);
            } catch (BigtableException unreadable) {
                context.names().settle(written.written());
                throw unreadable;
            }
        }
    }

    /**
     * The state with the files in it and the redo point behind them. What a load has replayed is the oldest that can be
     * frozen, so whatever is written first brings it into files, and no log of a dead server is needed any more. Naming them
     * twice is naming them once.
     */
    static TabletState named(TabletState state, Frozen frozen, Compacted flushed) {
        List<FileReference> files = new ArrayList<>(state.getFiles());
        files.removeAll(flushed.replaced());
        // What is still open of those is among what was open at this freeze.
        files.removeIf(file -> OpenWrites.isFile(file) && !flushed.written().contains(file));
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
