package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Scheduler;
import bt.fs.FileInfo;
import bt.fs.FileStore;
import bt.log.CommitLog;
import bt.log.LogOptions;
import bt.log.LogReader;
import bt.log.LogRecord;
import bt.log.LogStream;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.TableSchema.Durability;
import bt.protocol.Caller;
import bt.protocol.Condition;
import bt.protocol.Write;
import bt.protocol.WriteId;
import bt.protocol.WriteResult;
import bt.tablet.ReadSpec;
import bt.testing.Faults;
import bt.testing.FaultyFileStore;
import bt.testing.MemoryFileStore;
import bt.testing.SimScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** One tablet of one server with its commit queue, on a simulated scheduler; what only a whole cluster has is left out. */
final class CommitFixture implements CommitHooks {
    static final ColumnKey COLUMN = ColumnKey.of("f", "q");
    private static final String SERVER = "server";
    private static final long EPOCH = 7;
    private static final long TABLE = 4;

    /** The tablet was served before, up to this sequence. */
    static final long REDO_POINT = 1_000;

    final SimScheduler simulation;
    final Scheduler scheduler;
    final MemoryFileStore store;
    final HostedTablet hosted;
    final List<String> halts = new ArrayList<>();
    /** To be evaluated again. */
    final List<WriteEntry> sentBack = new ArrayList<>();

    final List<HostedTablet> compactions = new ArrayList<>();

    /** What is to be counted as going to be there. */
    final List<WriteEntry> admitted = new ArrayList<>();

    /** Of these. */
    final List<HostedTablet> compactionsForLog = new ArrayList<>();

    final LogStream stream = new LogStream(LogStream.LIVE, EPOCH, LogStream.USER);
    private final Conditions conditions;
    final TabletHost host;

    /** What evaluations may hold. */
    final ReadRoom readRoom = new ReadRoom(8 << 20);

    boolean leaseIsHeld = true;

    /** Where writes find room for files that they give to tablets, from when it is set. */
    Optional<WriteRoom> room = Optional.empty();

    /** What goes wrong with the files, from when it is set. */
    Faults faults = (operation, path) -> Faults.NONE;

    CommitFixture(long seed, Durability durability, long memtableShareBytes) throws BigtableException {
        this(seed, durability, memtableShareBytes, LogOptions.DEFAULT);
    }

    CommitFixture(long seed, Durability durability, long memtableShareBytes, LogOptions options)
            throws BigtableException {
        simulation = new SimScheduler(seed);
        scheduler = simulation.process(SERVER);
        store = new MemoryFileStore(scheduler.clock());
        FileStore files = new FaultyFileStore(
                store.process(SERVER), (operation, path) -> faults.next(operation, path), scheduler);
        files.makeDirectory(stream.directory());
        CommitLog log = CommitLog.open(files, stream, options, scheduler);
        Pools pools = new Pools(scheduler, TabletServerConfig.DEFAULT, readRoom);
        conditions = new Conditions(pools, TabletHost.OPEN, scheduler.clock());
        CommitQueue queue = CommitQueue.start("commit", scheduler, log, memtableShareBytes, this, halts::add);
        host = new TabletHost(scheduler, files, simulation);
        hosted = host.host(TABLE, durability, queue);
    }

    /** A tablet of another table behind the same queue, not adopted yet. */
    HostedTablet hostAnother(Durability durability) throws BigtableException {
        return hostAnother(1, durability);
    }

    /** One of the so-manieth table beside. */
    HostedTablet hostAnother(int number, Durability durability) throws BigtableException {
        return host.host(TABLE + number, durability, hosted.queue());
    }

    static CommitFixture of(long seed) throws BigtableException {
        return new CommitFixture(seed, Durability.SYNC, 1 << 30);
    }

    /** Runs with the tablet adopted. */
    void run(Body body) {
        simulation.run(Duration.ofMinutes(60), () -> {
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
        return begin("", tablet, write);
    }

    CompletableFuture<WriteResult> begin(String address, HostedTablet tablet, Write write) {
        CompletableFuture<WriteResult> result = new CompletableFuture<>();
        long deadline = scheduler.clock().nanos() + Duration.ofMinutes(1).toNanos();
        WriteEntry entry =
                WriteEntry.of(new Caller("test", address, deadline), tablet.id().tableId(), write, result::complete);
        if (write.readsRow()) {
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
        sentBack.add(entry);
        conditions.evaluate(entry, tablet);
    }

    @Override
    public void check(WriteEntry entry, HostedTablet tablet) throws BigtableException {
        if (room.isPresent()) {
            room.get().check(entry, tablet);
        }
    }

    @Override
    public void admitted(WriteEntry entry, HostedTablet tablet) {
        admitted.add(entry);
        room.ifPresent(present -> present.admitted(entry, tablet));
    }

    @Override
    public boolean isLeaseHeld() {
        return leaseIsHeld;
    }

    @Override
    public boolean isCrowded(HostedTablet tablet) {
        return host.merger.isCrowded(tablet);
    }

    @Override
    public void compact(HostedTablet tablet) {
        compactions.add(tablet);
    }

    @Override
    public void compactForLog(HostedTablet tablet) {
        compactions.add(tablet);
        compactionsForLog.add(tablet);
    }
}
