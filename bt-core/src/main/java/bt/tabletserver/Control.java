package bt.tabletserver;

import static bt.base.Check.checkState;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Halt;
import bt.base.Mailbox;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.model.TabletId;
import bt.tabletserver.TabletLoader.Loaded;
import bt.tabletserver.TabletSet.Holding;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the master's commands. Its worker owns the set of tablets; what takes long is done by the tablet's jobs,
 * which tell the worker how it ended.
 */
final class Control {
    private static final Logger log = LoggerFactory.getLogger(Control.class);
    private static final int MAX_WAITING = 100_000;
    private static final long IDLE_MILLIS = 60_000;
    private static final long QUEUE_MILLIS = 60_000;
    private static final long RETRY_MILLIS = 100;

    private final Scheduler scheduler;
    private final TabletSet tablets;
    private final TabletLoader loader;
    private final Compactor compactor;
    private final Pools pools;
    private final CommitQueues queues;
    private final Halt halt;
    private final Mailbox<Runnable> mailbox;

    /** The worker's. */
    private long masterEpoch;

    private boolean stopping;

    Control(
            Scheduler scheduler,
            TabletSet tablets,
            TabletLoader loader,
            Compactor compactor,
            Pools pools,
            CommitQueues queues,
            Halt halt) {
        this.scheduler = scheduler;
        this.tablets = tablets;
        this.loader = loader;
        this.compactor = compactor;
        this.pools = pools;
        this.queues = queues;
        this.halt = halt;
        this.mailbox = scheduler.mailbox(MAX_WAITING);
    }

    /** The worker. */
    void run() throws InterruptedException {
        while (true) {
            Runnable command = mailbox.poll(IDLE_MILLIS);
            if (command != null) {
                command.run();
            }
        }
    }

    /** Completes once the load has begun; METADATA tells when it has ended. Any thread. */
    CompletableFuture<Void> load(TabletId id, long fromMaster) {
        return command(fromMaster, done -> {
            Optional<Holding> holding = tablets.get(id);
            if (stopping) {
                done.completeExceptionally(new UnavailableException("this server stops", Outcome.NOT_APPLIED));
                return;
            }
            if (holding.isEmpty() || holding.get().failure().isPresent()) {
                tablets.put(Holding.loading(id));
                TabletJobs jobs = new TabletJobs(pools.jobs(id));
                CompletableFuture<?> unused = jobs.submit(() -> load(id, jobs)).whenComplete((nothing, bug) -> {
                    if (bug != null) {
                        log.error("{} cannot be loaded", id, bug);
                        boolean told = mailbox.offer(() -> tablets.put(Holding.failed(id, bug.toString())));
                        checkState(told, "%d commands wait", MAX_WAITING);
                    }
                });
            }
            done.complete(null);
        });
    }

    /** Completes once the tablet is nobody's in METADATA, or is not here. Any thread. */
    CompletableFuture<Void> unload(TabletId id, boolean flush, long fromMaster) {
        return command(fromMaster, done -> {
            Optional<Holding> holding = tablets.get(id);
            if (holding.isPresent() && holding.get().isLoading()) {
                done.completeExceptionally(
                        new UnavailableException(id + " is being loaded: ask again", Outcome.NOT_APPLIED));
                return;
            }
            Optional<HostedTablet> hosted = holding.flatMap(Holding::tablet);
            if (hosted.isEmpty()) {
                tablets.remove(id);
                done.complete(null);
                return;
            }
            CompletableFuture<?> unused = unload(hosted.get(), flush).whenComplete((nothing, failure) -> {
                if (failure == null) {
                    done.complete(null);
                } else {
                    done.completeExceptionally(failure);
                }
            });
        });
    }

