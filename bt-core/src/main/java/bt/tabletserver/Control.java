package bt.tabletserver;

import static bt.base.Check.checkState;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Futures;
import bt.base.Halt;
import bt.base.Mailbox;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.model.TabletId;
import bt.record.LogReport;
import bt.record.TabletLocation;
import bt.tabletserver.TabletJobs.Part;
import bt.tabletserver.TabletLoader.Loaded;
import bt.tabletserver.TabletSet.Failure;
import bt.tabletserver.TabletSet.Holding;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
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
    private static final long RETRY_MILLIS = 100;
    private static final long SERVE_MILLIS = 60_000;

    private final Scheduler scheduler;
    private final TabletSet tablets;
    private final SchemaWatch schemas;
    private final TabletLoader loader;
    private final LoadWatch loads;
    private final Compactor compactor;
    private final Pools pools;
    private final CommitQueues queues;
    private final Halt halt;
    private final Adoption adoption;
    private final Undecided undecided;
    private final HandOver handOver;
    private final Mailbox<Runnable> mailbox;

    /** Of the latest master that was heard of. */
    private final AtomicLong masterEpoch = new AtomicLong();

    /** The worker's. */
    private boolean stopping;

    /**
     * The worker's. Unloads that were begun, until the tablet is loaded again: it leaves the set before METADATA knows, and
     * must not be handed back twice.
     */
    private final Map<TabletId, CompletableFuture<Void>> unloading = new HashMap<>();

    /**
     * The worker's. Loads that stood still and were given up, until they have ended: none of them comes to serve, and beside
     * none of them another load of its tablet begins.
     */
    private final Map<TabletId, LoadWatch.Course> givenUp = new HashMap<>();

    Control(
            Scheduler scheduler,
            TabletSet tablets,
            SchemaWatch schemas,
            TabletLoader loader,
            LoadWatch loads,
            Compactor compactor,
            Pools pools,
            CommitQueues queues,
            Halt halt) {
        this.scheduler = scheduler;
        this.tablets = tablets;
        this.schemas = schemas;
        this.loader = loader;
        this.loads = loads;
        this.compactor = compactor;
        this.pools = pools;
        this.queues = queues;
        this.halt = halt;
        this.adoption = new Adoption(scheduler, halt);
        this.undecided = new Undecided(compactor.patience());
        this.handOver = new HandOver(compactor, adoption, undecided, this::leaves, halt);
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
            if (unloading.containsKey(id)
                    && !Objects.requireNonNull(unloading.get(id)).isDone()) {
                // METADATA gives it back to us, and the job that gave it away does not know yet that it has: seeing it
                // served here, it would give it away once more, and both of us would serve it.
                done.completeExceptionally(new UnavailableException(
                        id.inWords() + " is still being handed over: ask again", Outcome.NOT_APPLIED));
                return;
            }
            LoadWatch.Course hung = givenUp.get(id);
            if (hung != null && holding.flatMap(Holding::tablet).isEmpty()) {
                // Told as one that failed, so that another server gets the tablet.
                tablets.put(
                        Holding.failed(id, new Failure(id + ": an earlier load, which was given up, hangs", false)));
            } else if (holding.isEmpty() || holding.get().failure().isPresent()) {
                unloading.remove(id);
                LoadWatch.Course course = loads.begin();
                tablets.put(Holding.loading(id, course));
                boolean unserved = holding.isPresent() && !isPartOfAnother(id);
                Loading loading = new Loading(id, course, unserved, new TabletJobs(pools.jobs(id)));
                submit(loading, () -> load(loading), pools.loads(id), pools.rests(id));
            }
            done.complete(null);
        });
    }

    /** A load that has begun, of what is {@code unserved} here for sure, and the tablet's jobs, of which it is the first. */
    private record Loading(TabletId id, LoadWatch.Course course, boolean unserved, TabletJobs jobs) {}

    private void submit(Loading loading, Part part, Executor threads, Executor later) {
        TabletId id = loading.id();
        LoadWatch.Course course = loading.course();
        CompletableFuture<?> unused = loading.jobs()
                .submit(() -> partOfLoad(id, course, part), threads, later)
                .whenComplete((nothing, bug) -> {
                    if (bug != null) {
                        log.error("{} cannot be loaded", id, bug);
                        if (course.isInLastStep() && !(bug instanceof BigtableException)) {
                            // METADATA may say that we serve it, and then nobody else will.
                            halt.halt(id + " is ours in METADATA, perhaps, and not served: " + bug);
                        }
                        Failure why = new Failure(bug.toString(), false);
                        boolean told = mailbox.offer(() -> ended(id, course, Optional.of(why)));
                        checkState(told, "%d commands wait", MAX_WAITING);
                    }
                });
    }

    /** How a tablet leaves: whether its memory goes to files first, and who is named in METADATA to load it next. */
    record Leave(boolean flush, Optional<TabletLocation> next) {}

    /** Completes once METADATA says that the tablet has left, or it is not here; whoever asks again joins. Any thread. */
    CompletableFuture<Void> unload(TabletId id, Leave how, long fromMaster) {
        return command(fromMaster, done -> unload(id, how, done));
    }

    /** The same with a flush, as this server's own wish. Any thread. */
    CompletableFuture<Void> unload(TabletId id) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        enqueue(done, () -> unload(id, new Leave(true, Optional.empty()), done));
        return done;
    }

    /** What is here when every command that came before has begun or was refused. Any thread. */
    CompletableFuture<Collection<Holding>> holdings() {
        return look(holdings -> holdings);
    }

    /** What the worker makes of that. Any thread. */
    <T> CompletableFuture<T> look(Function<Collection<Holding>, T> maker) {
        CompletableFuture<T> done = new CompletableFuture<>();
        enqueue(done, () -> {
            try {
                done.complete(maker.apply(tablets.all()));
            } catch (RuntimeException bug) {
                done.completeExceptionally(bug);
            }
        });
        return done;
    }

    /** The epoch of the latest master that was heard of, this one included. Any thread. */
    long sawMaster(long epoch) {
        return masterEpoch.accumulateAndGet(epoch, Math::max);
    }

    /** Mutations that loads have taken from logs. Any thread. */
    long replayedMutations() {
        return loader.replayedMutations();
    }

    /** What was done to keep the logs short. Any thread. */
    LogReport logReport() {
        return queues.logReport();
    }

    /** Tablets that come or leave, and cannot, for METADATA does not say whether they have. Any thread. */
    List<String> problems() {
        return undecided.problems(scheduler.clock().nanos());
    }

    /** Whether a tablet that ended there was given up, and METADATA has not said that it has left. Any thread. */
    boolean isLeaving(TabletId id) {
        return undecided.isOpen(id);
    }

    /** Tablets that are closed and none of the set any more, of which METADATA has not said yet that they have left. The worker. */
    List<TabletId> leaving() {
        unloading
                .entrySet()
                .removeIf(unload -> unload.getValue().isDone()
                        && tablets.get(unload.getKey()).isEmpty());
        return unloading.entrySet().stream()
                .filter(unload -> !unload.getValue().isDone()
                        && tablets.get(unload.getKey()).flatMap(Holding::tablet).isEmpty())
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    /** What is here, but for what could not be loaded, and what is {@link #leaving}. Any thread. */
    CompletableFuture<Remaining> remaining() {
        return look(holdings -> new Remaining(
                holdings.stream().filter(holding -> holding.trouble().isEmpty()).toList(), leaving()));
    }

    /** Of what a server had, that of which METADATA may still say that it has it. */
    record Remaining(List<Holding> held, List<TabletId> leaving) {
        int count() {
            return held.size() + leaving.size();
        }
    }

    /** From now on nothing is loaded. Any thread. */
    CompletableFuture<Void> refuseLoads() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        enqueue(done, () -> {
            stopping = true;
            done.complete(null);
        });
        return done;
    }

    /** Both halves of a split serve reads from one moment on, where the tablet did. For threads that may wait. */
    void serve(HostedTablet lower, HostedTablet upper) throws BigtableException, InterruptedException {
        CompletableFuture<Void> done = new CompletableFuture<>();
        tell(() -> {
            // Of an earlier tablet that ended there.
            unloading.remove(lower.id());
            tablets.put(List.of(Holding.serving(lower), Holding.serving(upper)));
            schemas.serves(lower);
            schemas.serves(upper);
            done.complete(null);
        });
        scheduler.await(done, SERVE_MILLIS);
    }

    private void unload(TabletId id, Leave how, CompletableFuture<Void> done) {
        Optional<Holding> holding = tablets.get(id);
        CompletableFuture<Void> underWay = unloading.get(id);
        if (underWay != null && !underWay.isCompletedExceptionally()) {
            Futures.pass(underWay, done);
        } else if (holding.isPresent() && holding.get().isLoading() && !isGivenUp(holding.get())) {
            done.completeExceptionally(
                    new UnavailableException(id.inWords() + " is being loaded: ask again", Outcome.NOT_APPLIED));
        } else if (holding.flatMap(Holding::tablet).isEmpty()) {
            tablets.remove(id);
            done.complete(null);
        } else {
            HostedTablet hosted = holding.get().tablet().get();
            Executor threads = hosted.tablet().isInFiles() ? pools.idlePartings(id) : pools.partings(id);
            CompletableFuture<Void> begun =
                    compactor.submitHastened(hosted, () -> unloadNow(id, how), threads, pools.rests(id));
            unloading.put(id, begun);
            Futures.pass(begun, done);
        }
    }

    /** Whether it stands still, and will change nothing any more. The worker. */
    private boolean isGivenUp(Holding loading) {
        LoadWatch.Course course = loading.course().orElseThrow();
        Optional<Failure> standstill = course.standstill();
        if (standstill.isEmpty() || !course.giveUp()) {
            return false;
        }
        log.warn("{} is given up: {}", loading.id(), standstill.get().why());
        givenUp.put(loading.id(), course);
        return true;
    }

    /** Whether its rows are served here by a tablet that is just being split: METADATA names it before that is done. The worker. */
    private boolean isPartOfAnother(TabletId id) {
        return id.endRow().flatMap(row -> tablets.find(id.tableId(), row)).isPresent();
    }

    private Optional<Part> load(Loading loading) throws BigtableException, InterruptedException {
        Optional<Loaded> loaded = loader.load(loading.id(), loading.course(), loading.unserved());
        if (loaded.isEmpty()) {
            loading.course().step("waits for room among the memtables, for what logs hold of the tablet");
            return awaitRoom(loading);
        }
        return begin(loaded.get(), loading.jobs());
    }

    /** No thread waits: it is looked at now and then whether there is room. */
    private Optional<Part> awaitRoom(Loading loading) {
        Executor inNeed = pools.loadsInNeed(loading.id());
        submit(loading, () -> lookForRoom(loading), inNeed, inNeed);
        return Optional.empty();
    }

    private Optional<Part> lookForRoom(Loading loading) {
        TabletId id = loading.id();
        if (!queues.haveRoom(id)) {
            return Optional.of(() -> lookForRoom(loading));
        }
        // Others that have waited may take it meanwhile.
        Part next = () -> queues.haveRoom(id) ? load(loading) : awaitRoom(loading);
        submit(loading, next, pools.loads(id), pools.rests(id));
        return Optional.empty();
    }

    /** Until METADATA has said that the tablet is served here it is not, and nobody else may have it meanwhile. */
    private Optional<Part> begin(Loaded loaded, TabletJobs jobs) throws BigtableException, InterruptedException {
        TabletId id = loaded.tablet().id();
        Undecided.Told told = new Undecided.Told(
                loaded.tablet().subject() + " is loaded, and METADATA does not say that it is served",
                loaded.row().trouble());
        if (!undecided.isDecided(id, told, millis -> loader.begin(loaded, millis))) {
            return Optional.of(() -> begin(loaded, jobs));
        }
        HostedTablet hosted =
                HostedTablet.of(loaded, queues.of(id), jobs, scheduler.clock().nanos());
        adoption.adoptOrHalt(hosted, loaded.replayed());
        // The next of its jobs, before anybody else can ask for one; other loads wait for the thread that this one has.
        CompletableFuture<?> unused = compactor.hasten(jobs.submit(() -> compactor.begin(hosted), pools.begins(id)));
        tell(() -> {
            tablets.put(Holding.serving(hosted));
            schemas.serves(hosted);
        });
        log.info("{} is served here", id);
        return Optional.empty();
    }

    /** Whatever a load fails with. */
    private Optional<Part> partOfLoad(TabletId id, LoadWatch.Course course, Part part) throws InterruptedException {
        try {
            return part.run().map(rest -> () -> partOfLoad(id, course, rest));
        } catch (RejectedException notOurs) {
            log.info("{}: {}", id, notOurs.getMessage());
            boolean isOurs = isServedHere(id);
            tell(() -> {
                if (isOurs) {
                    haltIfLost(id, course);
                }
                ended(id, course, Optional.empty());
            });
        } catch (BigtableException failed) {
            log.error("{} cannot be loaded: {}", id, failed.getMessage());
            tell(() -> ended(id, course, Optional.of(Failure.of(failed))));
        }
        return Optional.empty();
    }

    /** By METADATA's word; where that cannot be read, the master asks again. */
    private boolean isServedHere(TabletId id) throws InterruptedException {
        try {
            return loader.isServedHere(id);
        } catch (BigtableException unknown) {
            return false;
        }
    }

    /**
     * METADATA says that we serve the tablet, and nothing of ours has come to its place since it was found missing: what we have
     * acknowledged of it is in our log alone, which nobody reads before our end. The worker.
     */
    private void haltIfLost(TabletId id, LoadWatch.Course course) {
        boolean isStillMissing =
                tablets.get(id).flatMap(Holding::course).filter(course::equals).isPresent();
        if (isStillMissing && !isPartOfAnother(id)) {
            halt.halt(id + " is ours in METADATA and is not served here");
        }
    }

    /**
     * A load has ended without a tablet, and unless it was given up, says so in the set. Nor does it if the tablet is served
     * here: after so long a standstill a split may have made it anew. The worker.
     */
    private void ended(TabletId id, LoadWatch.Course course, Optional<Failure> why) {
        boolean isServed = tablets.get(id).flatMap(Holding::tablet).isPresent();
        if (!givenUp.remove(id, course) && !isServed) {
            why.ifPresentOrElse(failure -> tablets.put(Holding.failed(id, failure)), () -> tablets.remove(id));
        }
    }

    /** As it is now: a job that came before may have split it. */
    private Optional<Part> unloadNow(TabletId id, Leave how) throws BigtableException, InterruptedException {
        Optional<HostedTablet> held = tablets.get(id).flatMap(Holding::tablet);
        return held.isPresent() ? handOver.begin(held.get(), how) : Optional.empty();
    }

    /** It is closed. */
    private void leaves(HostedTablet hosted) throws InterruptedException {
        tell(() -> {
            tablets.remove(hosted.id());
            schemas.left(hosted.id());
        });
    }

    /** Changes the set of tablets, on the worker. For threads that may wait. */
    private void tell(Runnable change) throws InterruptedException {
        while (!mailbox.offer(change)) {
            scheduler.pause(RETRY_MILLIS);
        }
    }

    private CompletableFuture<Void> command(long fromMaster, Command command) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        enqueue(done, () -> {
            long latest = sawMaster(fromMaster);
            if (fromMaster < latest) {
                done.completeExceptionally(new RejectedException(
                        "a master of epoch " + fromMaster + " commands, but one of epoch " + latest + " has",
                        "ask the master that has the lock"));
            } else {
                command.run(done);
            }
        });
        return done;
    }

    private void enqueue(CompletableFuture<?> done, Runnable command) {
        if (!mailbox.offer(command)) {
            done.completeExceptionally(
                    new OverloadedException(MAX_WAITING + " commands wait here", CommitQueue.RETRY_AFTER_MILLIS));
        }
    }

    @FunctionalInterface
    private interface Command {
        void run(CompletableFuture<Void> done);
    }
}
