package bt.testing;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Scheduler;
import bt.client.Bigtable;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.doctor.Doctor;
import bt.fs.FileInfo;
import bt.fs.FileStore;
import bt.log.LogOptions;
import bt.master.Master;
import bt.master.MasterConfig;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Network;
import bt.protocol.Request;
import bt.protocol.Service;
import bt.record.MasterFile;
import bt.record.ServerStatus;
import bt.sstable.CacheSizes;
import bt.tablet.TabletConfig;
import bt.tabletserver.SplitConfig;
import bt.tabletserver.TabletServer;
import bt.tabletserver.TabletServerConfig;
import bt.testing.Faults.Fault;
import bt.testing.history.Anomaly;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * A whole cluster, the product's own client, master and tablet servers, on one scheduler that a seed decides: threads in
 * turn, virtual time, a file store that forgets unsynced bytes in a crash, a lock service and a network with faults.
 */
public final class SimCluster {
    private static final int SESSION_MILLIS = 6_000;
    private static final Set<FileOperation> WRITES = EnumSet.of(
            FileOperation.CREATE, FileOperation.APPEND, FileOperation.FLUSH, FileOperation.SYNC, FileOperation.CLOSE);
    /** More than a simulation reads: which entries a full cache gives up is chance that no seed repeats. */
    private static final CacheSizes CACHES = new CacheSizes(16 << 20, 16 << 20, 16 << 20);

    private final SimScheduler scheduler;
    private final SimLockService locks;
    private final SimNetwork network;
    private final MemoryFileStore files;
    private final RandomGenerator random;
    private final GenerationWatch generations = new GenerationWatch();
    private final TabletWatch tablets;
    private final ReignWatch reigns;
    private final LogWatch logs;
    private final TabletServerConfig config;
    private final List<String> servers = new ArrayList<>();
    private final List<String> masters = new ArrayList<>();
    private final Map<String, LockService> sessions = new HashMap<>();
    private final Deaths deaths = new Deaths(this::die);
    private final Deaths standstills = new Deaths((name, point) -> scheduler().pauseProcess(name, 5 * SESSION_MILLIS));
    private final Map<String, Costs> costs = new HashMap<>();
    private final Map<String, Fate> stops = new HashMap<>();
    private final List<FateOfAny> stopsOfAny = new ArrayList<>();
    /** Of servers that were not asked yet. */
    private final Map<String, Runnable> stopping = new HashMap<>();

    private Faults fileFaults = (operation, path) -> Faults.NONE;
    private final Map<String, Faults> faultsByProcess = new HashMap<>();
    private MasterConfig masterConfig = MasterConfig.DEFAULT;
    private int started;

    /** Memtables of that size, so that what is tested is also on disk. */
    public SimCluster(long seed, long flushBytes) {
        this(seed, SimSizes.flushing(flushBytes));
    }

    public SimCluster(long seed, SimSizes sizes) {
        scheduler = new SimScheduler(seed);
        locks = new SimLockService(scheduler);
        network = new SimNetwork(scheduler);
        tablets = new TabletWatch(scheduler);
        reigns = new ReignWatch(scheduler);
        logs = new LogWatch(scheduler);
        random = scheduler.random("cluster");
        files = new MemoryFileStore(scheduler.clock(), (process, operation, path) -> {
            // Each would be as good, and three times as many steps of the simulation.
            if (random.nextInt(4) == 0) {
                scheduler.delay(random.nextLong(100, 6_000));
            }
        });
        TabletConfig tablet = new TabletConfig(sizes.flushBytes(), 1 << 20, 10, TabletConfig.DEFAULT.scriptBudget());
        config = new TabletServerConfig(
                tablet,
                new LogOptions(sizes.segmentBytes()),
                SESSION_MILLIS,
                sizes.memtableBytes(),
                sizes.metadataMemtableBytes(),
                CACHES,
                CACHES,
                4,
                2,
                1 << 20,
                new SplitConfig(sizes.splitBytes(), SplitConfig.DEFAULT.metadataBytes()),
                10,
                120_000,
                600_000,
                TabletServerConfig.leaseStepFor(SESSION_MILLIS, SESSION_MILLIS),
                sizes.tabletBytes());
    }

