package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.OverloadedException;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.model.TabletId;
import bt.record.FileReference;
import bt.record.TabletState;
import bt.tablet.Frozen;
import bt.tablet.MinorCompaction;
import bt.tablet.OpenWrites;
import bt.tablet.Tablet;
import bt.tablet.TabletContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Minor compactions: when the commit thread wants one, and when somebody asks for a flush. Any thread. */
final class Compactor {
    private static final Logger log = LoggerFactory.getLogger(Compactor.class);
    private static final long FREEZE_MILLIS = 60_000;
    private static final long RETRY_MILLIS = 1_000;

    private final Scheduler scheduler;
    private final TabletContext context;
    private final Merger merger;

    /** Tablets whose compaction was requested and has not ended. */
    private final Set<TabletId> requested = ConcurrentHashMap.newKeySet();

    Compactor(Scheduler scheduler, TabletContext context, Merger merger) {
        this.scheduler = scheduler;
        this.context = context;
        this.merger = merger;
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

    /** Completes when all that is in the memtable now is in files. */
    CompletableFuture<Void> flush(HostedTablet hosted) {
        return hosted.jobs().submit(() -> compact(hosted));
    }

    /** One of the tablet's jobs. */
    void compact(HostedTablet hosted) throws BigtableException, InterruptedException {
        scheduler.await(hosted.queue().freeze(hosted), FREEZE_MILLIS);
        writeFrozen(hosted);
    }

    /** Brings all that is frozen into files, in order. One of the tablet's jobs. */
    void writeFrozen(HostedTablet hosted) throws BigtableException, InterruptedException {
        for (Frozen frozen = hosted.unwritten().peek();
                frozen != null;
                frozen = hosted.unwritten().peek()) {
            Frozen oldest = frozen;
            List<FileReference> written = write(oldest);
            // METADATA before the view: should we die in between, the next server reads the files that METADATA names
            // and needs no log below the redo point. In the other order we would serve from files that nobody names.
            hosted.row().serve(state -> named(state, oldest, written), "minor compaction");
            hosted.unwritten().remove();
            install(hosted.tablet(), oldest, written);
        }
        merger.look(hosted);
    }

    /** Whether the files of a tablet that was just loaded are to be compacted. */
    void look(HostedTablet hosted) {
        merger.look(hosted);
    }

    /** What is frozen has no other way out of memory, so a bad day is waited out. */
    List<FileReference> write(Frozen frozen) throws BigtableException, InterruptedException {
        while (true) {
            try {
                List<FileReference> written = new ArrayList<>(MinorCompaction.write(frozen, context));
                OpenWrites.write(frozen.open(), frozen.schema(), context).ifPresent(written::add);
                return written;
            } catch (UnavailableException | OverloadedException notNow) {
                log.warn("minor compaction: {}; tried again", notNow.getMessage());
                scheduler.pause(RETRY_MILLIS);
            }
        }
    }

    /** From files that METADATA names already. Where they cannot be opened the frozen memtable goes on serving. */
    void install(Tablet tablet, Frozen frozen, List<FileReference> written) throws InterruptedException {
        while (true) {
            try {
                tablet.install(frozen, written);
                return;
            } catch (UnavailableException | OverloadedException notNow) {
                log.warn("{}: {}; tried again", tablet.id(), notNow.getMessage());
                scheduler.pause(RETRY_MILLIS);
            } catch (BigtableException unreadable) {
                log.error("{}: what was just written cannot be read: {}", tablet.id(), unreadable.getMessage());
                return;
            }
        }
    }

    /** The state with the files in it and the redo point behind them. Naming them twice is naming them once. */
    static TabletState named(TabletState state, Frozen frozen, List<FileReference> written) {
        List<FileReference> files = new ArrayList<>(state.getFiles());
        // What is still open of those is among what was open at this freeze.
        files.removeIf(file -> OpenWrites.isFile(file) && !written.contains(file));
        for (FileReference file : written) {
            if (!files.contains(file)) {
                files.add(file);
            }
        }
        return TabletState.newBuilder(state)
                .setFiles(files)
                .setRedoPoint(Math.max(state.getRedoPoint(), frozen.redoPoint()))
                .setLastServerTimestamp(Math.max(state.getLastServerTimestamp(), frozen.lastServerTimestamp()))
                .build();
    }
}
