package bt.examples.bench;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Deadline;
import bt.base.Scheduler.WorkerPool;
import bt.base.ThreadScheduler;
import bt.base.UnavailableException;
import bt.client.BatchWriter;
import bt.client.Bigtable;
import bt.connect.ClusterAddress;
import bt.connect.Connect;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.zookeeper.EmbeddedZooKeeper;
import bt.coord.zookeeper.ZooKeeperLockService;
import bt.fs.FileStore;
import bt.fs.local.LocalFileStore;
import bt.log.CommitLog;
import bt.log.LogOptions;
import bt.log.LogStream;
import bt.master.Master;
import bt.master.MasterConfig;
import bt.metadata.Locator;
import bt.metadata.MetadataSchema;
import bt.metadata.MetadataTable;
import bt.metadata.Schemas;
import bt.metadata.TableFile;
import bt.metadata.TabletStates;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.protocol.Calls;
import bt.protocol.TabletListing;
import bt.record.ClusterStatus;
import bt.record.ClusterStatusRequest;
import bt.record.Done;
import bt.record.FlushTable;
import bt.record.MasterFile;
import bt.record.Phase;
import bt.record.ServerStatus;
import bt.record.TableRecord;
import bt.record.TabletReport;
import bt.rpc.RpcLimits;
import bt.rpc.RpcNetwork;
import bt.rpc.RpcServer;
import bt.tabletserver.TabletServer;
import bt.tabletserver.TabletServerConfig;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;

/**
 * A cluster with many tablets: ZooKeeper, a master, and a tablet server that has METADATA, all real; the tablets of the one
 * table are at simulated servers, and a few at the real one; at that alone where there are no others. All over TCP, in this JVM.
 */
final class TabletsTrial implements AutoCloseable {
    private static final String NAME = "bench";
    private static final long TABLE = 1;
    private static final String TABLE_NAME = "many";
    private static final int WRITERS = 32;
    private static final int SIMULATED_LOADS = 40;
    private static final int COLD_LOOKUPS = 200;
    private static final int LOOKUPS = 5_000;
    private static final long LOOK_MILLIS = 10;
    private static final long RECOVERED_MILLIS = 50;
    private static final long READY_MILLIS = 30 * 60_000;
    private static final int SESSION_MILLIS = 30_000;

    private final Ending ending = new Ending();
    private final int tablets;
    private final ThreadScheduler scheduler = new ThreadScheduler();
    private final RpcNetwork network;
    private final EmbeddedZooKeeper zooKeeper;
    private final LockService locks;
    private final FileStore files;
    private final List<SimulatedServer> servers = new ArrayList<>();
    private Address metadataServer = new Address("127.0.0.1", 1);

    TabletsTrial(Path directory, int tablets) throws BigtableException {
        this.tablets = tablets;
        ending.add(scheduler::close);
        network = RpcNetwork.open("bench", scheduler.clock(), 2);
        ending.add(network::close);
        zooKeeper = EmbeddedZooKeeper.start(directory.resolve("zookeeper"), "127.0.0.1", 0);
        ending.add(zooKeeper::close);
        locks = session();
        files = LocalFileStore.open(directory.resolve("files"));
    }

    private LockService session() throws BigtableException {
        LockService session = ZooKeeperLockService.connect(zooKeeper.quorum(), NAME, SESSION_MILLIS);
        ending.add(session::close);
        return session;
    }

