package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Scheduler;
import bt.coord.LockService;
import bt.fs.FileInfo;
import bt.fs.FileStore;
import bt.log.CommitLog;
import bt.log.LogOptions;
import bt.log.LogReader;
import bt.log.LogRecord;
import bt.log.LogStream;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.metadata.TabletStates;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.model.TableSchema.Durability;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.protocol.Condition;
import bt.protocol.Write;
import bt.protocol.WriteId;
import bt.protocol.WriteResult;
import bt.record.Phase;
import bt.record.TabletState;
import bt.sstable.CacheSizes;
import bt.tablet.FileNames;
import bt.tablet.ReadSpec;
import bt.tablet.Scripts;
import bt.tablet.Tablet;
import bt.tablet.TabletCaches;
import bt.tablet.TabletConfig;
import bt.tablet.TabletContext;
import bt.testing.Faults;
import bt.testing.FaultyFileStore;
import bt.testing.MemoryFileStore;
import bt.testing.SimLockService;
import bt.testing.SimNetwork;
import bt.testing.SimScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/** One tablet of one server with its commit queue, on a simulated scheduler; what only a whole cluster has is left out. */
final class CommitFixture implements CommitHooks {
    static final ColumnKey COLUMN = ColumnKey.of("f", "q");
    private static final String SERVER = "server";
    private static final long EPOCH = 7;
    private static final long TABLE = 4;
    private static final CacheSizes CACHES = new CacheSizes(1 << 20, 1 << 20, 1 << 20);

    /** The tablet was served before, up to this sequence. */
    static final long REDO_POINT = 1_000;

    final SimScheduler simulation;
    final Scheduler scheduler;
    final MemoryFileStore store;
    final HostedTablet hosted;
    final List<String> halts = new ArrayList<>();
    final List<HostedTablet> compactions = new ArrayList<>();
    final LogStream stream = new LogStream(LogStream.LIVE, EPOCH, LogStream.USER);
    private final Conditions conditions;
    private final FileStore files;
    private final Pools pools;

    /** What goes wrong with the files, from when it is set. */
    Faults faults = (operation, path) -> Faults.NONE;

    CommitFixture(long seed, Durability durability, long memtableShareBytes) throws BigtableException {
        simulation = new SimScheduler(seed);
        scheduler = simulation.process(SERVER);
        store = new MemoryFileStore(scheduler.clock());
        files = new FaultyFileStore(
                store.process(SERVER), (operation, path) -> faults.next(operation, path), scheduler);
        files.makeDirectory(stream.directory());
        CommitLog log = CommitLog.open(files, stream, LogOptions.DEFAULT, scheduler);
        pools = new Pools(scheduler, TabletServerConfig.DEFAULT);
        conditions = new Conditions(pools);
        CommitQueue queue = CommitQueue.start("commit", scheduler, log, memtableShareBytes, this, halts::add);
        hosted = host(TABLE, durability, queue);
    }

    /** A tablet of another table behind the same queue, not adopted yet. */
    HostedTablet hostAnother(Durability durability) throws BigtableException {
        return host(TABLE + 1, durability, hosted.queue());
    }

    private HostedTablet host(long table, Durability durability, CommitQueue queue) throws BigtableException {
        TabletId id = new TabletId(table, Optional.empty());
        TabletState state = TabletState.newBuilder(TabletStates.empty(Optional.empty()))
                .setRedoPoint(REDO_POINT)
                .build();
        Tablet tablet = Tablet.open(id, schema(table, durability), state, context(files));
        return new HostedTablet(
                tablet, row(id, state), queue, new TabletJobs(pools.jobs(id)), new ConcurrentLinkedQueue<>());
    }

    static CommitFixture of(long seed) throws BigtableException {
        return new CommitFixture(seed, Durability.SYNC, 1 << 30);
    }

    private static TableSchema schema(long table, Durability durability) {
        TableSchema draft = TableSchema.draft("t")
                .family("f", GcRule.KEEP_ALL)
                .durability(durability)
                .build();
        return new TableSchema(table, "t", 1, 2, durability, draft.families(), draft.groups());
    }

    private TabletContext context(FileStore files) {
        return new TabletContext(
                files,
                TabletCaches.of(CACHES, CACHES),
                scheduler.clock(),
                new FileNames(EPOCH),
                TabletConfig.DEFAULT,
                new Scripts(List.of(), 1));
    }

    private HeldRow row(TabletId id, TabletState state) {
        LockService locks = new SimLockService(simulation).session(SERVER, 10_000);
        MetadataTable metadata = new MetadataTable(
                new SimNetwork(simulation).of(SERVER), locks, scheduler, simulation.random("metadata"));
        Identity self = new Identity(SERVER, new Address(SERVER, 1), EPOCH);
        return new HeldRow(metadata, scheduler, self, new MetadataRow(id, 1, 0, self.location(Phase.SERVING), state));
    }

    /** Runs with the tablet adopted. */
    void run(Body body) {
        simulation.run(Duration.ofMinutes(5), () -> {
            try {
                simulation.await(hosted.queue().adopt(hosted, new Outcomes()), 10_000);
                body.run();
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    /** What the watching process does. */
    interface Body {
        void run() throws BigtableException, InterruptedException;
    }

    CompletableFuture<WriteResult> begin(RowMutation mutation, WriteId id, Optional<Condition> condition) {
        return begin(hosted, new Write(mutation, id, condition));
    }

    CompletableFuture<WriteResult> begin(HostedTablet tablet, Write write) {
        CompletableFuture<WriteResult> result = new CompletableFuture<>();
        long deadline = scheduler.clock().nanos() + Duration.ofMinutes(1).toNanos();
        WriteEntry entry = WriteEntry.of(tablet.id().tableId(), write, deadline, result::complete);
        if (write.condition().isPresent()) {
            conditions.evaluate(entry, tablet);
        } else {
            tablet.queue().write(entry);
        }
        return result;
    }

    WriteResult write(String row, String value, WriteId id) throws BigtableException, InterruptedException {
        return simulation.await(begin(put(row, value), id, Optional.empty()), 30_000);
    }

    static RowMutation put(String row, String value) {
        return RowMutation.of(row).set("f", "q", value).build();
    }

    /** All versions of the row's one column, the newest first. */
    List<String> read(String row) throws BigtableException {
        ReadSpec spec = ReadSpec.of(RowRange.row(Bytes.utf8(row)), Filter.ALL);
        return hosted.tablet().read(spec).cells().stream()
                .map(cell -> cell.value().toUtf8())
                .toList();
    }

    /** What the log holds after the server has died and, where power is lost, what was not synced with it. */
    List<LogRecord> crashAndReadLog() throws BigtableException, InterruptedException {
        store.crash(SERVER, simulation.random("crash"));
        FileStore after = store.process("after");
        List<LogRecord> found = new ArrayList<>();
        for (FileInfo segment : after.list(stream.directory())) {
            after.fence(stream.directory() + "/" + segment.name(), 1_000);
        }
        LogReader.open(after, stream).readAll(found::add);
        return found;
    }

    @Override
    public void evaluateAgain(WriteEntry entry, HostedTablet tablet) {
        conditions.evaluate(entry, tablet);
    }

    @Override
    public void compact(HostedTablet tablet) {
        compactions.add(tablet);
    }
}
