package bt.examples.cluster;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Deadline;
import bt.base.Scheduler;
import bt.base.ThreadScheduler;
import bt.base.UnavailableException;
import bt.client.Bigtable;
import bt.client.MasterView;
import bt.client.ServerInfo;
import bt.connect.Connect;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.metadata.MetadataSchema;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cluster of processes: HDFS with three datanodes, ZooKeeper, two masters, one of which stands by, and three tablet servers;
 * all on 127.0.0.1, with bounded heaps, with the class path of this JVM. All of them are ended with {@link #close}, and with
 * this JVM. One thread.
 */
public final class ProcessCluster implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ProcessCluster.class);
    private static final long READY_MILLIS = 120_000;
    private static final long LOOK_MILLIS = 50;
    private static final int DATANODES = 3;
    private static final int MASTERS = 2;
    private static final int SERVERS = 3;
    private static final String NAME = "bench";

    private final Workplace at;
    private final ThreadScheduler scheduler = new ThreadScheduler();
    private final Hdfs hdfs;
    private final ZooKeeperProcess zooKeeper;
    private final Ways ways;
    private final Fleet fleet;
    private final LockService locks;
    private final Bigtable bigtable;

    private ProcessCluster(Path directory, Layout layout) throws IOException, InterruptedException {
        this.at = Workplace.make(directory);
        this.hdfs = Hdfs.start(at, scheduler, DATANODES, layout.disks(), layout.ground());
        this.zooKeeper = ZooKeeperProcess.start(at, scheduler, layout.ground());
        this.ways = new Ways(zooKeeper.quorum(), layout.doors(), scheduler);
        this.fleet = new Fleet(at, NAME, root(), layout, ways, MASTERS, SERVERS);
        fleet.startMasters();
        fleet.startServers();
        this.locks = Connect.lockService(address());
        this.bigtable = connect();
    }

    /** Starts it over a new directory, and returns when METADATA is served and every server known. */
    public static ProcessCluster start(Path directory, Layout layout) throws IOException, InterruptedException {
        ProcessCluster cluster = new ProcessCluster(directory, layout);
        cluster.awaitWhole();
        return cluster;
    }

    /** What {@link Connect#to} wants. */
    public String address() {
        return "zk://" + zooKeeper.quorum() + "/" + NAME;
    }

    /** Where its files lie, {@code hdfs://host:port/directory}. */
    public String root() {
        return hdfs.uri() + "/" + NAME;
    }

    /** Where configuration, logs and data of its processes lie. */
    public Path directory() {
        return at.directory();
    }

    /** An open client; closed with the cluster. */
    public Bigtable bigtable() {
        return bigtable;
    }

    public Scheduler scheduler() {
        return scheduler;
    }

    /** The tablet servers that live. Any thread. */
    public List<JavaProcess> servers() {
        return List.copyOf(fleet.servers());
    }

    /** Where a server listens, as METADATA says it. */
    public String addressOf(JavaProcess server) throws BigtableException {
        return lines().stream()
                .filter(line -> line.pid() == server.pid())
                .findFirst()
                .orElseThrow(() -> new UnavailableException(
                        "the master knows no tablet server of process " + server.pid(), Outcome.NOT_APPLIED))
                .address();
    }

    /** Those of all servers. */
    public List<String> addresses() throws BigtableException {
        List<String> addresses = new ArrayList<>();
        for (JavaProcess server : fleet.servers()) {
            addresses.add(addressOf(server));
        }
        return addresses;
    }

    /** The server that listens there. */
    public JavaProcess serverAt(String address) throws BigtableException {
        long pid = lines().stream()
                .filter(line -> line.address().equals(address))
                .findFirst()
                .map(ServerInfo::pid)
                .orElse(0);
        return fleet.servers().stream()
                .filter(server -> server.pid() == pid)
                .findFirst()
                .orElseThrow(
                        () -> new UnavailableException("no tablet server listens on " + address, Outcome.NOT_APPLIED));
    }

    /** Those that are thought to live. */
    public List<JavaProcess> masters() {
        return List.copyOf(fleet.masters());
    }

    public Hdfs hdfs() {
        return hdfs;
    }

    public Seat zooKeeper() {
        return zooKeeper.seat();
    }

    /** The proxies between masters and tablet servers and ZooKeeper; none if it was started without. */
    public Doors toZooKeeper() {
        return ways.toZooKeeper();
    }

    /** Those between masters and tablet servers and whoever wants to reach them, each other too; none if it was started without. */
    public Doors toServers() {
        return ways.toServers();
    }

    /** What a tablet server, or the master that rules, holds while its session lives; nothing of one that stands by. */
    public Optional<HeldLock> lockOf(JavaProcess process) throws BigtableException {
        if (fleet.servers().contains(process)) {
            return new LockTable(locks).ofServer(process.name());
        }
        return fleet.listensOn(activeMaster(), process) ? new LockTable(locks).ofMaster() : Optional.empty();
    }

    /** Whether a tablet server holds its lock. Any thread. */
    public boolean isServing(JavaProcess server) throws BigtableException {
        return new LockTable(locks).ofServer(server.name()).isPresent();
    }

    /** How many tablets the master says that it has; 0 of one that it does not know. Any thread. */
    public int tabletsOf(JavaProcess server) throws BigtableException {
        return lines().stream()
                .filter(line -> line.pid() == server.pid())
                .mapToInt(ServerInfo::tablets)
                .sum();
    }

    /** Whether the lock service still has that lock of that holder. Any thread. */
    public boolean isHeld(HeldLock lock) throws BigtableException {
        return new LockTable(locks).isHeld(lock);
    }

    /** SIGKILL; its exit is not reported to anybody. */
    public void killServer(JavaProcess server) throws InterruptedException, BigtableException {
        fleet.killServer(server);
    }

    /**
     * SIGSTOP: it keeps its memory and its connections, and does nothing. It is none of the servers that should live any more:
     * the caller resumes it, and kills it if it does not end by itself.
     */
    public void hangServer(JavaProcess server) throws IOException, InterruptedException {
        fleet.hangServer(server);
    }

    /** SIGKILL to the master that rules. */
    public void killMaster() throws InterruptedException, BigtableException {
        rulingMaster().kill();
    }

    /** The one whose address clients are told. */
    public JavaProcess rulingMaster() throws BigtableException {
        return fleet.masterAt(activeMaster());
    }

    /** Starts a master for each that has ended, or was killed, with more options of the JVM. */
    public void replaceMasters(List<String> options) throws IOException {
        fleet.startMasters(options);
    }

    /** SIGKILL. */
    public void killZooKeeper() throws InterruptedException, BigtableException {
        zooKeeper.seat().kill();
    }

    /** Returns when it serves. */
    public void startZooKeeper() throws IOException, InterruptedException {
        zooKeeper.seat().startAgain();
        zooKeeper.awaitAnswer();
    }

    /**
     * Starts the masters and tablet servers that are missing, these with more options of the JVM; the tablet servers that had
     * ended by themselves.
     */
    public List<JavaProcess> replaceEnded(List<String> options) throws IOException {
        List<JavaProcess> ended = fleet.forgetEnded();
        fleet.startMasters();
        fleet.startServers(options);
        return ended;
    }

    /** Starts the servers that are missing; returns as {@link #awaitWhole} does. */
    public void makeWhole() throws IOException, InterruptedException {
        fleet.startServers();
        awaitWhole();
    }

    /**
     * Returns when the servers that should live are known to the master, nobody else is, all tablets are served, and another
     * master stands by. A master that has ended, as one does that loses its session, is replaced, as YARN would. Refuses with what is missing.
     */
    public void awaitWhole() throws IOException, InterruptedException {
        Deadline deadline = Deadline.after(scheduler.clock(), READY_MILLIS);
        for (Optional<String> missing = missing(); missing.isPresent(); missing = missing()) {
            fleet.startMasters();
            for (JavaProcess server : fleet.servers()) {
                server.checkAlive();
            }
            if (deadline.isOver()) {
                throw new UnavailableException(
                        "the cluster is not whole after " + READY_MILLIS + " ms: " + missing.get()
                                + "; see the logs in " + at.directory(),
                        Outcome.NOT_APPLIED);
            }
            scheduler.pause(LOOK_MILLIS);
        }
    }

    /** How many tablets the servers have beside those of METADATA. */
    public long userTablets() throws BigtableException {
        long all = lines().stream().mapToLong(ServerInfo::tablets).sum();
        return all - bigtable.table(MetadataSchema.SCHEMA.name()).tablets().size();
    }

    /** What keeps the cluster from being whole, the first that is found; empty if it is whole. */
    private Optional<String> missing() {
        try {
            if (!fleet.hasItsMasters()) {
                return Optional.of("a master has ended");
            }
            for (JavaProcess master : fleet.masters()) {
                // A master says so when it begins to stand for election.
                if (locks.read(Paths.process(master.name())).isEmpty()) {
                    return Optional.of(master.name() + " does not stand for election");
                }
            }
            MasterView status = bigtable.admin().clusterStatus();
            List<Long> known =
                    pids(status.servers().stream().filter(ServerInfo::isAlive).map(line -> (long) line.pid()));
            List<Long> wanted = pids(fleet.servers().stream().map(JavaProcess::pid));
            if (!known.equals(wanted)) {
                return Optional.of(
                        "the master knows the servers of the processes " + known + ", and " + wanted + " are to live");
            }
            return status.unassigned() == 0
                    ? Optional.empty()
                    : Optional.of(status.unassigned() + " tablets are not served; problems: " + status.problems());
        } catch (BigtableException notYet) {
            return Optional.of(String.valueOf(notYet.getMessage()));
        }
    }

    private static List<Long> pids(Stream<Long> processes) {
        return processes.sorted().toList();
    }

    private List<ServerInfo> lines() throws BigtableException {
        return bigtable.admin().clusterStatus().servers();
    }

    private String activeMaster() throws BigtableException {
        return new LockTable(locks)
                .master()
                .orElseThrow(() -> new UnavailableException("no master was ever elected", Outcome.NOT_APPLIED));
    }

    private Bigtable connect() throws IOException, InterruptedException {
        Deadline deadline = Deadline.after(scheduler.clock(), READY_MILLIS);
        while (true) {
            try {
                return Connect.to(address());
            } catch (UnavailableException early) {
                if (deadline.isOver()) {
                    throw early;
                }
                // One that could not even reach ZooKeeper has ended.
                fleet.startMasters();
                scheduler.pause(LOOK_MILLIS);
            }
        }
    }

    /** Kills all of them; what they wrote stays. */
    @Override
    public void close() {
        bigtable.close();
        locks.close();
        try {
            fleet.killAll();
            zooKeeper.seat().kill();
            hdfs.kill();
        } catch (BigtableException stays) {
            log.warn("{}", stays.getMessage());
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        scheduler.close();
    }

    /** Deletes what the processes wrote, their logs too. After {@link #close}. */
    public void delete() throws IOException {
        at.delete();
    }
}
