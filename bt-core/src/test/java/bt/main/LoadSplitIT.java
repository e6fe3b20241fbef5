package bt.main;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.base.Halt;
import bt.client.Bigtable;
import bt.client.Table;
import bt.command.ExitCode;
import bt.connect.Connect;
import bt.coord.zookeeper.EmbeddedZooKeeper;
import bt.model.ColumnKey;
import bt.model.RowMutation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A small tablet that gets nearly all requests of two servers is split, and one with a hot row is not. */
class LoadSplitIT {
    private static final Halt NEVER = reason -> {
        throw new AssertionError(reason);
    };
    private static final int ROWS = 1_000;

    @TempDir
    private Path directory;

    private final AtomicBoolean enough = new AtomicBoolean();

    @Test
    void aBusyTabletSplitsAndStaysSplitAndOneHotRowSplitsNothing() throws Exception {
        try (EmbeddedZooKeeper zooKeeper = EmbeddedZooKeeper.start(directory.resolve("zk"), "127.0.0.1", 0)) {
            String at = "zk://" + zooKeeper.quorum() + "/c";
            ServerSettings settings = ServerSettings.read(Map.of(
                    "at",
                    at,
                    "root",
                    directory.resolve("files").toString(),
                    "lease.millis",
                    "1000",
                    "master.split.requests.per.second",
                    "5",
                    // Idle, both halves together would be one tablet again at once.
                    "master.merge.after.millis",
                    "500"));
            ExecutorService clients = Executors.newFixedThreadPool(2);
            try (MasterProcess master = MasterProcess.start(settings, NEVER);
                    TabletServerProcess first = TabletServerProcess.start(settings, NEVER);
                    TabletServerProcess second = TabletServerProcess.start(settings, NEVER)) {
                CommandLines bt = new CommandLines(at);
                Awaitility.await()
                        .until(() -> bt.run("servers").out().lines().count() == 3
                                && bt.run("create", "spread", "f:versions=1").code() == ExitCode.DONE);
                assertThat(bt.run("create", "hot", "f:versions=1").code()).isEqualTo(ExitCode.DONE);
                try (Bigtable bigtable = Connect.to(at)) {
                    Table spread = bigtable.table("spread");
                    Table hot = bigtable.table("hot");
                    Random random = new Random(1);
                    List<Future<?>> loads = new ArrayList<>();
                    loads.add(clients.submit(() -> load(spread, () -> random.nextInt(ROWS))));
                    loads.add(clients.submit(() -> load(hot, () -> ROWS / 2)));
                    Awaitility.await()
                            .atMost(Duration.ofSeconds(60))
                            .until(() -> spread.tablets().size() > 1);
                    // Longer than a merge of idle tablets would take.
                    Awaitility.await()
                            .during(Duration.ofSeconds(3))
                            .atMost(Duration.ofSeconds(10))
                            .until(() -> spread.tablets().size() > 1);
                    assertThat(hot.tablets()).hasSize(1);
                    assertThat(spread.tablets().get(0).range().end().orElseThrow())
                            .isBetween(Bytes.utf8(row(ROWS / 5)), Bytes.utf8(row(ROWS / 5 * 4)));
                    enough.set(true);
                    for (Future<?> load : loads) {
                        load.get();
                    }
                }
                assertThat(master.hasEnded() || first.hasEnded() || second.hasEnded())
                        .isFalse();
            } finally {
                enough.set(true);
                clients.shutdown();
            }
        }
    }

    private Void load(Table table, IntSupplier rows) throws Exception {
        while (!enough.get()) {
            String row = row(rows.getAsInt());
            table.apply(RowMutation.of(row)
                    .set(ColumnKey.of("f", "q"), Bytes.utf8(row))
                    .build());
            assertThat(table.read(Bytes.utf8(row))).isPresent();
        }
        return null;
    }

    private static String row(int number) {
        return "row%06d".formatted(number);
    }
}
