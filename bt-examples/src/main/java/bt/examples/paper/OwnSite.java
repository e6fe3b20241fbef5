package bt.examples.paper;

import bt.examples.cluster.JavaProcess;
import bt.examples.cluster.SingleCopyCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/** A cluster of processes for the measurement alone, over a MiniDFS deployment of one datanode. */
public final class OwnSite implements Site {
    /** Tablets stay as they were made. */
    private static final Map<String, String> SETTINGS = Map.of(
            "tabletserver.split.bytes",
            Long.toString(1L << 40),
            "master.merge.bytes",
            "1024",
            "master.split.requests.per.second",
            "0");

    /** Of each tablet server. */
    public static final long SERVER_HEAP_BYTES = (long) SingleCopyCluster.SERVER_MEGABYTES << 20;

    private static final String LOCAL_CACHE = "tabletserver.localcache.bytes";
    private static final String BLOCK_CACHE = "tabletserver.blockcache.bytes";

    /** What the scan cache has of both caches, as in their defaults. */
    private static final int PART_OF_SCAN_CACHE = 5;

    private static final long LEAST_CACHE_BYTES = 64 << 10;

    private final SingleCopyCluster cluster;
    private final Room room;
    private Below below = Below.DATANODE;

    /**
     * What a server may have.
     *
     * @param cacheBytes of block and scan cache together, where the data is to be far larger
     * @param memoryBytes of the in-memory locality group, and of the block cache where that is to hold a table
     * @param localCacheBytes on the local disk
     */
    public record Room(long cacheBytes, long memoryBytes, long localCacheBytes) {
        private long scanCacheBytes() {
            return Math.max(LEAST_CACHE_BYTES, cacheBytes / PART_OF_SCAN_CACHE);
        }

        /** The settings in which one way to have blocks differs from another. */
        private Map<String, String> settings(Below below) {
            long blocks = below == Below.BLOCK_CACHE ? memoryBytes : cacheBytes - scanCacheBytes();
            return Map.of(
                    BLOCK_CACHE,
                    Long.toString(Math.max(LEAST_CACHE_BYTES, blocks)),
                    LOCAL_CACHE,
                    Long.toString(below == Below.LOCAL_CACHE ? localCacheBytes : 0));
        }
    }

    private OwnSite(SingleCopyCluster cluster, Room room) {
        this.cluster = cluster;
        this.room = room;
    }

    /**
     * In a new directory.
     */
    public static OwnSite start(Path directory, int servers, Room room) throws IOException, InterruptedException {
        Map<String, String> settings = new HashMap<>(SETTINGS);
        settings.put("tabletserver.scancache.bytes", Long.toString(room.scanCacheBytes()));
        settings.put("tabletserver.inmemory.bytes", Long.toString(room.memoryBytes()));
        settings.putAll(room.settings(Below.DATANODE));
        return new OwnSite(SingleCopyCluster.start(directory, servers, settings), room);
    }

    @Override
    public String address() {
        return cluster.address();
    }

    @Override
    public List<Long> servers() {
        return cluster.servers().stream().map(JavaProcess::pid).toList();
    }

    @Override
    public List<Long> datanodes() {
        return List.of(cluster.datanode().pid());
    }

    @Override
    public Optional<Configuration> hdfs() {
        return Optional.of(cluster.hdfs());
    }

    @Override
    public boolean read(Below wanted) throws IOException, InterruptedException {
        if (wanted != below) {
            cluster.readFilesOfDatanode(wanted == Below.DATANODE_FILE);
            cluster.restartServers(room.settings(wanted));
            below = wanted;
        }
        return true;
    }

    @Override
    public void close() {
        cluster.close();
    }
}