    /** Chance, of the cluster's seed. */
    public RandomGenerator random() {
        return random;
    }

    public SimScheduler scheduler() {
        return scheduler;
    }

    public SimNetwork network() {
        return network;
    }

    public SimLockService locks() {
        return locks;
    }

    /** The tablet servers that live, the one that was started first before the others. */
    public List<String> servers() {
        return List.copyOf(servers);
    }

    /** The masters that live, active or standing by. */
    public List<String> masters() {
        return List.copyOf(masters);
    }

    /** From now on messages and operations of the lock service are late or lost. */
    public void setFaults(SimFaults faults) {
        network.setFaults(faults);
        locks.setFaults(faults);
    }

    /** From now on this goes wrong with what masters and servers do to files. */
    public void setFileFaults(Faults faults) {
        fileFaults = faults;
    }

    /** The same with what one of them does, instead of what goes wrong with all. */
    public void setFileFaults(String process, Faults faults) {
        faultsByProcess.put(process, faults);
    }

    /** Kills the master or the server that comes to this point as the so-manieth from now. */
    public void crashAt(CrashPoint point, int nth) {
        scheduler.note("number " + nth + " dies " + point);
        deaths.plan(point, nth);
    }

    /** The same, but it stands still for longer than a session lasts, and goes on then. */
    public void standStillAt(CrashPoint point, int nth) {
        scheduler.note("number " + nth + " stands still " + point);
        standstills.plan(point, nth);
    }

    private void comes(String name, CrashPoint point) {
        standstills.at(name, point);
        deaths.at(name, point);
    }

    private void die(String name, CrashPoint point) {
        scheduler.note(name + " dies " + point);
        scheduler.count(Mishap.CRASHED_AT_STEP);
        scheduler.count(point);
        forget(name);
        scheduler.crash(name);
    }

    /** Does something, on the worker that sends it, before a master or a server sends the so-manieth change of METADATA from now to another process. */
    public void beforeChange(String name, int changes, Runnable then) {
        scheduler.note(name + " has " + changes + " changes of METADATA to something");
        stops.put(name, new Fate(changes, then));
    }

    /** The same before the so-manieth change that any of them sends from now on; it is told whose that is. */
    public void beforeAnyChange(int changes, Consumer<String> then) {
        scheduler.note("there are " + changes + " changes of METADATA to something");
        stopsOfAny.add(new FateOfAny(changes, then));
    }

    /** Nothing happens at a point or a change that was set before. */
    public void forgetSteps() {
        deaths.forget();
        standstills.forget();
        stops.clear();
        stopsOfAny.clear();
    }

    /** As if the lock service had heard nothing of a master or a server for too long. */
    public void expireSession(String name) {
        LockService session = sessions.get(name);
        if (session != null) {
            locks.expire(session);
        }
    }

    /** What the answers that a master or a server has had came to. */
    Costs costs(String name) {
        return costs.getOrDefault(name, new Costs());
    }

    /** How masters work that start from now on. */
    public void mastersAre(MasterConfig config) {
        masterConfig = config;
    }

    public void startMaster() {
        String name = "master-" + ++started;
        Address address = new Address(name, 1);
        Master.Ports ports = new Master.Ports(
                process(name), session(name), stepping(name), scheduler.process(name), scheduler.random(name));
        Master master = Master.start(masterConfig, ports, address, "nonce-" + started, reason -> halt(name, reason));
        network.register(name, address, master);
        masters.add(name);
    }

    /** Another tablet server, on a host of its own; its name. */
    public String startServer() {
        String name = "server-" + ++started;
        start(name, new Address(name, 1));
        return name;
    }

    /** Another tablet server on the host of one that was started before; its name. */
    public String startServerOnHostOf(String earlier) {
        String name = "server-" + ++started;
        start(name, new Address(earlier, started));
        return name;
    }

    private void start(String name, Address address) {
        TabletServer.Ports ports = new TabletServer.Ports(
                process(name),
                stepped(name, locks.session(name, SESSION_MILLIS)),
                session(name),
                stepping(name),
                scheduler.process(name),
                scheduler.random(name),
                List.of(new SuffixScripts()),
                () -> CompletableFuture.completedFuture(null),
                reason -> halt(name, reason));
        TabletServer server = TabletServer.start(config, ports, address);
        network.register(
                name, address, numbered(started, logs.over(reigns.over(tablets.over(generations.over(server))))));
        servers.add(name);
        stopping.put(name, server::stop);
        var unused = server.ended().thenRun(() -> exit(name));
    }

