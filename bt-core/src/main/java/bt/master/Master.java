package bt.master;

import bt.base.BigtableException;
import bt.base.FencedException;
import bt.base.Halt;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.fs.FileStore;
import bt.master.Commands.Command;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Caller;
import bt.protocol.Network;
import bt.protocol.Request;
import bt.protocol.Service;
import bt.record.GarbageRequest;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One master process: stands by until it is elected, then runs passes and operations on one thread, its owner, until it
 * is stopped or loses its lock. Client data never moves through it, and its death stops no read and no write.
 */
public final class Master implements Service {
    private static final Logger log = LoggerFactory.getLogger(Master.class);
    private static final long BULLETIN_MILLIS = 5_000;
    private static final long BEGIN_MILLIS = 1_000;
    private static final long CHECK_MILLIS = 5_000;
    private static final long BOOTSTRAP_MILLIS = 600_000;

    /**
     * Between two looks while tablets move, for a server that drains gives up the next one when the last is served; and
     * while a server is about to take its lock, which no watch tells.
     */
    private static final long MOVING_MILLIS = 100;

    private final MasterConfig config;
    private final FileStore files;
    private final LockService locks;
    private final Network network;
    private final Ports ports;
    private final SteppedScheduler scheduler;
    private final RandomGenerator random;
    private final Halt halt;
    private final Commands commands;
    private final Desk desk;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile Scheduler.@Nullable Worker worker;
    private volatile boolean active;

    /** Of an active master. */
    private volatile @Nullable Collector collector;

    private volatile @Nullable StopUnderWay stopping;

    private Master(MasterConfig config, Ports ports, Halt halt) {
        this.config = config;
        this.ports = ports;
        this.files = ports.files();
        this.network = ports.network();
        this.scheduler = new SteppedScheduler(ports.scheduler());
        this.locks = new SteppedLocks(ports.locks(), scheduler::step);
        this.random = ports.random();
        this.halt = halt;
        this.commands = new Commands(scheduler, network.user());
        this.desk = new Desk(commands, new Permits(locks, new Catalogue(locks), network.user()), scheduler);
    }

    /** What a master works through. The random generator spreads retries and names writes. */
    public record Ports(
            FileStore files, LockService locks, Network network, Scheduler scheduler, RandomGenerator random) {}

    /**
     * Begins to stand for election. The address is where this master's service is reached; the nonce is random and names
     * this process, and the cluster if it is the first to start.
     */
    public static Master start(MasterConfig config, Ports ports, Address address, String nonce, Halt halt) {
        Master master = new Master(config, ports, halt);
        Scheduler.Worker worker = ports.scheduler().start("master", () -> master.run(address, nonce));
        master.worker = worker;
        master.scheduler.count(worker);
        return master;
    }

    /** Ends at once, whatever it is at; the lock goes with its session. */
    public void abandon() {
        Scheduler.Worker running = worker;
        if (running != null) {
            running.interrupt();
        }
    }

    /** Completes when the master has ended by itself, as StopProcess asked. */
    public CompletableFuture<Void> ended() {
        return ended;
    }

    @Override
    public CompletableFuture<? extends Answer> handle(Caller caller, Request request) {
        if (!(request instanceof Request.Control control)) {
            return CompletableFuture.failedFuture(new RejectedException(
                    "this is a master", "ask a tablet server: rows are read and written at tablet servers"));
        }
        StopUnderWay underWay = stopping;
        if (underWay != null) {
            return underWay.answer(control.message());
        }
        if (!active) {
            return CompletableFuture.failedFuture(new UnavailableException(
                    "this master stands by: ask the active one", BigtableException.Outcome.NOT_APPLIED));
        }
        Collector running = collector;
        if (running != null && control.message() instanceof GarbageRequest garbage) {
            return CompletableFuture.completedFuture(new Answer.Control(running.last(garbage.getDry())));
        }
        Command command = new Command(caller, control.message(), new CompletableFuture<>());
        if (!commands.offer(command)) {
            return CompletableFuture.failedFuture(new OverloadedException(
                    "master: " + commands.size() + " operations wait, and no more are taken of this host",
                    config.loopMillis()));
        }
        return command.answer();
    }

    /** Watched before all else: who hangs with the lock in his hand holds the office, whether he has begun to rule or not. */
    private void run(Address address, String nonce) throws InterruptedException {
        MasterWatch watch = MasterWatch.ofMaster(scheduler, config.silenceMillis(), halt);
        Scheduler.Worker watching = scheduler.start("watch", watch::run);
        try {
            Election.Mandate mandate = new Election(locks, scheduler, address, nonce).win();
            log.info("elected: master epoch {}", mandate.epoch());
            hold(mandate, nonce);
        } finally {
            watching.interrupt();
        }
    }