    /** From now on nothing is loaded. Any thread. */
    CompletableFuture<Void> refuseLoads() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        return enqueue(done, () -> {
            stopping = true;
            done.complete(null);
        });
    }

    /** Files first, then nobody's. Any thread. */
    CompletableFuture<Void> unload(HostedTablet hosted, boolean flush) {
        return hosted.jobs().submit(() -> unloadNow(hosted, flush));
    }

    private void load(TabletId id, TabletJobs jobs) throws InterruptedException {
        try {
            Loaded loaded = loader.load(id);
            HostedTablet hosted = HostedTablet.of(loaded, queues.of(id), jobs);
            adoptOrHalt(hosted, loaded.replayed());
            tell(() -> tablets.put(Holding.serving(hosted)));
            log.info("{} is served here", id);
        } catch (RejectedException notOurs) {
            log.info("{}: {}", id, notOurs.getMessage());
            tell(() -> tablets.remove(id));
        } catch (BigtableException failed) {
            log.error("{} cannot be loaded: {}", id, failed.getMessage());
            tell(() -> tablets.put(Holding.failed(id, failed.getMessage())));
        }
    }

    /**
     * METADATA says already that we serve the tablet. If we cannot, nobody does, and only our end makes the master look
     * for another.
     */
    private void adoptOrHalt(HostedTablet hosted, Outcomes replayed) throws BigtableException, InterruptedException {
        try {
            adopt(hosted, replayed);
        } catch (BigtableException failed) {
            halt.halt(hosted.id() + " is ours in METADATA but cannot be served: " + failed.getMessage());
            throw failed;
        }
    }

    /** A full queue is waited for. */
    private void adopt(HostedTablet hosted, Outcomes replayed) throws BigtableException, InterruptedException {
        while (true) {
            try {
                scheduler.await(hosted.queue().adopt(hosted, replayed), QUEUE_MILLIS);
                return;
            } catch (OverloadedException full) {
                scheduler.pause(RETRY_MILLIS);
            }
        }
    }

    private void unloadNow(HostedTablet hosted, boolean flush) throws BigtableException, InterruptedException {
        if (flush) {
            // While writes still come in: what must be written once they are refused is then small.
            compactor.compact(hosted);
        }
        disownOrHalt(hosted);
        if (flush) {
            try {
                compactor.writeFrozen(hosted);
            } catch (BigtableException failed) {
                adoptOrHalt(hosted, new Outcomes());
                throw failed;
            }
        }
        // Closed before METADATA says so: from then on another server may acknowledge writes that we do not know.
        hosted.tablet().close();
        tell(() -> tablets.remove(hosted.id()));
        try {
            hosted.row().release(state -> state, "unloaded");
        } catch (BigtableException failed) {
            halt.halt(hosted.id() + " is closed, and METADATA cannot be told: " + failed.getMessage());
            throw failed;
        }
        log.info("{} is handed back", hosted.id());
    }

    /** A full queue has not taken the entry; after any other failure it may still be carried out. */
    private void disownOrHalt(HostedTablet hosted) throws BigtableException, InterruptedException {
        try {
            scheduler.await(hosted.queue().disown(hosted), QUEUE_MILLIS);
        } catch (OverloadedException full) {
            throw full;
        } catch (BigtableException unknown) {
            halt.halt(hosted.id() + " may or may not take writes: " + unknown.getMessage());
            throw unknown;
        }
    }

    /** Changes the set of tablets, on the worker. For threads that may wait. */
    private void tell(Runnable change) throws InterruptedException {
        while (!mailbox.offer(change)) {
            scheduler.pause(RETRY_MILLIS);
        }
    }

    private CompletableFuture<Void> command(long fromMaster, Command command) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        return enqueue(done, () -> {
            if (fromMaster < masterEpoch) {
                done.completeExceptionally(new RejectedException(
                        "a master of epoch " + fromMaster + " commands, but one of epoch " + masterEpoch + " has"));
            } else {
                masterEpoch = fromMaster;
                command.run(done);
            }
        });
    }

    private CompletableFuture<Void> enqueue(CompletableFuture<Void> done, Runnable command) {
        if (!mailbox.offer(command)) {
            done.completeExceptionally(
                    new OverloadedException(MAX_WAITING + " commands wait here", CommitQueue.RETRY_AFTER_MILLIS));
        }
        return done;
    }

    @FunctionalInterface
    private interface Command {
        void run(CompletableFuture<Void> done);
    }
}
