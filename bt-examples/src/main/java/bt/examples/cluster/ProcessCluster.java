package bt.examples.cluster;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Deadline;
import bt.base.Scheduler;
import bt.base.ThreadScheduler;
import bt.base.UnavailableException;
import bt.client.Bigtable;
import bt.connect.Connect;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.metadata.MetadataSchema;
import bt.record.ClusterStatus;
import bt.record.MasterFile;
import bt.record.ServerLine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cluster of processes: HDFS with three datanodes, ZooKeeper, two masters, one of which stands by, and three tablet servers;
 * all on 127.0.0.1, with bounded heaps, with the class path of this JVM. All of them are ended with {@link #close}, and with
 * this JVM. One thread.
 */
public final class ProcessCluster implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ProcessCluster.class);
    private static final int MASTERS = 2;
    private static final int SERVERS = 3;
    private static final long READY_MILLIS = 120_000;
    private static final long LOOK_MILLIS = 50;
    private static final String NAME = "bench";

    private final Workplace at;
    private final ThreadScheduler scheduler = new ThreadScheduler();
    private final Map<String, String> settings;
    private final HdfsProcess hdfs;
    private final ZooKeeperProcess zooKeeper;

    /** By the address that it was told to listen on. */
    private final Map<String, JavaProcess> masters = new HashMap<>();

    private final List<JavaProcess> servers = new ArrayList<>();
    private final LockService locks;
    private final Bigtable bigtable;
    private int started;

    private ProcessCluster(Path directory, Map<String, String> settings) throws IOException, InterruptedException {
        this.at = Workplace.make(directory);
        this.settings = settings;
        this.hdfs = HdfsProcess.start(at);
        this.zooKeeper = ZooKeeperProcess.start(at, scheduler);
        for (int i = 0; i < MASTERS; i++) {
            startMaster();
        }
        for (int i = 0; i < SERVERS; i++) {
            startServer();
        }
        this.locks = Connect.lockService(address());
        this.bigtable = connect();
    }

    /**
     * Starts it over a new directory, and returns when METADATA is served and every server known. The settings are those of
     * {@code conf/bt.properties}, for masters and tablet servers.
     */
    public static ProcessCluster start(Path directory, Map<String, String> settings)
            throws IOException, InterruptedException {
        ProcessCluster cluster = new ProcessCluster(directory, settings);
        cluster.awaitWhole();
        return cluster;
    }

    /** What {@link Connect#to} wants. */
    public String address() {
        return "zk://" + zooKeeper.quorum() + "/" + NAME;
    }

    /** An open client; closed with the cluster. */
    public Bigtable bigtable() {
        return bigtable;
    }

    public Scheduler scheduler() {
        return scheduler;
    }

    /** The tablet servers that live. */
    public List<JavaProcess> servers() {
        return List.copyOf(servers);
    }

    /** Where a server listens, as METADATA says it. */
    public String addressOf(JavaProcess server) throws BigtableException {
        return lines().stream()
                .filter(line -> line.getPid() == server.pid())
                .findFirst()
                .orElseThrow(() -> new UnavailableException(
                        "the master knows no tablet server of process " + server.pid(), Outcome.NOT_APPLIED))
                .getAddress();
    }

    /** Those of all servers. */
    public List<String> addresses() throws BigtableException {
        List<String> addresses = new ArrayList<>();
        for (JavaProcess server : servers) {
            addresses.add(addressOf(server));
        }
        return addresses;
    }

    /** The server that listens there. */
    public JavaProcess serverAt(String address) throws BigtableException {
        long pid = lines().stream()
                .filter(line -> line.getAddress().equals(address))
                .findFirst()
                .map(ServerLine::getPid)
                .orElse(0);
        return servers.stream()
                .filter(server -> server.pid() == pid)
                .findFirst()
                .orElseThrow(
                        () -> new UnavailableException("no tablet server listens on " + address, Outcome.NOT_APPLIED));
    }

    /** SIGKILL; its exit is not reported to anybody. */
    public void killServer(JavaProcess server) throws InterruptedException, BigtableException {
        server.kill();
        servers.remove(server);
    }

    /** SIGKILL to the master that rules. */
    public void killMaster() throws InterruptedException, BigtableException {
        String address = activeMaster();
        JavaProcess master = masters.remove(address);
        if (master == null) {
            throw new UnavailableException("the master at " + address + " is not ours", Outcome.NOT_APPLIED);
        }
        master.kill();
    }

    /** SIGKILL. */
    public void killZooKeeper() throws InterruptedException, BigtableException {
        zooKeeper.kill();
    }

    public void startZooKeeper() throws IOException, InterruptedException {
        zooKeeper.startAgain();
    }

    public void stopDatanode() throws IOException {
        hdfs.stopDatanode();
    }

    public void startDatanode() throws IOException {
        hdfs.startDatanode();
    }

    /** Starts the servers that are missing; returns as {@link #awaitWhole} does. */
    public void makeWhole() throws IOException, InterruptedException {
        while (servers.size() < SERVERS) {
            startServer();
        }
        awaitWhole();
    }

    /**
     * Returns when the servers that should live are known to the master, nobody else is, all tablets are served, and another
     * master stands by. A master that has ended, as one does that loses its session, is replaced, as YARN would.
     */
    public void awaitWhole() throws IOException, InterruptedException {
        Deadline deadline = Deadline.after(scheduler.clock(), READY_MILLIS);
        while (!isWhole()) {
            masters.values().removeIf(master -> !master.isAlive());
            while (masters.size() < MASTERS) {
                startMaster();
            }
            for (JavaProcess server : servers) {
                server.checkAlive();
            }
            if (deadline.isOver()) {
                throw new UnavailableException(
                        "the cluster is not whole after " + READY_MILLIS + " ms: see the logs in " + at.directory(),
                        Outcome.NOT_APPLIED);
            }
            scheduler.pause(LOOK_MILLIS);
        }
    }

    /** How many tablets the servers have beside those of METADATA. */
    public long userTablets() throws BigtableException {
        long all = lines().stream().mapToLong(ServerLine::getTablets).sum();
        return all - bigtable.table(MetadataSchema.SCHEMA.name()).tablets().size();
    }

    private boolean isWhole() {
        try {
            if (masters.size() < MASTERS) {
                return false;
            }
            for (JavaProcess master : masters.values()) {
                // A master says so when it begins to stand for election.
                if (!master.isAlive()
                        || locks.read(Paths.process(master.name())).isEmpty()) {
                    return false;
                }
            }
            ClusterStatus status = bigtable.admin().clusterStatus();
            List<Long> known = status.getServers().stream()
                    .filter(ServerLine::getAlive)
                    .map(line -> (long) line.getPid())
                    .sorted()
                    .toList();
            return status.getUnassigned() == 0
                    && known.equals(
                            servers.stream().map(JavaProcess::pid).sorted().toList());
        } catch (BigtableException notYet) {
            return false;
        }
    }

    private List<ServerLine> lines() throws BigtableException {
        return bigtable.admin().clusterStatus().getServers();
    }

    private String activeMaster() throws BigtableException {
        SmallFile file = locks.read(Paths.MASTER)
                .orElseThrow(() -> new UnavailableException("no master was ever elected", Outcome.NOT_APPLIED));
        return AvroBytes.decode("master file", file.content(), MasterFile.class).getAddress();
    }

    private void startMaster() throws IOException {
        String listening = Ports.free(1).get(0);
        String port = listening.substring(listening.indexOf(':') + 1);
        masters.put(listening, run("master", List.of("-Xmx256m", "-XX:+UseSerialGC"), Map.of("master.port", port)));
    }

    private void startServer() throws IOException {
        servers.add(run("tabletserver", List.of("-Xmx1536m"), settings));
    }

    private JavaProcess run(String role, List<String> options, Map<String, String> more) throws IOException {
        started++;
        String name = role + "-" + started;
        List<String> jvm = new ArrayList<>(options);
        jvm.add("-Dbt.conf.dir=" + at.conf());
        // As a container on YARN has it: by this name whoever started it reports its end.
        jvm.add("-Dbt.process=" + name);
        List<String> words = new ArrayList<>(List.of("bt.main.Main", role, "--at", address()));
        Map<String, String> all = new HashMap<>(settings);
        all.putAll(more);
        all.put("root", hdfs.uri() + "/" + NAME);
        all.forEach((key, value) -> words.addAll(List.of("-D", key + "=" + value)));
        ProcessBuilder.Redirect output =
                ProcessBuilder.Redirect.appendTo(at.log(name).toFile());
        return JavaProcess.start(name, at, jvm, output, words);
    }

    private Bigtable connect() throws InterruptedException, BigtableException {
        Deadline deadline = Deadline.after(scheduler.clock(), READY_MILLIS);
        while (true) {
            try {
                return Connect.to(address());
            } catch (UnavailableException early) {
                if (deadline.isOver()) {
                    throw early;
                }
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
            List<JavaProcess> all = new ArrayList<>(servers);
            all.addAll(masters.values());
            for (JavaProcess process : all) {
                process.kill();
            }
            zooKeeper.kill();
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
