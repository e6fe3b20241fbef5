package bt.main;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.base.Halt;
import bt.client.Bigtable;
import bt.client.Table;
import bt.command.ExitCode;
import bt.connect.Connect;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.zookeeper.EmbeddedZooKeeper;
import bt.coord.zookeeper.ZooKeeperLockService;
import bt.model.ColumnKey;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bt clusters} over a ZooKeeper that has none, one, and several, of which one is dead. */
class ClustersIT {
    private static final Halt NEVER = reason -> {
        throw new AssertionError(reason);
    };
    private static final ColumnKey COLUMN = ColumnKey.of("f", "q");

    @TempDir
    private Path directory;

    @Test
    void everyClusterIsListedWithWhatItsMasterSaysOrHowLongItHasNone() throws Exception {
        try (EmbeddedZooKeeper zooKeeper = EmbeddedZooKeeper.start(directory.resolve("zk"), "127.0.0.1", 0)) {
            CommandLines bt = new CommandLines("zk://" + zooKeeper.quorum() + "/living");
            CommandLines.Result none = bt.run("clusters");
            assertThat(none.code()).isEqualTo(ExitCode.NOTHING_FOUND);
            assertThat(none.out()).startsWith("NAME").hasLineCount(1);

            try (MasterProcess dying = MasterProcess.start(settings(zooKeeper, "dying"), NEVER)) {
                Awaitility.await().until(() -> clusters(bt).contains("dying"));
                assertThat(dying.hasEnded()).isFalse();
            }
            try (LockService halfMade = ZooKeeperLockService.connect(zooKeeper.quorum(), "half-made", 6_000)) {
                halfMade.create(Paths.TABLES, Bytes.utf8("1"));
            }
            try (MasterProcess master = MasterProcess.start(settings(zooKeeper, "living"), NEVER);
                    TabletServerProcess server = TabletServerProcess.start(settings(zooKeeper, "living"), NEVER)) {
                Awaitility.await().until(() -> clusters(bt).contains("living"));
                JsonNode living = underLoad(bt, at(zooKeeper, "living"));
                System.out.printf("bt clusters: %s%n", living);
                assertThat(living.get("version").asText()).isEqualTo("0.1.0");
                assertThat(living.get("tables").asInt()).isEqualTo(1);
                assertThat(living.get("servers").asInt()).isEqualTo(1);
                // METADATA's two and the table's.
                assertThat(living.get("tablets").asInt()).isEqualTo(4);
                assertThat(living.get("bytes").asLong()).isGreaterThan(50_000);
                // A request has a thousand bytes and some.
                double requests = living.get("requestsPerSecond").asDouble();
                assertThat(living.get("bytesPerSecond").asDouble()).isBetween(1_000 * requests, 1_100 * requests);
                assertThat(living.get("p99Micros").asLong())
                        .isBetween(
                                Math.min(p99(living, "read"), p99(living, "write")),
                                Math.max(p99(living, "read"), p99(living, "write")));
                assertThat(server.hasEnded() || master.hasEnded()).isFalse();

                JsonNode dead = cluster(bt, "dying");
                assertThat(dead.get("health").asText()).isEqualTo("no master");
                assertThat(dead.get("silentMillis").asLong()).isPositive();
                assertThat(dead.has("requestsPerSecond")).isFalse();
                assertThat(bt.run("clusters").out())
                        .hasLineCount(3)
                        .contains("no sign of a master for ")
                        .doesNotContain("half-made");
            }
        }
    }

    /** What is told of a cluster while it is written and read. */
    private static JsonNode underLoad(CommandLines bt, String at) throws Exception {
        try (Bigtable bigtable = Connect.to(at)) {
            TableSchema draft = TableSchema.draft("t")
                    .family("f", new GcRule.MaxVersions(1))
                    .build();
            bigtable.admin().createTable(draft, List.of(Bytes.utf8("m")));
            Table table = bigtable.table("t");
            return Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .until(
                            () -> {
                                for (int i = 0; i < 50; i++) {
                                    Bytes row = Bytes.utf8("row" + i);
                                    table.apply(RowMutation.of(row)
                                            .set(COLUMN, Bytes.wrap(new byte[1_000]))
                                            .build());
                                    assertThat(table.read(row)).isPresent();
                                }
                                return cluster(bt, "living");
                            },
                            living -> living.path("requestsPerSecond").asDouble() > 0
                                    && living.get("health").asText().equals("healthy"));
        }
    }

    private static long p99(JsonNode cluster, String kind) {
        return cluster.get(kind + "P99Micros").asLong();
    }

    private static String clusters(CommandLines bt) {
        return bt.run("--json", "clusters").out();
    }

    private static JsonNode cluster(CommandLines bt, String name) throws Exception {
        for (String line : clusters(bt).lines().toList()) {
            JsonNode cluster = new ObjectMapper().readTree(line);
            if (cluster.get("name").asText().equals(name)) {
                return cluster;
            }
        }
        throw new AssertionError("no cluster " + name);
    }

    private ServerSettings settings(EmbeddedZooKeeper zooKeeper, String cluster) throws Exception {
        return ServerSettings.read(Map.of(
                "at", at(zooKeeper, cluster), "root", directory.resolve(cluster).toString(), "lease.millis", "1000"));
    }

    private static String at(EmbeddedZooKeeper zooKeeper, String cluster) {
        return "zk://" + zooKeeper.quorum() + "/" + cluster;
    }
}
