package bt.examples.cluster;

import bt.base.ThreadScheduler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hadoop's own NameNode or datanode in a process of its own: {@code namenode DIR HOST:PORT}, which formats a directory that is
 * not there, or {@code datanode DIR NAMENODE HOST:PORT HOST:PORT}, whose own addresses are for data and for calls.
 */
public final class HdfsMain {
    private static final Logger log = LoggerFactory.getLogger(HdfsMain.class);

    static final String NAME_NODE = "namenode";
    public static final String DATANODE = "datanode";
    private static final String ANY_PORT = "127.0.0.1:0";
    private static final long LOOK_MILLIS = 500;

    /**
     * Not Hadoop's three. Who takes a log from a dead server waits for a heartbeat of a datanode, and where that datanode dies
     * meanwhile for thirty intervals.
     */
    private static final String HEARTBEAT_SECONDS = "1";

    private HdfsMain() {}

    public static void main(String[] words) throws InterruptedException {
        try {
            run(words);
        } catch (IOException | RuntimeException failed) {
            log.error("{} ends", words[0], failed);
        }
        // Its threads would keep it, and nobody needs what it would save.
        Runtime.getRuntime().halt(1);
    }

    private static void run(String... words) throws IOException, InterruptedException {
        Path directory = Path.of(words[1]);
        Configuration settings = new HdfsConfiguration();
        settings.set("fs.defaultFS", "hdfs://" + words[2]);
        settings.set("dfs.heartbeat.interval", HEARTBEAT_SECONDS);
        if (words[0].equals(NAME_NODE)) {
            nameNode(directory, settings);
        } else {
            datanode(directory, words[3], words[4], settings);
        }
    }

    private static void nameNode(Path directory, Configuration settings) throws IOException {
        setAll(
                settings,
                Map.of(
                        "dfs.namenode.name.dir",
                        directory.toUri().toString(),
                        "dfs.namenode.http-address",
                        ANY_PORT,
                        "dfs.namenode.rpc-bind-host",
                        "127.0.0.1",
                        // It serves when it has heard of its blocks; there is nobody else to wait for.
                        "dfs.namenode.safemode.extension",
                        "0"));
        if (!Files.exists(directory)) {
            Files.createDirectories(directory);
            // Or the one that formats and the one that serves could not both count.
            DefaultMetricsSystem.setMiniClusterMode(true);
            NameNode.format(settings);
        }
        NameNode.createNameNode(new String[0], settings).join();
    }

    private static void datanode(Path directory, String data, String calls, Configuration settings)
            throws IOException, InterruptedException {
        setAll(
                settings,
                Map.of(
                        "dfs.datanode.data.dir",
                        directory.toUri().toString(),
                        "dfs.datanode.address",
                        data,
                        "dfs.datanode.ipc.address",
                        calls,
                        "dfs.datanode.http.address",
                        ANY_PORT));
        DataNode datanode = DataNode.createDataNode(new String[0], settings);
        try (ThreadScheduler scheduler = new ThreadScheduler()) {
            while (datanode.isDatanodeUp()) {
                scheduler.pause(LOOK_MILLIS);
            }
        }
    }

    private static void setAll(Configuration settings, Map<String, String> values) {
        values.forEach(settings::set);
    }
}