    /** A server that says of its process that it has this number, and not that of the one which simulates all of them. */
    private static Service numbered(int pid, Service server) {
        return (caller, request) -> server.handle(caller, request).whenComplete((answer, failure) -> {
            if (answer instanceof Answer.Control control && control.message() instanceof ServerStatus status) {
                status.setPid(pid);
            }
        });
    }

    /** Asks a tablet server to end, as SIGTERM does, if it lives: its tablets go to others, then its process is over. */
    public void stop(String name) {
        Runnable stop = stopping.remove(name);
        if (stop != null) {
            scheduler.note("the test asks " + name + " to end");
            stop.run();
        }
    }

    /** By itself, on a worker of its own. */
    private void exit(String name) {
        scheduler.note(name + " ends");
        scheduler.count(Mishap.ENDED_AS_ASKED);
        forget(name);
        scheduler.crash(name);
    }

    /** What was seen at the servers of METADATA that no change of it may do. */
    public List<Anomaly> anomalies() {
        return generations.anomalies();
    }

    /** What became of the tablets, in its order. */
    public List<TabletEvent> tabletEvents() {
        return List.copyOf(tablets.events());
    }

    /** Kills one tablet server where it stands: what it had not synced is gone, or torn. */
    public void crashOneServer() {
        kill(servers.get(random.nextInt(servers.size())));
    }

    /** Kills the server at this address where it stands. */
    public void crash(String address) {
        kill(Address.parse(address).host());
    }

    /** Kills a process where it stands, if it lives. */
    public void kill(String name) {
        forget(name);
        scheduler.note("the test kills " + name);
        scheduler.crash(name);
    }

    /** Whether the lock service has a file. */
    public boolean lockServiceHas(String path) throws BigtableException {
        return locks.session("test", SESSION_MILLIS).read(path).isPresent();
    }

    /** All files and directories below a directory. */
    public List<String> tree(String directory) throws BigtableException {
        List<String> found = new ArrayList<>();
        for (FileInfo entry : files.process("test").list(directory)) {
            String path = directory + "/" + entry.name();
            found.add(path);
            if (entry.directory()) {
                found.addAll(tree(path));
            }
        }
        return found;
    }

    /** Damages a file where it lies; done twice, it is as it was. */
    public void flip(String path, int position) {
        files.flip(path, position);
    }

    /** Directories of dead servers' logs: a cluster that was stopped in order has none. */
    public List<String> replayedLogs() throws BigtableException {
        return files.process("test").list("recovered").stream()
                .map(FileInfo::name)
                .toList();
    }

    /** Kills the master that the lock service's file names. */
    public void crashActiveMaster() throws BigtableException {
        SmallFile file =
                locks.session("test", SESSION_MILLIS).read(Paths.MASTER).orElseThrow();
        crash(AvroBytes.decode(Paths.MASTER, file.content(), MasterFile.class).getAddress());
    }

    /** A client in the process of the test. */
    public Bigtable client() {
        LockService session = locks.session("test", SESSION_MILLIS);
        return Bigtable.over(network.of("test"), session, scheduler, scheduler.random("client"));
    }

    /** A client in a process of its own. */
    public Bigtable client(String process) {
        LockService session = locks.session(process, SESSION_MILLIS);
        return Bigtable.over(
                network.of(process), session, scheduler.process(process), scheduler.random("client " + process));
    }

    /** What somebody who looks at the cluster from outside works through, in the process of the test. */
    public Doctor.Ports ports() {
        return new Doctor.Ports(
                files.process("test"),
                locks.session("test", SESSION_MILLIS),
                network.of("test"),
                scheduler,
                scheduler.random("doctor"));
    }

    /** Runs the test's own worker until it ends. */
    public void run(Duration atMost, Scheduler.Task task) {
        scheduler.run(atMost, task);
    }

