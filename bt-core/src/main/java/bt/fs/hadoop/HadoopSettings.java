package bt.fs.hadoop;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;

/**
 * What HDFS's client is told. Its defaults suit batch jobs: a hung datanode would stall a commit log for a minute. What the
 * operator says, in Hadoop's files or in ours, stays.
 */
final class HadoopSettings {
    private static final Map<String, String> OURS = Map.ofEntries(
            // The pipeline of three datanodes that has lost one has nobody to take; best effort goes on with two. Where
            // there are more, the place is filled as ever.
            Map.entry("dfs.client.block.write.replace-datanode-on-failure.best-effort", "true"),
            // Plus five seconds per datanode of the pipeline, which HDFS adds.
            Map.entry("dfs.client.socket-timeout", "5000"),
            Map.entry("dfs.datanode.socket.write.timeout", "10000"),
            // Before it asks the NameNode again for a block that no datanode gave, three times: by default for up to 27
            // seconds in all, in which nobody is told what is wrong. Who reads tries again by himself.
            Map.entry("dfs.client.retry.window.base", "300"),
            // Of a NameNode that has fallen silent on a connection that stands.
            Map.entry("ipc.client.rpc-timeout.ms", "20000"),
            Map.entry("ipc.client.connect.timeout", "5000"),
            Map.entry("ipc.client.connect.max.retries.on.timeouts", "3"),
            // Idle connections to all datanodes together: with 16 and dozens of datanodes most positional reads would
            // dial.
            Map.entry("dfs.client.socketcache.capacity", "256"),
            // A file is complete when the NameNode has heard of its last block from a datanode, which on a busy machine
            // is mostly
            // some milliseconds after the writer has asked: HDFS's next question comes 400 ms later, by when memtables
            // that become
            // files are full again. Each pause is twice the one before; all together are 20 s, of 12 by default.
            Map.entry("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", "10"),
            Map.entry("dfs.client.block.write.locateFollowingBlock.retries", "11"),
            // Hadoop's hook would complete our logs at SIGTERM, on a thread of its own.
            Map.entry("fs.automatic.close", "false"));

    /** Of 64 KB by default: as many system calls, sums and acknowledgements, in three processes, for a quarter as much. */
    private static final String PACKET_BYTES = "dfs.client-write-packet-size";

    private static final int DATA_PACKET_BYTES = 256 << 10;

    private HadoopSettings() {}

    static Configuration with(Map<String, String> operators) {
        Configuration settings = new HdfsConfiguration();
        operators.forEach(settings::set);
        OURS.forEach((key, value) -> {
            if (!isSaidByOperator(settings, key)) {
                settings.set(key, value);
            }
        });
        return settings;
    }

    /** The same for who writes a file of data, of which nothing is flushed while it is small. */
    static Configuration forData(Configuration settings) {
        Configuration data = new Configuration(settings);
        if (!isSaidByOperator(settings, PACKET_BYTES)) {
            data.setInt(PACKET_BYTES, DATA_PACKET_BYTES);
        }
        return data;
    }

    /** Where a value comes from: Hadoop's own are in files called {@code core-default.xml} and the like. */
    private static boolean isSaidByOperator(Configuration settings, String key) {
        String[] sources = settings.getPropertySources(key);
        return sources != null && sources.length > 0 && !sources[0].contains("-default.xml");
    }
}
