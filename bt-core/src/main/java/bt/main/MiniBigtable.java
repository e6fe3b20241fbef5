package bt.main;

import bt.base.BigtableException;
import bt.base.DirectoryTree;
import bt.base.UnavailableException;
import bt.client.Bigtable;
import bt.connect.Connect;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A whole cluster for a test: the servers of {@code bt dev}, on free ports of 127.0.0.1, over a temporary directory that
 * goes with it. Starting one takes seconds: share it among the tests of a class. The paper has no such thing.
 *
 * <pre>{@code
 * try (MiniBigtable cluster = MiniBigtable.start()) {
 *     cluster.bigtable().admin().createTable(...);
 * }
 * }</pre>
 *
 * <p>{@link bt.main.junit.MiniBigtableExtension} shares one among all tests of a run.
 */
public final class MiniBigtable implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(MiniBigtable.class);

    private final Path directory;
    private final LocalCluster cluster;

    private MiniBigtable(Path directory, LocalCluster cluster) {
        this.directory = directory;
        this.cluster = cluster;
    }

    /** Starts, and waits until it serves. UNAVAILABLE where there is no temporary directory, or no server after a minute. */
    public static MiniBigtable start() throws BigtableException {
        return start(Map.of());
    }

    /** The same with some keys of {@code conf/bt.properties} ({@code bt config} lists them). REJECTED where one is none. */
    public static MiniBigtable start(Map<String, String> configuration) throws BigtableException {
        Path directory;
        try {
            directory = Files.createTempDirectory("mini-bigtable");
        } catch (IOException full) {
            throw new UnavailableException("no temporary directory: " + full.getMessage()).causedBy(full);
        }
        boolean started = false;
        try {
            ServerSettings settings = ServerSettings.read(configuration);
            // A test's JVM is not ours to halt: what the server would have done after that is what the test sees.
            LocalCluster cluster =
                    LocalCluster.start(directory, settings, 0, reason -> log.error("would halt: {}", reason));
            started = true;
            return new MiniBigtable(directory, cluster);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new UnavailableException("interrupted while a cluster started").causedBy(stopped);
        } finally {
            if (!started) {
                delete(directory);
            }
        }
    }

    /** An open client; closed with the cluster. */
    public Bigtable bigtable() {
        return cluster.bigtable();
    }

    /** What {@link Connect#to} and {@code bt --at} want. */
    public String at() {
        return cluster.address().toString();
    }

    @Override
    public void close() {
        cluster.close();
        delete(directory);
    }

    private static void delete(Path directory) {
        try {
            DirectoryTree.delete(directory);
        } catch (IOException left) {
            log.warn("{}: {}", directory, left.toString());
        }
    }
}