    /** Everything, in order. */
    List<Result> run(int simulatedServers) throws Exception {
        List<Result> results = new ArrayList<>();
        startRealServer();
        ARunningMaster first = new ARunningMaster();
        first.await(status -> metadataIsServed());
        first.close();
        makeTablets();
        startSimulatedServers(simulatedServers);

        long withoutTablets = heapBytes() - metadataBytes(TabletReport::getMemtableBytes);
        ARunningMaster assigning = new ARunningMaster();
        assigning.await(status -> status.getUnassigned() == 0 && served() == tablets);
        results.add(figures("assign")
                .with(Figure.MILLIS, assigning.millis())
                .with(Figure.OPS_PER_SECOND, tablets * 1e3 / assigning.millis()));
        assigning.close();
        if (servers.isEmpty()) {
            results.add(serverMemory("server-memory", withoutTablets));
            writeARowEach();
            results.add(serverMemory("server-memory-files", withoutTablets));
        }

        long withoutMaster = heapBytes();
        ARunningMaster master = new ARunningMaster();
        master.await(status -> status.getUnassigned() == 0);
        results.add(figures("master-start").with(Figure.MILLIS, master.millis()));
        long withMaster = heapBytes();
        long inMemory = metadataBytes(TabletReport::getMemtableBytes);
        long onDisk = metadataBytes(TabletReport::getFileBytes);
        results.add(figures("memory")
                .with(Figure.HEAP_BYTES_PER_TABLET, Math.max(0, withMaster - withoutMaster) / (double) tablets)
                .with(Figure.METADATA_BYTES_PER_TABLET, (inMemory + onDisk) / (double) tablets)
                .with(Figure.METADATA_MEMORY_BYTES_PER_TABLET, inMemory / (double) tablets)
                .with(Figure.METADATA_DISK_BYTES_PER_TABLET, onDisk / (double) tablets));
        long began = scheduler.clock().nanos();
        master.askStatus();
        results.add(figures("master-answer").with(Figure.MILLIS, millisSince(began)));
        results.add(lookUps("locate-cold", COLD_LOOKUPS, true));
        results.add(lookUps("locate", LOOKUPS, false));
        if (servers.size() > 1) {
            results.add(recover(master));
        }
        master.close();
        return results;
    }

    /** What the real server, which has all tablets, has of the heap for each, but for what METADATA's memtables have. */
    private Result serverMemory(String name, long withoutTablets) throws BigtableException, InterruptedException {
        long bytes = heapBytes() - metadataBytes(TabletReport::getMemtableBytes) - withoutTablets;
        return figures(name).with(Figure.HEAP_BYTES_PER_TABLET, Math.max(0, bytes) / (double) tablets);
    }

    /** Into every tablet, which then is a file. */
    private void writeARowEach() throws BigtableException, InterruptedException {
        try (Bigtable bigtable = Connect.to(new ClusterAddress(zooKeeper.quorum(), NAME).toString());
                BatchWriter writer = bigtable.table(TABLE_NAME).batch()) {
            for (int i = 0; i < tablets; i++) {
                CompletableFuture<?> unused =
                        writer.add(RowMutation.of(row(i)).set("f", "q", "v").build());
            }
        }
        Calls calls = new Calls(network, scheduler, READY_MILLIS);
        Done unused = calls.control(
                metadataServer, new FlushTable(TABLE), Done.class, Deadline.after(scheduler.clock(), READY_MILLIS));
    }

    /** From the death of a simulated server until all that it had is served again; a lease is waited for in between. */
    private Result recover(ARunningMaster master) throws BigtableException, InterruptedException {
        SimulatedServer dying = servers.remove(0);
        // One segment without records: whoever gets its tablets looks for it.
        LogStream stream = new LogStream(LogStream.LIVE, dying.epoch(), LogStream.USER);
        files.makeDirectory(stream.directory());
        CommitLog.open(files, stream, LogOptions.DEFAULT, scheduler).close();
        long readBefore = master.rowsRead();
        long began = scheduler.clock().nanos();
        int had = dying.die();
        Deadline over = Deadline.after(scheduler.clock(), READY_MILLIS);
        while (served() < tablets) {
            if (over.isOver()) {
                throw new UnavailableException(
                        "of " + had + " tablets some are not served after " + READY_MILLIS + " ms");
            }
            scheduler.pause(RECOVERED_MILLIS);
        }
        return figures("recover")
                .with(Figure.MILLIS, millisSince(began))
                .with(Figure.TABLETS, had)
                .with(Figure.METADATA_ROWS_READ, (double) (master.rowsRead() - readBefore));
    }

    private Result figures(String name) {
        return Result.of(name, Integer.toString(tablets));
    }

