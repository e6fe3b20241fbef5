package bt.tabletserver;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Deadline;
import bt.base.OverloadedException;
import bt.base.Retry;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.doctor.Doctor;
import bt.fs.FileInfo;
import bt.fs.FileReader;
import bt.fs.FileStore;
import bt.fs.FileWriter;
import bt.log.LogOptions;
import bt.master.Master;
import bt.master.MasterConfig;
import bt.metadata.Locator;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.metadata.Schemas;
import bt.metadata.TableFile;
import bt.metadata.TabletPlace;
import bt.metadata.TabletStates;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.protocol.Answer.Page;
import bt.protocol.Calls;
import bt.protocol.Condition;
import bt.protocol.Network;
import bt.protocol.PageBounds;
import bt.protocol.Request;
import bt.protocol.TabletListing;
import bt.protocol.Write;
import bt.protocol.WriteId;
import bt.protocol.WriteNumbers;
import bt.protocol.WriteResult;
import bt.record.ClusterStatus;
import bt.record.ClusterStatusRequest;
import bt.record.CreateTable;
import bt.record.Done;
import bt.record.DrainServer;
import bt.record.DropTable;
import bt.record.FileReference;
import bt.record.FlushTable;
import bt.record.LearnTable;
import bt.record.MergeTablets;
import bt.record.MoveTablet;
import bt.record.Phase;
import bt.record.ProcessExited;
import bt.record.RecoveryLine;
import bt.record.RecoveryReport;
import bt.record.RecoveryRequest;
import bt.record.ServerDraining;
import bt.record.ServerStatus;
import bt.record.SplitTablet;
import bt.record.StopProcess;
import bt.record.TableCreated;
import bt.record.TableRecord;
import bt.record.TabletSplit;
import bt.record.UnloadTablet;
import bt.sstable.CacheSizes;
import bt.tablet.TabletConfig;
import bt.testing.Checkup;
import bt.testing.Faults;
import bt.testing.Faults.Fault;
import bt.testing.FaultyFileStore;
import bt.testing.FileOperation;
import bt.testing.LossyNetwork;
import bt.testing.MemoryFileStore;
import bt.testing.SimFaults;
import bt.testing.SimLockService;
import bt.testing.SimNetwork;
import bt.testing.SimScheduler;
import bt.testing.SimSizes;
import bt.testing.WatchedNetwork;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A master, tablet servers and one client on a simulated machine room. Used by the worker of {@link #run}. */
final class SimServers {
    private static final ColumnKey COLUMN = ColumnKey.of("f", "q");
    private static final CacheSizes CACHES = new CacheSizes(1 << 20, 1 << 20, 1 << 20);
    private static final Address MASTER = new Address("master", 1);

    final SimScheduler scheduler;
    final SimLockService locks;
    final SimNetwork network;
    final MemoryFileStore files;

    /** What goes wrong with the servers' files, from when it is set. */
    Faults faults = (operation, path) -> Faults.NONE;

    /** Told before every file operation and every request of a server, every request of a master, from when it is set: it may crash the server there. */
    Consumer<String> steps = server -> {};

    /** Whether a server, by its name, gets no answer to a request, which was done; from when it is set. */
    BiPredicate<String, Request> losesAnswers = (server, request) -> false;

    /** Of masters that are started from when it is set. */
    MasterConfig masterConfig = MasterConfig.DEFAULT;

    private int masters;
    private final RandomGenerator random;
    private final TabletServerConfig config;
    private final Map<String, TabletServer> servers = new TreeMap<>();
    private final LockService clientLocks;
    private final Calls calls;
    private final Locator locator;
    private final Retry retry;
    private final MetadataTable metadata;
    private final WriteNumbers numbers = new WriteNumbers(77);

    SimServers(long seed, int count, long flushBytes) {
        this(seed, count, flushBytes, 8 << 20);
    }

    /** The memtables of each server may hold so much. */
    SimServers(long seed, int count, long flushBytes, long memtableBytes) {
        this(seed, count, flushBytes, memtableBytes, SimSizes.TABLET_BYTES);
    }

    /** And the tablets of each that nobody asks anything of. */
    SimServers(long seed, int count, long flushBytes, long memtableBytes, long tabletBytes) {
        scheduler = new SimScheduler(seed);
        locks = new SimLockService(scheduler);
        network = new SimNetwork(scheduler);
        files = new MemoryFileStore(scheduler.clock());
        random = scheduler.random("servers");
        TabletConfig tablet = new TabletConfig(flushBytes, 1 << 20, 10, TabletConfig.DEFAULT.scriptBudget());
        config = new TabletServerConfig(
                tablet,
                new LogOptions(100_000),
                6_000,
                memtableBytes,
                8 << 20,
                CACHES,
                CACHES,
                4,
                2,
                1 << 20,
                SplitConfig.DEFAULT,
                10,
                120_000,
                600_000,
                TabletServerConfig.leaseStepFor(6_000, 6_000),
                tabletBytes);
        clientLocks = locks.session("test", 10_000);
        calls = new Calls(network.of("test"), scheduler, 5_000);
        locator = new Locator(calls, clientLocks);
        retry = new Retry(scheduler, scheduler.random("client"), 600_000);
        metadata = new MetadataTable(network.of("test"), clientLocks, scheduler, scheduler.random("metadata"));
        startMaster();
        for (int i = 1; i <= count; i++) {
            startServer("server-" + i);
        }
    }

    /** And in the end the doctor looks at what is left. */
    void run(Duration atMost, Scheduler.Task task) {
        runUnexamined(atMost, () -> {
            task.run();
            checkup();
        });
    }

    /** For a test that leaves something broken. */
    void runUnexamined(Duration atMost, Scheduler.Task task) {
        scheduler.run(atMost, task);
    }

    private void checkup() throws InterruptedException {
        network.setFaults(SimFaults.NONE);
        steps = process -> {};
        faults = (operation, path) -> Faults.NONE;
        losesAnswers = (server, request) -> false;
        Checkup.of(new Doctor.Ports(
                files.process("test"), clientLocks, network.of("test"), scheduler, scheduler.random("doctor")));
    }

    void startMaster() {
        Master.Ports ports = new Master.Ports(
                faulty("master"),
                locks.session("master", 6_000),
                stepping("master"),
                scheduler.process("master"),
                // Another process draws other names, and with them another client of METADATA.
                scheduler.random("master-" + ++masters));
        Master master = Master.start(masterConfig, ports, MASTER, "nonce", reason -> scheduler.crash("master"));
        network.register("master", MASTER, master);
    }

    void startServer(String name) {
        FileStore view = faulty(name);
        scheduler.whenCrashed(name, () -> files.crash(name, random));
        TabletServer.Ports ports = new TabletServer.Ports(
                view,
                locks.session(name, 6_000),
                locks.session(name, 6_000),
                stepping(name),
                scheduler.process(name),
                scheduler.random(name),
                List.of(),
                () -> CompletableFuture.completedFuture(null),
                reason -> {
                    scheduler.note(name + " halts: " + reason);
                    scheduler.crash(name);
                });
        Address address = new Address(name, 1);
        TabletServer server = TabletServer.start(config, ports, address, "process-of-" + name);
        servers.put(name, server);
        network.register(name, address, server);
    }

    private FileStore faulty(String process) {
        return new FaultyFileStore(
                files.process(process),
                (operation, path) -> next(process, operation, path),
                scheduler.process(process));
    }

    private Fault next(String process, FileOperation operation, String path) {
        steps.accept(process);
        return faults.next(operation, path);
    }

    private Network stepping(String server) {
        Network sent = new WatchedNetwork(network.of(server), (to, request) -> steps.accept(server));
        return new LossyNetwork(sent, request -> losesAnswers.test(server, request));
    }

    /** Kills a server, or the master, with the so-manieth step from now of those whose name begins so. */
    void crashAtStep(String name, int count) {
        AtomicInteger left = new AtomicInteger(count);
        steps = process -> {
            if (process.startsWith(name) && left.decrementAndGet() == 0) {
                servers.remove(process);
                scheduler.crash(process);
            }
        };
    }

    /** All that are left. */
    void crashServers() {
        List.copyOf(servers.keySet()).forEach(scheduler::crash);
        servers.clear();
    }

    /** If it lives. */
    void crashMaster() {
        if (scheduler.isRunning("master")) {
            scheduler.crash("master");
        }
    }

    void crashOneServer() {
        String name = List.copyOf(servers.keySet()).get(random.nextInt(servers.size()));
        servers.remove(name);
        scheduler.crash(name);
    }

    void crash(String server) {
        servers.remove(server);
        scheduler.crash(server);
    }

    /** Kills the server of the table's last tablet, and starts another; its name. */
    String crashServerOf(long table, String next) throws InterruptedException {
        String name = crashServerOf(table);
        startServer(next);
        return name;
    }

    /** Kills the server of the table's last tablet; its name. */
    String crashServerOf(long table) throws InterruptedException {
        String name = serverOf(table);
        crash(name);
        return name;
    }

    /** Whether the server, dead or not, has its file at the lock service. */
    boolean isRegistered(String name) {
        try {
            return clientLocks.children(Paths.SERVERS).stream().anyMatch(id -> id.startsWith(name + "_"));
        } catch (BigtableException failed) {
            throw new AssertionError(failed);
        }
    }

    /** So many of those that live, in their order. */
    List<String> serversWithoutMetadata(int most) throws InterruptedException {
        List<String> holders =
                tablets(0).stream().map(row -> row.location().getServer()).toList();
        return servers.keySet().stream()
                .filter(name -> holders.stream().noneMatch(holder -> holder.startsWith(name + "_")))
                .limit(most)
                .toList();
    }

    boolean isAlive(String name) {
        return servers.containsKey(name);
    }

    /** Has the server of the table's only tablet write its memtable to files. */
    void flush(long table) throws InterruptedException {
        flush(table, serverOf(table));
    }

    /** Has the server write to files what is in memory of its tablets of the table. */
    void flush(long table, String server) throws InterruptedException {
        Address address = new Address(server, 1);
        Done unused = attempt("flush", deadline -> calls.control(address, new FlushTable(table), Done.class, deadline));
    }

    /** The same asked for so many times at once, and not waited for. */
    List<CompletableFuture<Void>> beginFlushes(long table, int count) throws InterruptedException {
        Address address = new Address(serverOf(table), 1);
        return IntStream.range(0, count)
                .mapToObj(i -> network.of("test")
                        .send(address, new Request.Control(new FlushTable(table)), 60_000)
                        .<Void>thenApply(done -> null))
                .toList();
    }

    /** As each of the tablets has it that the server serves of a table. */
    List<TableSchema> schemas(String server, long table) {
        return Objects.requireNonNull(servers.get(server))
                .tablets()
                .of(table)
                .flatMap(holding -> holding.tablet().stream())
                .map(hosted -> hosted.tablet().schema())
                .toList();
    }

    /** What the server's tablets take, by its own count, of so many bytes. */
    long servedBytes(String server, long mostBytes) {
        ServedBytes served =
                new ServedBytes(Objects.requireNonNull(servers.get(server)).tablets(), mostBytes);
        served.count();
        return served.bytes();
    }

    /** Which serves the root tablet. */
    String serverOfRoot() throws InterruptedException {
        return Address.parse(tablets(0).get(0).location().getAddress()).host();
    }

    /** Which serves the table's last tablet. */
    String serverOf(long table) throws InterruptedException {
        return Address.parse(lastRow(table).location().getAddress()).host();
    }

    void stopServer(String name) throws InterruptedException {
        try {
            askToStop(name, -1);
            scheduler.await(Objects.requireNonNull(servers.remove(name)).ended(), 1_000_000);
        } catch (BigtableException failed) {
            throw new AssertionError(failed);
        }
    }

    /** As the master of that epoch would, or an administrator, whose is -1. */
    void askToStop(String name, long masterEpoch) throws BigtableException, InterruptedException {
        Request stop = new Request.Control(new StopProcess("test", masterEpoch));
        scheduler.await(network.of("test").send(new Address(name, 1), stop, 5_000), 6_000);
    }

    /** As SIGTERM does on YARN: it ends at once, and hands nothing back. */
    void terminate(String name) {
        TabletServer server = Objects.requireNonNull(servers.remove(name));
        scheduler.process(name).start("exit", server::abandon);
    }

    boolean isLocked(String name) {
        try {
            for (String id : clientLocks.children(Paths.SERVERS)) {
                if (id.startsWith(name + "_")) {
                    return !clientLocks.children(Paths.server(id)).isEmpty();
                }
            }
            return false;
        } catch (BigtableException failed) {
            throw new AssertionError(failed);
        }
    }

    void awaitElection(long epoch) throws InterruptedException {
        try {
            while (clientLocks.read(Paths.MASTER).orElseThrow().version() < epoch) {
                scheduler.pause(20);
            }
        } catch (BigtableException failed) {
            throw new AssertionError(failed);
        }
    }

    /** Makes the file store one of the instance of this id; that which it was of. */
    Bytes changeInstance(Bytes id) {
        FileStore view = files.process("test");
        try {
            Bytes before;
            try (FileReader reader = view.open(Paths.INSTANCE)) {
                byte[] bytes = new byte[(int) reader.length()];
                reader.readFully(0, bytes, 0, bytes.length);
                before = Bytes.wrap(bytes);
            }
            view.delete(Paths.INSTANCE);
            FileWriter writer = view.create(Paths.INSTANCE, FileStore.Placement.DATA);
            writer.append(id.toArray(), 0, id.length());
            writer.close();
            return before;
        } catch (BigtableException failed) {
            throw new AssertionError(failed);
        }
    }

    /** Segments of one stream of all servers that live. */
    List<String> liveSegments(String stream) {
        FileStore view = files.process("test");
        List<String> found = new ArrayList<>();
        try {
            for (FileInfo server : view.list("log")) {
                for (FileInfo segment : view.list("log/" + server.name())) {
                    if (segment.name().startsWith(stream)) {
                        found.add(server.name() + "/" + segment.name());
                    }
                }
            }
        } catch (BigtableException failed) {
            throw new AssertionError(failed);
        }
        return found;
    }

    /** Of all logs of dead servers. */
    long sortedSegments() {
        FileStore view = files.process("test");
        long sorted = 0;
        try {
            for (String log : replayedLogs()) {
                List<FileInfo> segments = view.list("recovered/" + log);
                sorted += view.list("recovered/" + log + "/sorted").stream()
                        .filter(file -> segments.stream()
                                .anyMatch(segment -> segment.name().equals(file.name())))
                        .count();
            }
        } catch (BigtableException failed) {
            throw new AssertionError(failed);
        }
        return sorted;
    }

    /** What a server says of itself. */
    ServerStatus status(String name) throws InterruptedException {
        Address address = new Address(name, 1);
        return attempt(
                "status",
                deadline -> calls.control(
                        address,
                        TabletListing.question(0, TabletListing.WHOLE_EACH_TIME),
                        ServerStatus.class,
                        deadline));
    }

    /** What METADATA names of the table's only tablet. */
    List<FileReference> files(long table) throws InterruptedException {
        return lastRow(table).state().getFiles();
    }

    /** As a master of that epoch would. */
    void createRowAsMaster(long epoch, TabletId id) throws BigtableException, InterruptedException {
        MetadataRow unused = new MetadataTable(network.of("test"), clientLocks, scheduler, random)
                .asMaster(epoch)
                .create(id, TabletStates.empty(Optional.empty()), "test");
    }

    private MetadataRow lastRow(long table) throws InterruptedException {
        try {
            return metadata.read(new TabletId(table, Optional.empty())).orElseThrow();
        } catch (BigtableException failed) {
            throw new AssertionError(failed);
        }
    }

    /** Whether the log of the server with this epoch lies anywhere. */
    boolean hasLog(long epoch) {
        FileStore view = files.process("test");
        try {
            return Stream.concat(view.list("log").stream(), view.list("recovered").stream())
                    .anyMatch(log -> log.name().equals(Long.toString(epoch)));
        } catch (BigtableException failed) {
            throw new AssertionError(failed);
        }
    }

    List<String> replayedLogs() {
        try {
            return files.process("test").list("recovered").stream()
                    .map(FileInfo::name)
                    .toList();
        } catch (BigtableException failed) {
            throw new AssertionError(failed);
        }
    }

    /** Once METADATA is served: a master that waits for it in the middle of a creation does nothing else. */
    long createTable(TableSchema draft, String... splitRows) throws InterruptedException {
        awaitServed();
        CreateTable request = new CreateTable(
                Schemas.encode(draft),
                List.of(splitRows).stream()
                        .map(row -> AvroBytes.buffer(Bytes.utf8(row)))
                        .toList());
        return attempt("create", deadline -> calls.control(MASTER, request, TableCreated.class, deadline))
                .getTableId();
    }

    void dropTable(String name, long table) throws InterruptedException {
        Done unused =
                attempt("drop", deadline -> calls.control(MASTER, new DropTable(name, table), Done.class, deadline));
    }

    /** Has the master move the table's only tablet; returns when it is served there. */
    void move(long table, String server) throws InterruptedException {
        MoveTablet message = new MoveTablet(table, null, new Address(server, 1).toString());
        Done unused = attempt("move", deadline -> calls.control(MASTER, message, Done.class, deadline));
    }

    /** Has the master begin to move the table's only tablet. */
    void beginMove(long table, String server) throws InterruptedException {
        MoveTablet message = new MoveTablet(table, null, new Address(server, 1).toString());
        CompletableFuture<?> unused = network.of("test").send(MASTER, new Request.Control(message), 60_000);
    }

    /** Has the server of the table's last tablet begin to give it to nobody, as the master does who merges it. */
    void beginUnload(long table) throws InterruptedException {
        UnloadTablet message = new UnloadTablet(report().getMasterEpoch(), table, null, true, null);
        CompletableFuture<?> unused =
                network.of("test").send(new Address(serverOf(table), 1), new Request.Control(message), 60_000);
    }

    /** Makes another schema the next version of a table, behind the master's back; returns when the servers were told. */
    void rewriteTable(long tableId, TableSchema schema) throws InterruptedException {
        try {
            SmallFile file = clientLocks.read(Paths.table(tableId)).orElseThrow();
            TableRecord next = TableRecord.newBuilder(Schemas.encode(schema))
                    .setId(tableId)
                    .setVersion(2)
                    .build();
            clientLocks.write(Paths.table(tableId), TableFile.encode(next), file.version());
        } catch (BigtableException failed) {
            throw new AssertionError(failed);
        }
        for (String name : servers.keySet()) {
            attempt(
                    "learn",
                    deadline -> calls.control(new Address(name, 1), new LearnTable(tableId), Done.class, deadline));
        }
    }

    /** Until the tablets that hold rows from one to another are one, and served. */
    void merge(long table, Bytes from, Bytes to) throws InterruptedException {
        MergeTablets message = new MergeTablets(table, AvroBytes.buffer(from), AvroBytes.buffer(to.successor()));
        attempt("merge", deadline -> {
            Optional<MetadataRow> holder = tablets(table).stream()
                    .filter(tablet -> tablet.range().contains(from)
                            && tablet.range().contains(to)
                            && tablet.location().getPhase() == Phase.SERVING)
                    .findFirst();
            if (holder.isPresent()) {
                return holder;
            }
            Done unused = calls.control(MASTER, message, Done.class, deadline);
            throw new UnavailableException("not merged yet");
        });
    }

    /** The tablets of a table, gone ones left out. */
    List<MetadataRow> tablets(long table) throws InterruptedException {
        return attempt("METADATA", deadline -> metadata.scan(table, table));
    }

    /** Splits the tablet that has the row behind it, or the table's last tablet in its middle. */
    void split(long table, Optional<Bytes> row) throws InterruptedException {
        attempt("split", deadline -> {
            MetadataRow tablet = tablets(table).stream()
                    .filter(each -> row.isEmpty()
                            ? each.id().endRow().isEmpty()
                            : each.range().contains(row.get()))
                    .findFirst()
                    .orElseThrow(() -> new UnavailableException("METADATA has a hole"));
            if (row.isPresent() && row.equals(tablet.id().endRow())) {
                return tablet;
            }
            if (tablet.location().getPhase() != Phase.SERVING) {
                throw new UnavailableException(tablet.id() + " is not served");
            }
            return split(tablet, row, -1, deadline);
        });
    }

    /** Once, whatever the server answers. */
    void askToSplit(MetadataRow tablet, Optional<Bytes> row) throws BigtableException, InterruptedException {
        askToSplit(tablet, row, -1);
    }

    /** As the master of that epoch would, or an administrator, whose is -1. */
    void askToSplit(MetadataRow tablet, Optional<Bytes> row, long masterEpoch)
            throws BigtableException, InterruptedException {
        TabletSplit unused = split(tablet, row, masterEpoch, Deadline.after(scheduler.clock(), 5_000));
    }

    private TabletSplit split(MetadataRow tablet, Optional<Bytes> row, long masterEpoch, Deadline deadline)
            throws BigtableException, InterruptedException {
        SplitTablet message = new SplitTablet(
                tablet.id().tableId(),
                AvroBytes.buffer(tablet.previousEndRow()),
                AvroBytes.buffer(tablet.id().endRow()),
                AvroBytes.buffer(row),
                masterEpoch);
        Address address = Address.parse(tablet.location().getAddress());
        return calls.control(address, message, TabletSplit.class, deadline);
    }

    /** As whoever started the process would. */
    void tellExited(String process) throws InterruptedException {
        Done unused =
                attempt("exit", deadline -> calls.control(MASTER, new ProcessExited(process), Done.class, deadline));
    }

    /** What the master says of the dead servers that are being recovered. */
    List<RecoveryLine> recoveries() throws InterruptedException {
        return attempt(
                        "recoveries",
                        deadline -> calls.control(MASTER, new RecoveryRequest(), RecoveryReport.class, deadline))
                .getLines();
    }

    /** Returns when the server has no tablet. */
    void drain(String server) throws InterruptedException {
        DrainServer message = new DrainServer(new Address(server, 1).toString(), false);
        while (attempt("drain", deadline -> calls.control(MASTER, message, ServerDraining.class, deadline))
                        .getTablets()
                > 0) {
            scheduler.pause(200);
        }
    }

    /** Until every tablet is. */
    void awaitServed() throws InterruptedException {
        do {
            scheduler.pause(100);
        } while (report().getUnassigned() > 0);
    }

    /** Until one of this epoch has looked at all servers, and seen every tablet served. */
    void awaitMaster(long epoch) throws InterruptedException {
        while (report().getMasterEpoch() < epoch) {
            scheduler.pause(100);
        }
        awaitServed();
    }

    /** What the master says of the cluster. */
    ClusterStatus report() throws InterruptedException {
        return attempt(
                "status", deadline -> calls.control(MASTER, new ClusterStatusRequest(), ClusterStatus.class, deadline));
    }

    void put(long table, Bytes row, Bytes value) throws InterruptedException {
        WriteResult result = write(table, RowMutation.of(row).set(COLUMN, value).build(), Optional.empty());
        if (result.failure().isPresent()) {
            throw new AssertionError(result.failure().get());
        }
    }

    WriteResult write(long table, RowMutation mutation, Optional<Condition> condition) throws InterruptedException {
        WriteId id = numbers.open();
        WriteResult result = write(table, new Write(mutation, id, condition));
        numbers.close(id);
        return result;
    }

    /** All in one request, of which each tried once: what the server says of each. */
    List<WriteResult> writeOnce(String server, long table, List<RowMutation> mutations) throws InterruptedException {
        List<Write> writes = mutations.stream()
                .map(mutation -> new Write(mutation, numbers.open(), Optional.empty()))
                .toList();
        Request.Mutate request = new Request.Mutate(table, writes);
        List<WriteResult> results =
                attempt("writes", deadline -> calls.mutate(new Address(server, 1), request, deadline));
        writes.forEach(write -> numbers.close(write.id()));
        return results;
    }

    /** A write that has its number, for the first time or again. */
    WriteResult write(long table, Write write) throws InterruptedException {
        RowMutation mutation = write.mutation();
        Request.Mutate request = new Request.Mutate(table, List.of(write));
        return attempt("write", deadline -> {
            TabletPlace place = locator.locate(table, mutation.row(), deadline);
            try {
                WriteResult answered =
                        calls.mutate(place.address(), request, deadline).get(0);
                if (answered.failure().isPresent()
                        && isPassing(answered.failure().get())) {
                    throw answered.failure().get();
                }
                return answered;
            } catch (UnavailableException stale) {
                locator.forget(place);
                throw stale;
            }
        });
    }

    private static boolean isPassing(BigtableException failure) {
        return failure instanceof UnavailableException || failure instanceof OverloadedException;
    }

    /** All versions, the newest first. */
    List<Bytes> read(long table, Bytes row) throws InterruptedException {
        Request.Scan scan = new Request.Scan(
                table, RowRange.row(row), new Filter.Columns(List.of(COLUMN)), PageBounds.DEFAULT, Optional.empty());
        return attempt("read", deadline -> {
            TabletPlace place = locator.locate(table, row, deadline);
            try {
                List<Bytes> values = new ArrayList<>();
                calls.scan(place.address(), scan, deadline).cells().forEach(cell -> values.add(cell.value()));
                return values;
            } catch (UnavailableException stale) {
                locator.forget(place);
                throw stale;
            }
        });
    }

    /** The keys of all rows, tablet by tablet. */
    List<Bytes> rows(long table) throws InterruptedException {
        List<Bytes> rows = new ArrayList<>();
        for (MetadataRow tablet : tablets(table)) {
            RowRange rest = tablet.range();
            while (!rest.isEmpty()) {
                Page page = page(table, rest);
                for (Cell cell : page.cells()) {
                    if (rows.isEmpty() || !rows.get(rows.size() - 1).equals(cell.row())) {
                        rows.add(cell.row());
                    }
                }
                rest = page.next()
                        .map(next -> new RowRange(next, tablet.range().end()))
                        .orElse(RowRange.of(Bytes.EMPTY, Bytes.EMPTY));
            }
        }
        return rows;
    }

    private Page page(long table, RowRange range) throws InterruptedException {
        Request.Scan scan = new Request.Scan(table, range, Filter.ALL, PageBounds.DEFAULT, Optional.empty());
        return attempt("scan", deadline -> {
            TabletPlace place = locator.locate(table, range.start(), deadline);
            try {
                return calls.scan(place.address(), scan, deadline);
            } catch (UnavailableException stale) {
                locator.forget(place);
                throw stale;
            }
        });
    }

    private <T> T attempt(String what, Retry.Attempt<T> attempt) throws InterruptedException {
        try {
            return retry.run(what, attempt);
        } catch (BigtableException failed) {
            throw new AssertionError(failed);
        }
    }
}
