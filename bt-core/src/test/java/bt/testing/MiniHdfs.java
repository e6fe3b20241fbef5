package bt.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/** A real HDFS of three datanodes in this process, on 127.0.0.1: one for all tests of a module, up until the process ends. */
public final class MiniHdfs {
    private static final AtomicInteger ROOTS = new AtomicInteger();

    private final MiniDFSCluster cluster;

    private MiniHdfs() {
        try {
            // Fresh each time: what an earlier run left would be found.
            Path base = Files.createTempDirectory(Files.createDirectories(Path.of("target")), "hdfs-");
            Configuration settings = new HdfsConfiguration();
            settings.setInt("dfs.heartbeat.interval", 1);
            settings.set("dfs.namenode.rpc-bind-host", "127.0.0.1");
            cluster = new MiniDFSCluster.Builder(settings, base.toFile())
                    .numDataNodes(3)
                    .build();
            cluster.waitActive();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static MiniHdfs shared() {
        return Shared.HDFS;
    }

    /** An empty place of its own for one test. */
    public String freshRoot() {
        return cluster.getURI() + "/test-" + ROOTS.incrementAndGet();
    }

    /** For tests that stop datanodes: they start them again. */
    public MiniDFSCluster cluster() {
        return cluster;
    }

    /** The power fails while every datanode appends to every block that is being written; then it is back. */
    public void tearOpenBlocks() throws IOException {
        List<DataNodeProperties> stopped = new ArrayList<>();
        while (!cluster.getDataNodes().isEmpty()) {
            stopped.add(cluster.stopDataNode(0));
        }
        try (Stream<Path> files = Files.walk(Path.of(cluster.getDataDirectory()))) {
            for (Path block : (Iterable<Path>) files.filter(MiniHdfs::isOpenBlock)::iterator) {
                Files.write(block, new byte[100], StandardOpenOption.APPEND);
            }
        }
        for (DataNodeProperties datanode : stopped) {
            cluster.restartDataNode(datanode);
        }
        cluster.waitActive();
    }

    private static boolean isOpenBlock(Path file) {
        return file.toString().matches(".*/rbw/blk_\\d+");
    }

    /** How often the datanodes have brought a file to disk, by their own count. */
    public long syncs() {
        return cluster.getDataNodes().stream()
                .map(datanode -> DefaultMetricsSystem.instance()
                        .getSource(datanode.getMetrics().name()))
                .mapToLong(MiniHdfs::syncs)
                .sum();
    }

    private static long syncs(MetricsSource datanode) {
        MetricsCollectorImpl collector = new MetricsCollectorImpl();
        datanode.getMetrics(collector, true);
        return collector.getRecords().stream()
                .flatMap(values -> StreamSupport.stream(values.metrics().spliterator(), false))
                .filter(value -> value.name().equals("FsyncCount"))
                .mapToLong(value -> value.value().longValue())
                .sum();
    }

    private static final class Shared {
        private static final MiniHdfs HDFS = new MiniHdfs();
    }
}