    private void hold(Election.Mandate mandate, String nonce) throws InterruptedException {
        List<Scheduler.Worker> sweeping = List.of();
        try (Workers workers = Workers.start(scheduler)) {
            SteppedScheduler own = new SteppedScheduler(ports.scheduler());
            Collector sweeps = collector(mandate, own);
            Reign reign = begin(mandate, nonce, workers, sweeps);
            collector = sweeps;
            sweeping = sweep(own, sweeps);
            rule(mandate, reign);
            mandate.lock().close();
            ended.complete(null);
        } catch (BigtableException failed) {
            log.error("master: {}", failed.getMessage());
            halt.halt(failed.getMessage());
        } finally {
            sweeping.forEach(Scheduler.Worker::interrupt);
        }
    }

    /** Who collects garbage, and who watches that. */
    private List<Scheduler.Worker> sweep(SteppedScheduler own, Collector sweeps) {
        Scheduler.Worker sweeping = own.start("garbage", sweeps::run);
        own.count(sweeping);
        return List.of(sweeping, own.start("garbage-watch", MasterWatch.ofCollector(own, halt)::run));
    }

    /** With a door to METADATA of its own, and without a share in what the master's thread owns. */
    private Collector collector(Election.Mandate mandate, SteppedScheduler own) {
        LockService ownLocks = new SteppedLocks(ports.locks(), own::step);
        return new Collector(
                new Sweep.Ports(
                        new SteppedFiles(files, own::step),
                        ownLocks,
                        mandate.lock(),
                        new Catalogue(ownLocks),
                        new MetadataTable(network, ownLocks, own, random).asMaster(mandate.epoch()),
                        new Poll(network, own, config.requestMillis()),
                        own,
                        mandate.epoch()),
                config.graces(),
                own::step);
    }

    private Reign begin(Election.Mandate mandate, String nonce, Workers workers, Collector sweeping)
            throws BigtableException, InterruptedException {
        String instance = patiently(mandate, () -> instance(nonce, workers));
        MetadataTable metadata = new MetadataTable(network, locks, scheduler, random).asMaster(mandate.epoch());
        Graves graves = new Graves(files, scheduler, workers, config.leaseMillis(), this.commands::wake);
        Catalogue catalogue = new Catalogue(locks);
        TabletOrders orders = new TabletOrders(network, config.requestMillis(), mandate.epoch());
        Detours detours = new Detours(orders, scheduler);
        Hindrances hindrances = new Hindrances();
        Merges merges = new Merges(metadata, hindrances, scheduler, config, orders, this.commands::wake);
        // Apart from those of users' tablets, for whose rows a pass may have to wait.
        Merges metadataMerges = new Merges(metadata, hindrances, scheduler, config, orders, this.commands::wake);
        CodecCheck codecs = new CodecCheck(network, scheduler, config.requestMillis());
        Homes homes = new Homes(files, scheduler, workers.askers());
        RowWrites rows = new RowWrites(scheduler, workers.writers(), hindrances::home);
        AssignmentWrites writes = new AssignmentWrites(metadata, orders, rows, hindrances);
        Assigner assigner = new Assigner(scheduler, graves, homes, config, orders, writes);
        Retirement retirement = new Retirement(metadata, scheduler, graves, orders, assigner, rows, hindrances);
        RowFeed feed = new RowFeed(workers.writers(), this.commands::wake);
        Predicate<MetadataRow> isToBeMerged = row -> merges.concerns(row) || metadataMerges.concerns(row);
        Moves moves = new Moves(metadata, scheduler, orders, isToBeMerged, catalogue, this.commands::wake);
        Drains drains = patiently(mandate, () -> Drains.load(locks, metadata, moves, catalogue, config.drainMoves()));
        MoveCommands commands = new MoveCommands(metadata, moves, drains);
        TabletImage image = new TabletImage();
        TabletRoom room = new TabletRoom(
                image,
                catalogue::weight,
                config.tabletBytes(),
                Runtime.getRuntime().maxMemory());
        TableWishes wishes = patiently(
                mandate,
                () -> TableWishes.load(
                        locks, catalogue, merges, commands, orders, scheduler.clock(), this.commands::wake, room));
        AskedSweeps sweeps = patiently(
                mandate,
                () -> AskedSweeps.load(
                        new WishFiles(locks, Paths.SWEEPS, new WishRoom()), sweeping, scheduler.clock()));
        Membership membership =
                new Membership(locks, scheduler, config.leaseMillis(), mandate.sinceMicros(), graves::met);
        ServiceTime time = new ServiceTime(locks, mandate.lock());
        Recoveries recoveries = new Recoveries(files, scheduler.clock(), graves, workers.listers());
        ImageCheck check = new ImageCheck(config, scheduler.clock());
        Pass pass = new Pass(
                metadata,
                catalogue,
                assigner,
                merges,
                metadataMerges,
                new MetadataEnds(image, scheduler.clock(), this.commands::wake),
                retirement,
                new PassScope(image, check, merges, graves, recoveries),
                recoveries,
                wishes,
                hindrances,
                config.graces(),
                time,
                detours);
        Balancer balancer = new Balancer(metadata, moves, homes, pass::balanced, scheduler);
        return new Reign(
                membership,
                new Poll(network, scheduler, config.requestMillis()),
                image,
                room,
                check,
                pass,
                merges,
                new TableOperations(
                        catalogue,
                        metadata,
                        scheduler,
                        feed,
                        wishes.creations(),
                        mandate.lock(),
                        codecs,
                        time,
                        image,
                        room),
                new TableChanges(scheduler.clock(), network.user(), config.loopMillis()),
                new ClusterReport(mandate.epoch(), instance),
                new ClusterStop(network, scheduler, config, orders),
                commands,
                balancer,
                new Deaths(membership, mandate.lock(), graves, network, scheduler, config, detours),
                detours,
                recoveries,
                new FairShare(config.splitRequestsPerSecond()),
                new Usage(locks, scheduler),
                wishes,
                new Bulletin(locks, scheduler, mandate.epoch(), BULLETIN_MILLIS),
                sweeps);
    }