    private void startRealServer() throws BigtableException {
        Doorway doorway = new Doorway();
        RpcServer listening = RpcServer.start("127.0.0.1", 0, doorway, scheduler.clock(), RpcLimits.DEFAULT);
        ending.add(listening::close);
        metadataServer = listening.address();
        TabletServer server = TabletServer.start(
                TabletServerConfig.DEFAULT,
                new TabletServer.Ports(
                        files,
                        session(),
                        session(),
                        network,
                        scheduler,
                        new SecureRandom(),
                        List.of(),
                        () -> CompletableFuture.completedFuture(null),
                        Ending::bug),
                metadataServer);
        doorway.open(server);
        ending.add(server::abandon);
    }

    private boolean metadataIsServed() throws BigtableException, InterruptedException {
        return status(metadataServer).getTablets().stream()
                        .filter(tablet -> tablet.getPhase() == Phase.SERVING)
                        .count()
                == 2;
    }

    /** Written as a master writes the rows of a new table, only by many at a time and while there is no master. */
    private void makeTablets() throws Exception {
        MetadataTable metadata = new MetadataTable(network, locks, scheduler);
        List<CompletableFuture<Void>> written = new ArrayList<>();
        try (WorkerPool writers = scheduler.pool("rows", WRITERS, tablets)) {
            for (int i = 0; i < tablets; i++) {
                int number = i;
                written.add(CompletableFuture.runAsync(
                        () -> {
                            try {
                                metadata.create(id(number), TabletStates.empty(previous(number)), "created");
                            } catch (BigtableException | InterruptedException failed) {
                                throw new IllegalStateException(failed);
                            }
                        },
                        writers));
            }
            for (CompletableFuture<Void> one : written) {
                scheduler.await(one, READY_MILLIS);
            }
        }
        TableSchema draft =
                TableSchema.draft(TABLE_NAME).family("f", GcRule.KEEP_ALL).build();
        TableRecord record = TableRecord.newBuilder(Schemas.encode(draft))
                .setId(TABLE)
                .setVersion(1)
                .build();
        locks.create(Paths.table(TABLE), TableFile.encode(record));
    }

    private TabletId id(int number) {
        return new TabletId(TABLE, number == tablets - 1 ? Optional.empty() : Optional.of(row(number)));
    }

    private static Optional<Bytes> previous(int number) {
        return number == 0 ? Optional.empty() : Optional.of(row(number - 1));
    }

    private static Bytes row(int number) {
        return Bytes.utf8(String.format("com.example.site-%07d", number));
    }

    private void startSimulatedServers(int count) throws BigtableException {
        LockService session = session();
        MetadataTable metadata = new MetadataTable(network, session, scheduler);
        WorkerPool loads = scheduler.pool("simulated", SIMULATED_LOADS, tablets + 1_000);
        ending.add(loads::close);
        for (int i = 0; i < count; i++) {
            Doorway doorway = new Doorway();
            RpcServer listening = RpcServer.start("127.0.0.1", 0, doorway, scheduler.clock(), RpcLimits.DEFAULT);
            ending.add(listening::close);
            SimulatedServer server = SimulatedServer.register(listening.address(), session, scheduler, metadata, loads);
            doorway.open(server);
            ending.add(server::release);
            servers.add(server);
        }
    }

    private int served() throws BigtableException, InterruptedException {
        int served = (int) status(metadataServer).getTablets().stream()
                .filter(tablet -> tablet.getTableId() == TABLE && tablet.getPhase() == Phase.SERVING)
                .count();
        for (SimulatedServer server : servers) {
            served += server.served();
        }
        return served;
    }

    private ServerStatus status(Address server) throws BigtableException, InterruptedException {
        return new Calls(network, scheduler, SESSION_MILLIS)
                .control(
                        server,
                        TabletListing.question(0, TabletListing.WHOLE_EACH_TIME),
                        ServerStatus.class,
                        deadline());
    }

    private long metadataBytes(ToLongFunction<TabletReport> bytes) throws BigtableException, InterruptedException {
        return status(metadataServer).getTablets().stream()
                .filter(tablet -> tablet.getTableId() == MetadataSchema.ROOT.tableId())
                .mapToLong(bytes)
                .sum();
    }

