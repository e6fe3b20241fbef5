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

    /** What the scan cache has of both caches, as in their defaults. */
    private static final int PART_OF_SCAN_CACHE = 5;

    private static final long LEAST_CACHE_BYTES = 64 << 10;

    private final SingleCopyCluster cluster;
    private final long localCacheBytes;
    private Below below = Below.DATANODE;

    /** What a server may have: of block and scan cache together, of the in-memory locality group, on the local disk. */
    public record Room(long cacheBytes, long memoryBytes, long localCacheBytes) {}

    private OwnSite(SingleCopyCluster cluster, long localCacheBytes) {
        this.cluster = cluster;
        this.localCacheBytes = localCacheBytes;
    }

    /**
     * In a new directory.
     */
    public static OwnSite start(Path directory, int servers, Room room) throws IOException, InterruptedException {
        Map<String, String> settings = new HashMap<>(SETTINGS);
        long scans = Math.max(LEAST_CACHE_BYTES, room.cacheBytes() / PART_OF_SCAN_CACHE);
        settings.put("tabletserver.scancache.bytes", Long.toString(scans));
        settings.put(
                "tabletserver.blockcache.bytes", Long.toString(Math.max(LEAST_CACHE_BYTES, room.cacheBytes() - scans)));
        settings.put("tabletserver.inmemory.bytes", Long.toString(room.memoryBytes()));
        settings.put(LOCAL_CACHE, "0");
        return new OwnSite(SingleCopyCluster.start(directory, servers, settings), room.localCacheBytes());
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
            cluster.restartServers(
                    Map.of(LOCAL_CACHE, wanted == Below.LOCAL_CACHE ? Long.toString(localCacheBytes) : "0"));
            below = wanted;
        }
        return true;
    }

    @Override
    public void close() {
        cluster.close();
    }
}
