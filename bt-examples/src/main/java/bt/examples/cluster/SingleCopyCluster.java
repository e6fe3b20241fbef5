package bt.examples.cluster;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Deadline;
import bt.base.ThreadScheduler;
import bt.base.UnavailableException;
import bt.client.Bigtable;
import bt.client.MasterView;
import bt.client.ServerInfo;
import bt.connect.Connect;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cluster of processes with as little as there can be of everything but tablet servers: ZooKeeper, a NameNode, a
 * datanode, a master; on 127.0.0.1. For measurements, which want to know what each of them costs. One thread.
 */
public final class SingleCopyCluster implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SingleCopyCluster.class);
    private static final String NAME = "paper";
    /** The heap of a tablet server. */
    public static final int SERVER_MEGABYTES = 1_536;
    /** The reader of short circuits is the one that needs no native library, and asks the datanode for the path. */
    private static final String SITE = """
            <configuration>
              <property><name>dfs.replication</name><value>1</value></property>
              <property><name>dfs.block.local-path-access.user</name><value>%s</value></property>
              <property><name>dfs.client.use.legacy.blockreader.local</name><value>true</value></property>
              <property><name>dfs.client.read.shortcircuit</name><value>%s</value></property>
            </configuration>
            """;

    private static final long READY_MILLIS = 120_000;
    private static final long LOOK_MILLIS = 100;

    private final Workplace at;
    private final ThreadScheduler scheduler = new ThreadScheduler();
    private final Hdfs hdfs;
    private final ZooKeeperProcess zooKeeper;
    private final Fleet fleet;

    private SingleCopyCluster(Path directory, int servers, Map<String, String> settings)
            throws IOException, InterruptedException {
        this.at = Workplace.make(directory);
        readFilesOfDatanode(false);
        this.hdfs = Hdfs.start(at, scheduler, 1, false, List.of());
        this.zooKeeper = ZooKeeperProcess.start(at, scheduler, List.of());
        Ways ways = new Ways(zooKeeper.quorum(), false, scheduler);
        Layout layout = new Layout(settings, SERVER_MEGABYTES, false, false, List.of());
        this.fleet = new Fleet(at, NAME, hdfs.uri() + "/" + NAME, layout, ways, 1, servers);
        fleet.startMasters();
        fleet.startServers();
    }

    /**
     * Starts it over a new directory, and returns when every server is known. {@code settings} are those of
     * {@code conf/bt.properties}.
     */
    public static SingleCopyCluster start(Path directory, int servers, Map<String, String> settings)
            throws IOException, InterruptedException {
        SingleCopyCluster cluster = new SingleCopyCluster(directory, servers, settings);
        cluster.awaitServers();
        return cluster;
    }

    /** What {@link Connect#to} wants. */
    public String address() {
        return "zk://" + zooKeeper.quorum() + "/" + NAME;
    }

    /** The file system below, as its servers are told of it. */
    public Configuration hdfs() {
        Configuration settings = new HdfsConfiguration();
        settings.addResource(new org.apache.hadoop.fs.Path(hdfsSite().toUri()));
        settings.set(CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY, hdfs.uri());
        return settings;
    }

    /** Whether tablet servers that start from now on read the datanode's files themselves. */
    public void readFilesOfDatanode(boolean themselves) throws IOException {
        Files.writeString(
                hdfsSite(), SITE.formatted(UserGroupInformation.getCurrentUser().getShortUserName(), themselves));
    }

    private Path hdfsSite() {
        return at.conf().resolve("hdfs-site.xml");
    }

    public List<JavaProcess> servers() {
        return List.copyOf(fleet.servers());
    }

    public JavaProcess datanode() {
        return hdfs.datanodes().get(0).process();
    }

    /** Kills the tablet servers and starts as many with other settings; what they had in memory alone they replay. */
    public void restartServers(Map<String, String> changes) throws IOException, InterruptedException {
        try (Bigtable bigtable = Connect.to(address())) {
            for (JavaProcess server : servers()) {
                fleet.killServer(server);
                // Or sessions and leases of the dead would be waited for.
                bigtable.admin().processExited(server.name());
            }
        }
        fleet.change(changes);
        fleet.startServers();
        awaitServers();
    }

    private void awaitServers() throws IOException, InterruptedException {
        Deadline deadline = Deadline.after(scheduler.clock(), READY_MILLIS);
        while (!isServing()) {
            for (JavaProcess server : fleet.servers()) {
                server.checkAlive();
            }
            if (deadline.isOver()) {
                throw new UnavailableException(
                        "the cluster does not serve after " + READY_MILLIS + " ms: see the logs in " + at.directory(),
                        Outcome.NOT_APPLIED);
            }
            scheduler.pause(LOOK_MILLIS);
        }
    }

    private boolean isServing() {
        try (Bigtable bigtable = Connect.to(address())) {
            MasterView status = bigtable.admin().clusterStatus();
            List<Long> known = status.servers().stream()
                    .filter(ServerInfo::isAlive)
                    .map(line -> (long) line.pid())
                    .sorted()
                    .toList();
            List<Long> wanted =
                    fleet.servers().stream().map(JavaProcess::pid).sorted().toList();
            return status.unassigned() == 0 && known.equals(wanted);
        } catch (BigtableException notYet) {
            return false;
        }
    }

    /** Kills all of them; what they wrote stays. */
    @Override
    public void close() {
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
}
