package bt.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.testing.MiniHdfs;
import bt.testing.MiniZooKeeper;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server and what it stands on may be started in any order. */
class GroundIT {
    @TempDir
    Path directory;

    @Test
    void aServerWaitsForTheNameNode() throws Exception {
        MiniDFSCluster hdfs = MiniHdfs.shared().cluster();
        String root = MiniHdfs.shared().freshRoot();
        try (MiniZooKeeper zookeeper = new MiniZooKeeper(directory)) {
            ServerSettings settings = ServerSettings.read(
                    Map.of(Setting.AT.key(), "zk://" + zookeeper.quorum() + "/test", Setting.ROOT.key(), root));
            hdfs.shutdownNameNode(0);
            CompletableFuture<Ground> ground = CompletableFuture.supplyAsync(() -> open(settings));
            try {
                assertThatThrownBy(() -> ground.get(2, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
            } finally {
                hdfs.restartNameNode(0);
            }
            try (Ground opened = ground.get(60, TimeUnit.SECONDS)) {
                assertThat(opened.files().list("")).isEqualTo(List.of());
            }
        }
    }

    private static Ground open(ServerSettings settings) {
        try {
            return Ground.open(settings, settings.masterBerth(), reason -> {});
        } catch (BigtableException failed) {
            throw new CompletionException(failed);
        }
    }
}