    private FileStore process(String name) {
        FileStore view = files.process(name);
        scheduler.process(name);
        scheduler.whenCrashed(name, () -> tear(name));
        return new FaultyFileStore(
                view,
                new Faults() {
                    @Override
                    public Fault next(FileOperation operation, String path) {
                        CrashPoint.before(operation).ifPresent(point -> comes(name, point));
                        Fault fault =
                                faultsByProcess.getOrDefault(name, fileFaults).next(operation, path);
                        count(operation, fault);
                        if (fault.delayMillis() > 0 || fault.failure() != Faults.Failure.NONE) {
                            scheduler.noteSmall("files, " + name + ", " + operation + " " + path + ": "
                                    + fault.delayMillis() + " ms late, failure " + fault.failure());
                        }
                        return fault;
                    }

                    @Override
                    public void done(FileOperation operation, String path) {
                        if (operation == FileOperation.DELETE) {
                            logs.deleted(path);
                        } else if (operation == FileOperation.CLOSE) {
                            scheduler.trace(files.hash(path));
                        }
                        CrashPoint.before(operation).ifPresent(point -> comes(name, point.after()));
                    }
                },
                scheduler.process(name));
    }

    private void tear(String name) {
        for (MemoryFile.Torn torn : files.crash(name, MemoryFileStore.Loss.UNSYNCED, random)) {
            if (torn.isLost()) {
                scheduler.count(Mishap.UNSYNCED_LOST);
            }
            if (torn.isTorn()) {
                scheduler.count(Mishap.TAIL_TORN);
            }
        }
    }

    private void count(FileOperation operation, Fault fault) {
        if (WRITES.contains(operation) && fault.delayMillis() > 0) {
            scheduler.count(Mishap.WRITE_SLOW);
        }
        switch (fault.failure()) {
            case NONE -> {}
            case INSTEAD, REFUSED ->
                scheduler.count(WRITES.contains(operation) ? Mishap.WRITE_FAILED : Mishap.READ_FAILED);
            case AFTERWARDS ->
                scheduler.count(WRITES.contains(operation) ? Mishap.WRITE_DONE_AND_FAILED : Mishap.READ_FAILED);
        }
    }

    private LockService session(String name) {
        LockService session = locks.session(name, SESSION_MILLIS);
        sessions.put(name, session);
        return stepped(name, session);
    }

    private LockService stepped(String name, LockService session) {
        return new SteppedLocks(session, point -> {
            // Who is dead already unwinds, and comes by here with the lock that it had.
            if (sessions.containsKey(name)) {
                comes(name, point);
            }
        });
    }

    private Network stepping(String name) {
        Network watched = new WatchedNetwork(network.of(name), (to, request) -> {
            if (request instanceof Request.Mutate && !to.host().equals(name)) {
                change(name);
            }
        });
        Network heard = new HeardNetwork(watched, costs.computeIfAbsent(name, first -> new Costs())::count);
        return new SteppedNetwork(heard, point -> comes(name, point));
    }

    private void change(String name) {
        Fate fate = stops.computeIfPresent(name, (same, before) -> new Fate(before.changes() - 1, before.then()));
        if (fate != null && fate.changes() <= 0) {
            stops.remove(name);
            fate.then().run();
        }
        stopsOfAny.replaceAll(any -> new FateOfAny(any.changes() - 1, any.then()));
        List<FateOfAny> due =
                stopsOfAny.stream().filter(any -> any.changes() <= 0).toList();
        stopsOfAny.removeAll(due);
        due.forEach(any -> any.then().accept(name));
    }

    /** Who is dead already unwinds, and takes that for a failure: nothing more happens to it. */
    private void halt(String name, String reason) {
        if (scheduler.isRunning(name)) {
            scheduler.note(name + " halts: " + reason);
            forget(name);
        }
        scheduler.crash(name);
    }

    private void forget(String name) {
        servers.remove(name);
        masters.remove(name);
        sessions.remove(name);
        stops.remove(name);
        stopping.remove(name);
    }

    /** What happens to a process before the last of so many changes. */
    private record Fate(int changes, Runnable then) {}

    /** What happens to whoever sends the last of so many changes. */
    private record FateOfAny(int changes, Consumer<String> then) {}
}
