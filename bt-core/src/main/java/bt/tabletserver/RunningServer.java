package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.Halt;
import bt.base.Scheduler;
import bt.base.Scheduler.Worker;
import bt.metadata.MetadataTable;
import bt.model.TableSchema;
import bt.protocol.Service;
import bt.tablet.FileNames;
import bt.tablet.Scripts;
import bt.tablet.TabletCaches;
import bt.tablet.TabletContext;
import bt.tabletserver.Registration.Registered;
import bt.tabletserver.TabletServer.Ports;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts of a registered server, put together, and taken apart in order. Any thread. */
final class RunningServer {
    private static final Logger log = LoggerFactory.getLogger(RunningServer.class);
    private static final long RELEASE_MILLIS = 5_000;

    private final Scheduler scheduler;
    private final CompletableFuture<Void> ended;
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final Pools pools;
    private final TabletSet tablets = new TabletSet();
    private final CommitQueues queues;
    private final Lease lease;
    private final SplitWatch splits;
    private final PlannedStop plannedStop;
    private final TabletHandler handler;
    private final Worker leaseWorker;
    private final Worker leaseWatchWorker;
    private final Worker controlWorker;
    private final Worker purgeWorker;
    private final Worker schemaWorker;
    private final Worker accessWorker;
    private final Worker followerWatchWorker;
    private final Halt halt;
    private final Identity self;

    /** {@code ended} completes when a planned stop is over. */
    static RunningServer start(
            TabletServerConfig config, Ports ports, Registered registered, CompletableFuture<Void> ended) {
        return new RunningServer(config, ports, registered, ended);
    }

    private RunningServer(
            TabletServerConfig config, Ports ports, Registered registered, CompletableFuture<Void> ended) {
        this.scheduler = ports.scheduler();
        this.ended = ended;
        this.pools = new Pools(scheduler, config);
        this.self = registered.self();
        this.halt = ports.halt();
        TabletMemory memory = new TabletMemory(
                tablets,
                scheduler.clock(),
                config.tabletBytes(),
                Runtime.getRuntime().maxMemory());
        TabletContext context = new TabletContext(
                ports.files(),
                TabletCaches.of(config.caches(), config.metadataCaches(), ports.localBlocks()),
                scheduler.clock(),
                new FileNames(self.epoch()),
                config.tablet(),
                new Scripts(ports.engines(), config.tablet().compiledScripts()),
                memory::isPressed);
        AccessWatch access = new AccessWatch(scheduler, ports.locks());
        AccessGate gate = new AccessGate(ports.network().user(), access::seen);
        Conditions conditions = new Conditions(pools, gate, scheduler.clock());
        Compactor compactor = new Compactor(
                scheduler,
                context,
                new Merger(
                        scheduler,
                        pools,
                        new Throttle(scheduler, config.compactionBytesPerSecond()),
                        context.names(),
                        memory),
                pools);
        this.lease =
                new Lease(scheduler, ports.leaseLocks(), self, registered.lock(), config.leaseMillis(), ports.halt());
        QuotaGate quotas = new QuotaGate(scheduler.clock());
        this.queues = CommitQueues.start(
                registered,
                config,
                scheduler,
                hooks(conditions, compactor, lease, new Admission(gate, quotas, new WriteRoom(memory))),
                ports.halt());
        MetadataTable metadata = new MetadataTable(ports.network(), ports.locks(), scheduler, ports.random());
        SegmentSorts sorts = new SegmentSorts(
                ports.files(), scheduler, self.epoch(), config.log().segmentBytes());
        SchemaWatch schemas = new SchemaWatch(scheduler, ports.locks(), tablets);
        TabletLoader loader = new TabletLoader(metadata, schemas, scheduler, context, sorts, queues, memory, self);
        LoadWatch loads = new LoadWatch(scheduler.clock(), config.loadMillis(), sorts::endedNanos);
        Control control =
                new Control(scheduler, tablets, schemas, loader, loads, compactor, pools, queues, ports.halt());
        Splitter splitter = new Splitter(scheduler, metadata, self, compactor, control, memory, pools, ports.halt());
        this.splits = new SplitWatch(scheduler, tablets, splitter, memory, config.splits());
        Farewell farewell = new Farewell(scheduler, ports.locks(), ports.network(), self);
        this.plannedStop = new PlannedStop(scheduler, control, queues, farewell, config.stopMillis());
        Traces traces = new Traces(scheduler.clock(), config.traceOneOf());
        Reads reads = new Reads(tablets, pools, lease, gate, scheduler.clock(), traces);
        MasterWord word = new MasterWord(
                quotas,
                splits,
                new EarlySorts(sorts, pools.sorts(), scheduler.clock()),
                new AskedCompactions(tablets, compactor, scheduler.clock()));
        RequestMeters meters = new RequestMeters(scheduler.clock());
        this.handler = new TabletHandler(
                self,
                gate,
                tablets,
                schemas,
                reads,
                conditions,
                control,
                splitter,
                new TableFlushes(tablets, compactor::flushInTurn, pools, scheduler.clock()),
                new AskedSplits(pools.askedSplits(), scheduler),
                scheduler.clock(),
                new Witness(ports.network()),
                word,
                traces,
                meters,
                new ServerStatuses(
                        self, gate, control, compactor, lease, context, scheduler.clock(), word, meters, memory),
                this::stop);
        Progress progress = new Progress(scheduler, queues, pools, tablets, ports.turns(), config.leaseMillis());
        this.leaseWorker = scheduler.start("lease", () -> lease.run(progress::look));
        this.leaseWatchWorker = scheduler.start(
                "lease-watch",
                new LeaseWatch(scheduler, ports.locks(), self, lease, config.leaseStepMillis(), ports.halt())::run);
        this.controlWorker = scheduler.start("control", control::run);
        this.purgeWorker = scheduler.start(
                "purge",
                new PurgeWatch(scheduler, tablets, memory, compactor, new AnsweredWrites(context, pools))::run);
        this.schemaWorker = scheduler.start("schemas", schemas::run);
        this.accessWorker = scheduler.start("access", access::run);
        this.followerWatchWorker =
                scheduler.start("follower-watch", new FollowerWatch(scheduler, schemas, access, this::endInOrder)::run);
        splits.start();
    }

