package bt.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Halt;
import bt.base.RejectedException;
import bt.command.ExitCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a cluster in one process refuses to start over, and what it leaves on its disk. */
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

    @Test
    void filesThatNobodyNeedsAreDeleted() throws Exception {
        Path data = directory.resolve("swept");
        try (LocalCluster cluster = start(data, Map.of("garbage.seconds", "1", "undelete.seconds", "0"))) {
            CommandLines bt = new CommandLines(cluster.address().toString());
            assertThat(bt.run("create", "kept", "f").code()).isEqualTo(ExitCode.DONE);
            assertThat(bt.run("create", "dropped", "f").code()).isEqualTo(ExitCode.DONE);
            for (String table : List.of("kept", "dropped")) {
                assertThat(bt.run("put", table, "r", "f:q", "v").code()).isEqualTo(ExitCode.DONE);
                cluster.bigtable().admin().flush(table);
            }
            long dropped = cluster.bigtable().table("dropped").schema().id();
            Path files = data.resolve("files/data/" + dropped);
            assertThat(isEmpty(files)).isFalse();
            assertThat(bt.run("gc", "--dry-run").out())
                    .contains("waiting\t0 files")
                    .contains("due\t0 files");

            assertThat(bt.run("drop", "dropped", "--yes").code()).isEqualTo(ExitCode.DONE);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofMillis(500))
                    .until(() -> bt.run("gc", "--now").code() == ExitCode.DONE && isEmpty(files));
            assertThat(bt.run("get", "kept", "r").out()).contains("\tv\n");
            assertThat(bt.run("gc", "--json").out()).contains("\"dry\":false").contains("\"problem\":\"\"");
            assertThat(bt.run("gc", "--now", "--dry-run").err()).contains("choose one");
        }
    }

    private static boolean isEmpty(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return true;
        }
        try (Stream<Path> below = Files.walk(directory)) {
            return below.noneMatch(Files::isRegularFile);
        }
    }

    private static LocalCluster start(Path data, Map<String, String> configuration) throws Exception {
        return LocalCluster.start(data, ServerSettings.read(configuration), 0, NEVER);
    }
}
