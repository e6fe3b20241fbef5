package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Scheduler;
import bt.coord.LockService;
import bt.fs.FileStore;
import bt.metadata.ClusterAccess;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.metadata.TabletStates;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.model.TableSchema.Durability;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.record.Phase;
import bt.record.TabletState;
import bt.sstable.CacheSizes;
import bt.tablet.Compacted;
import bt.tablet.FileNames;
import bt.tablet.Frozen;
import bt.tablet.Scripts;
import bt.tablet.Tablet;
import bt.tablet.TabletCaches;
import bt.tablet.TabletConfig;
import bt.tablet.TabletContext;
import bt.testing.AtOnce;
import bt.testing.SimLockService;
import bt.testing.SimNetwork;
import bt.testing.SimScheduler;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Tablets of a server that has no METADATA: it is never asked. */
final class TabletHost {
    private static final String SERVER = "server";
    private static final long EPOCH = 7;
    private static final CacheSizes CACHES = new CacheSizes(1 << 20, 1 << 20, 1 << 20);

    /** Lets everybody do everything. */
    static final AccessGate OPEN =
            new AccessGate("bt", () -> new ClusterAccess(Optional.empty(), ClusterAccess.NO_FILE));

    private final Scheduler scheduler;
    private final FileStore files;
    private final SimScheduler simulation;
    private final Pools pools;
    private final TabletContext context;
    private final TabletMemory memory;
    final Merger merger;

    TabletHost(Scheduler scheduler, FileStore files, SimScheduler simulation) {
        this.scheduler = scheduler;
        this.files = files;
        this.simulation = simulation;
        this.pools = new Pools(scheduler, TabletServerConfig.DEFAULT);
        this.context = context();
        this.memory = new TabletMemory(new TabletSet(), scheduler.clock(), 1 << 30, 1);
        this.merger = new Merger(scheduler, pools, new Throttle(scheduler, 1 << 30), context.names(), memory);
    }

    /** An empty tablet, the only one of its table, that was served before. */
    HostedTablet host(long table, Durability durability, CommitQueue queue) throws BigtableException {
        return host(new TabletId(table, Optional.empty()), Optional.empty(), durability, queue);
    }

    /** The same of rows behind the end row of a tablet before it. */
    HostedTablet host(TabletId id, Optional<Bytes> previousEndRow, Durability durability, CommitQueue queue)
            throws BigtableException {
        return host(id, previousEndRow, schema(id.tableId(), durability), queue);
    }

    HostedTablet host(TabletId id, Optional<Bytes> previousEndRow, TableSchema schema, CommitQueue queue)
            throws BigtableException {
        TabletState state = TabletState.newBuilder(TabletStates.empty(previousEndRow))
                .setRedoPoint(CommitFixture.REDO_POINT)
                .build();
        Tablet tablet = Tablet.open(id, schema, state, context);
        return new HostedTablet(
                tablet,
                row(id, state),
                queue,
                new TabletJobs(pools.jobs(id)),
                new ConcurrentLinkedQueue<>(),
                new Traffic(0),
                new Merging(),
                UnreadWrites.NONE);
    }

    /** One that goes no faster than so many bytes a second. */
    Merger merger(long bytesPerSecond) {
        return new Merger(scheduler, pools, new Throttle(scheduler, bytesPerSecond), context.names(), memory);
    }

    /** Whatever is at work here is interrupted. */
    void stop() {
        pools.close();
    }

    /** What the tablet froze first, in files that nobody knows of. */
    Compacted write(HostedTablet hosted) throws BigtableException {
        return Compacted.written(AtOnce.write(hosted.unwritten().element(), context));
    }

    /** Every file up to this number is named by METADATA, or never will be. */
    long settledFiles() {
        return context.names().settled();
    }

    /** The tablet as a server has it that this METADATA has, or had, given it to. */
    HostedTablet with(HostedTablet hosted, MetadataTable metadata, MetadataRow row) {
        HeldRow held = new HeldRow(metadata, scheduler, new Identity(SERVER, new Address(SERVER, 1), EPOCH), row);
        return HostedTablet.of(hosted.tablet(), held, hosted.queue(), hosted.jobs(), 0);
    }

    /** What the tablet has frozen becomes files; METADATA is not told. */
    void writeFrozen(HostedTablet hosted) throws BigtableException {
        for (Frozen frozen = hosted.unwritten().peek();
                frozen != null;
                frozen = hosted.unwritten().peek()) {
            Compacted written = Compacted.written(AtOnce.write(frozen, context));
            hosted.tablet().install(frozen, hosted.tablet().prepare(written));
            hosted.unwritten().remove();
        }
    }

    private static TableSchema schema(long table, Durability durability) {
        TableSchema draft = TableSchema.draft("t")
                .family("f", GcRule.KEEP_ALL)
                .durability(durability)
                .build();
        return new TableSchema(table, "t", 1, 2, durability, draft.families(), draft.groups());
    }

    private TabletContext context() {
        return new TabletContext(
                files,
                TabletCaches.of(CACHES, CACHES),
                scheduler.clock(),
                new FileNames(EPOCH),
                TabletConfig.DEFAULT,
                new Scripts(List.of(), 1),
                () -> false);
    }

    private HeldRow row(TabletId id, TabletState state) {
        LockService locks = new SimLockService(simulation).session(SERVER, 10_000);
        MetadataTable metadata = new MetadataTable(
                new SimNetwork(simulation).of(SERVER), locks, scheduler, simulation.random("metadata"));
        Identity self = new Identity(SERVER, new Address(SERVER, 1), EPOCH);
        return new HeldRow(metadata, scheduler, self, new MetadataRow(id, 1, 0, self.location(Phase.SERVING), state));
    }
}