    /** Who lets writes in. */
    private record Admission(AccessGate gate, QuotaGate quotas, WriteRoom room) {}

    private static CommitHooks hooks(Conditions conditions, Compactor compactor, Lease lease, Admission admission) {
        return new CommitHooks() {
            @Override
            public void evaluateAgain(WriteEntry entry, HostedTablet tablet) {
                conditions.evaluate(entry, tablet);
            }

            @Override
            public void compact(HostedTablet tablet) {
                compactor.request(tablet);
            }

            @Override
            public void compactForLog(HostedTablet tablet) {
                compactor.requestForLog(tablet);
            }

            @Override
            public boolean isCrowded(HostedTablet tablet) {
                return compactor.isCrowded(tablet);
            }

            @Override
            public boolean isLeaseHeld() {
                return lease.isHeld();
            }

            @Override
            public boolean mayStamp() {
                return lease.clockIsRight();
            }

            @Override
            public void check(WriteEntry entry, HostedTablet tablet) throws BigtableException {
                TableSchema schema = tablet.tablet().schema();
                admission.gate.check(entry, schema);
                admission.quotas.check(entry, schema);
                admission.room.check(entry, tablet);
            }

            @Override
            public void admitted(WriteEntry entry, HostedTablet tablet) {
                admission.quotas.count(entry, tablet.tablet().schema());
                admission.room.admitted(entry, tablet);
            }
        };
    }

    TabletSet tablets() {
        return tablets;
    }

    Service service() {
        return handler;
    }

    /** Hands everything back, then releases the lock: the master must not take a tablet for lost that we still write. */
    void stop() {
        stop(() -> ended.complete(null));
    }

    /** The same for one that should begin anew. */
    private void endInOrder(String why) {
        log.error("{} ends: {}", self.id(), why);
        stop(() -> halt.halt(self.id() + ": " + why));
    }

    private void stop(Runnable end) {
        splits.stop();
        if (stopping.compareAndSet(false, true)) {
            scheduler.start("stop", () -> {
                plannedStop.run();
                abandon();
                leaseWorker.join(RELEASE_MILLIS);
                end.run();
            });
        }
    }

    /** Releases the lock first, so that recovery begins at once; no flush. */
    void abandon() {
        splits.stop();
        // Before the thread that it watches: that one takes no steps once it has ended.
        leaseWatchWorker.interrupt();
        lease.release();
        leaseWorker.interrupt();
        controlWorker.interrupt();
        purgeWorker.interrupt();
        schemaWorker.interrupt();
        accessWorker.interrupt();
        followerWatchWorker.interrupt();
        queues.abandon();
        pools.close();
    }
}
