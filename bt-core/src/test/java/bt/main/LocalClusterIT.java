package bt.main;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Halt;
import bt.base.RejectedException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a cluster in one process refuses to start over. */
class LocalClusterIT {
    private static final Halt NEVER = reason -> {
        throw new AssertionError(reason);
    };

    @TempDir
    private Path directory;

    @Test
    void theFilesOfAnotherInstanceAreRefused() throws Exception {
        Path mine = directory.resolve("mine");
        Path theirs = directory.resolve("theirs");
        start(mine, Map.of()).close();
        start(theirs, Map.of()).close();
        Files.move(mine.resolve("files"), directory.resolve("aside"));
        Files.move(theirs.resolve("files"), mine.resolve("files"));
        assertThatThrownBy(() -> start(mine, Map.of()))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("they belong to different clusters");
    }

    @Test
    void filesWithoutTheirLockServiceAreRefusedThoughNothingWasFlushed() throws Exception {
        Path data = directory.resolve("data");
        start(data, Map.of()).close();
        Files.move(data.resolve("zookeeper"), directory.resolve("aside"));
        assertThatThrownBy(() -> start(data, Map.of()))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("nothing initialises over existing data");
    }

    @Test
    void aPortInUseIsRefused() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());
            assertThatThrownBy(() -> LocalCluster.start(
                            directory.resolve("a"), ServerSettings.read(Map.of()), taken.getLocalPort(), NEVER))
                    .isInstanceOf(RejectedException.class)
                    .hasMessageContaining("127.0.0.1:" + port + ": cannot listen");
            assertThatThrownBy(() -> start(directory.resolve("b"), Map.of("tabletserver.port", port)))
                    .isInstanceOf(RejectedException.class)
                    .hasMessageContaining("127.0.0.1:" + port + ": cannot listen");
        }
    }

    private static LocalCluster start(Path data, Map<String, String> configuration) throws Exception {
        return LocalCluster.start(data, ServerSettings.read(configuration), 0, NEVER);
    }
}