    /** By chance over all rows; cold is a client that knows nothing, not even where METADATA is. */
    private Result lookUps(String name, int count, boolean cold) throws BigtableException, InterruptedException {
        Histogram micros = new Histogram(3);
        Random random = new Random(tablets);
        Calls calls = new Calls(network, scheduler, SESSION_MILLIS);
        Locator locator = new Locator(calls, locks);
        long roundTrips = 0;
        for (int i = 0; i < count; i++) {
            if (cold) {
                roundTrips += locator.roundTrips();
                locator = new Locator(calls, locks);
            }
            Bytes row = row(random.nextInt(tablets));
            long began = scheduler.clock().nanos();
            if (locator.locate(TABLE, row, deadline()).address().port() == 0) {
                throw new UnavailableException("row " + row + " is nowhere");
            }
            micros.recordValue((scheduler.clock().nanos() - began) / 1_000);
        }
        roundTrips += locator.roundTrips();
        return figures(name)
                .with(Figure.P50_MICROS, (double) micros.getValueAtPercentile(50))
                .with(Figure.P99_MICROS, (double) micros.getValueAtPercentile(99))
                .with(Figure.ROUND_TRIPS_PER_OP, roundTrips / (double) count);
    }

    private Deadline deadline() {
        return Deadline.after(scheduler.clock(), SESSION_MILLIS);
    }

    private double millisSince(long nanos) {
        return (scheduler.clock().nanos() - nanos) / 1e6;
    }

    /** After the garbage is collected, twice: what the first leaves, the second finds. */
    private static long heapBytes() {
        System.gc();
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    @Override
    public void close() {
        ending.close();
    }

    /** What a look at the cluster's status must show. */
    private interface Wanted {
        boolean isSeenIn(ClusterStatus status) throws BigtableException, InterruptedException;
    }

    /** A master from its start until we end it. */
    private final class ARunningMaster {
        private final long beganNanos = scheduler.clock().nanos();
        private final LockService own = session();
        private final CountedReads counted = new CountedReads(network);
        private final RpcServer listening;
        private final Master master;
        private double millis;

        ARunningMaster() throws BigtableException {
            Doorway doorway = new Doorway();
            listening = RpcServer.start("127.0.0.1", 0, doorway, scheduler.clock(), RpcLimits.DEFAULT);
            ending.add(listening::close);
            Master.Ports ports = new Master.Ports(files, own, counted, scheduler, new SecureRandom());
            String nonce = Long.toHexString(new SecureRandom().nextLong());
            master = Master.start(MasterConfig.DEFAULT, ports, listening.address(), nonce, Ending::bug);
            doorway.open(master);
            ending.add(master::abandon);
        }

        /** Asked without a pause in between, the master would do nothing else than answer. */
        void await(Wanted wanted) throws BigtableException, InterruptedException {
            Deadline over = Deadline.after(scheduler.clock(), READY_MILLIS);
            while (!isSeen(wanted)) {
                if (over.isOver()) {
                    throw new UnavailableException("the cluster is not ready after " + READY_MILLIS + " ms");
                }
                scheduler.pause(LOOK_MILLIS);
            }
            millis = millisSince(beganNanos);
        }

        private boolean isSeen(Wanted wanted) throws BigtableException, InterruptedException {
            try {
                return wanted.isSeenIn(askStatus());
            } catch (UnavailableException early) {
                return false;
            }
        }

        ClusterStatus askStatus() throws BigtableException, InterruptedException {
            Address elected = AvroBytes.decode(
                            Paths.MASTER,
                            locks.read(Paths.MASTER)
                                    .orElseThrow(() -> new UnavailableException("no master"))
                                    .content(),
                            MasterFile.class)
                    .getAddress()
                    .transform(Address::parse);
            if (!elected.equals(listening.address())) {
                throw new UnavailableException("not elected yet");
            }
            return new Calls(network, scheduler, READY_MILLIS)
                    .control(
                            elected,
                            new ClusterStatusRequest(),
                            ClusterStatus.class,
                            Deadline.after(scheduler.clock(), READY_MILLIS));
        }

        /** Of METADATA. */
        long rowsRead() {
            return counted.rows();
        }

        double millis() {
            return millis;
        }

        void close() {
            master.abandon();
            own.close();
            listening.close();
        }
    }
}