    /**
     * Not on this thread: while the NameNodes are away HDFS's client asks them for minutes before it says so. Who has no answer after
     * ten hangs, and is followed.
     */
    private String instance(String nonce, Workers workers) throws BigtableException, InterruptedException {
        CompletableFuture<String> instance = new CompletableFuture<>();
        workers.listers().execute(() -> {
            try {
                instance.complete(new Bootstrap(locks, files).instance(nonce));
            } catch (BigtableException | RuntimeException failed) {
                instance.completeExceptionally(failed);
            }
        });
        try {
            return scheduler.await(instance, BOOTSTRAP_MILLIS);
        } catch (UnavailableException failed) {
            if (!instance.isDone()) {
                throw new FencedException("the file store has not answered for " + BOOTSTRAP_MILLIS / 60_000
                        + " minutes: this master makes room for another");
            }
            throw failed;
        }
    }

    private interface Beginning<T> {
        T run() throws BigtableException, InterruptedException;
    }

    /** While the file store or the lock service is away another master would fare no better. FENCED when the lock is lost. */
    private <T> T patiently(Election.Mandate mandate, Beginning<T> step)
            throws BigtableException, InterruptedException {
        while (true) {
            try {
                mandate.lock().renew();
                return step.run();
            } catch (UnavailableException | OverloadedException notNow) {
                log.warn("master epoch {} cannot begin: {}; tried again", mandate.epoch(), notNow.getMessage());
                scheduler.pause(BEGIN_MILLIS);
            }
        }
    }

    /** The loop: looks, acts on the difference, and carries out what it is asked in between. */
    private void rule(Election.Mandate mandate, Reign reign) throws BigtableException, InterruptedException {
        LockService.Watch watch = locks.watch(Paths.SERVERS, this.commands::wake);
        try {
            active = true;
            long nextPass = scheduler.clock().nanos();
            long nextCheck = nextPass;
            while (true) {
                scheduler.step();
                boolean soon = reign.isMoving() || reign.awaitsServer();
                long restMillis = soon ? Math.min(MOVING_MILLIS, config.loopMillis()) : config.loopMillis();
                commands.await(reign.changes().ready().isPresent() ? 0 : restMillis);
                Optional<Command> stop = desk.begin();
                if (stop.isPresent()) {
                    stop(stop.get(), reign);
                    return;
                }
                boolean due = commands.isWoken()
                        || reign.needsPass()
                        || scheduler.clock().nanos() - nextPass >= 0;
                boolean worked = false;
                try {
                    mandate.lock().renew();
                    if (scheduler.clock().nanos() - nextCheck >= 0) {
                        mandate.check(locks);
                        nextCheck = scheduler.clock().nanos() + CHECK_MILLIS * 1_000_000;
                    }
                    due |= desk.work(mandate.lock(), reign);
                    worked = true;
                    if (reign.look(mandate.epoch()) || due) {
                        reign.pass();
                        long passRestMillis = reign.restMillis(config.loopMillis(), config.passMillis());
                        nextPass = scheduler.clock().nanos() + passRestMillis * 1_000_000;
                    }
                } catch (FencedException lost) {
                    throw lost;
                } catch (BigtableException failed) {
                    // Whatever was begun is a conditional mutation: the next pass sees how far it came.
                    reign.passFailed(failed);
                    if (!worked) {
                        desk.fail(failed);
                    }
                }
            }
        } finally {
            active = false;
            watch.close();
        }
    }

    private void stop(Command command, Reign reign) throws InterruptedException {
        StopUnderWay stop = new StopUnderWay(command, reign.report());
        stopping = stop;
        active = false;
        reign.changes().drain().forEach(stop::answer);
        reign.stopServers(scheduler.clock(), left -> {
            stop.tell(left);
            commands.drain().forEach(stop::answer);
        });
        stop.complete();
        log.info("stopped as asked");
    }
}
