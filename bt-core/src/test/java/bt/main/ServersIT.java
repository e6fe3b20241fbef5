package bt.main;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.client.Bigtable;
import bt.client.ServerInfo;
import bt.client.Table;
import bt.command.ExitCode;
import bt.connect.Connect;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.zookeeper.EmbeddedZooKeeper;
import bt.coord.zookeeper.ZooKeeperLockService;
import bt.metadata.MetadataKeys;
import bt.model.ColumnKey;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.model.TabletId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bt master} and {@code bt tabletserver} as processes. */
@Tag("alone")
class ServersIT {
    private static final ColumnKey COLUMN = ColumnKey.of("f", "q");

    @TempDir
    private Path directory;

    @Test
    void aTerminatedServerIsTakenOverAndAStoppedClusterEnds() throws Exception {
        try (EmbeddedZooKeeper zooKeeper = EmbeddedZooKeeper.start(directory.resolve("zk"), "127.0.0.1", 0);
                LockService locks = ZooKeeperLockService.connect(zooKeeper.quorum(), "c", 6_000);
                JavaProcess master = server("master", zooKeeper);
                JavaProcess first = server("tabletserver", zooKeeper)) {
            first.awaitOutput(" serves, epoch ");
            String lock = Paths.serverLock(locks.children(Paths.SERVERS).get(0));
            try (Bigtable bigtable = Connect.to("zk://" + zooKeeper.quorum() + "/c")) {
                TableSchema draft =
                        TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
                bigtable.admin().createTable(draft, List.of());
                Table table = bigtable.table("t");
                table.apply(
                        RowMutation.of("row").set(COLUMN, Bytes.utf8("value")).build());

                long began = System.nanoTime();
                first.terminate();
                Awaitility.await()
                        .pollInterval(Duration.ofMillis(5))
                        .atMost(Duration.ofSeconds(3))
                        .until(() -> locks.children(Paths.SERVERS).isEmpty()
                                || locks.read(lock).isEmpty());
                System.out.printf("lock released %d ms after SIGTERM%n", (System.nanoTime() - began) / 1_000_000);
                first.awaitEnd();
                assertThat(first.output()).doesNotContain("handed back").doesNotContain("halted");

                try (JavaProcess second = server("tabletserver", zooKeeper)) {
                    assertThat(table.read(Bytes.utf8("row")).orElseThrow().value(COLUMN))
                            .contains(Bytes.utf8("value"));
                    assertThat(second.output()).contains("replayed");

                    bigtable.admin().stopCluster();
                    assertThat(second.awaitEnd()).isEqualTo(ExitCode.DONE);
                    assertThat(second.output()).contains("handed back").doesNotContain("halted");
                    assertThat(master.awaitEnd()).isEqualTo(ExitCode.DONE);
                }
            }
            Awaitility.await().atMost(Duration.ofSeconds(3)).until(() -> locks.read(Paths.MASTER_LOCK)
                    .isEmpty());
        }
    }

    /** Tablets move while one row of each is read and written, METADATA's split and move too: by command, and because their server is terminated. */
    @Test
    void tabletsMoveUnderLoadAndATerminatedServerOfSeveralLeavesNothingToReplay() throws Exception {
        try (EmbeddedZooKeeper zooKeeper = EmbeddedZooKeeper.start(directory.resolve("zk"), "127.0.0.1", 0);
                JavaProcess master = server("master", zooKeeper);
                JavaProcess first = server("tabletserver", zooKeeper)) {
            first.awaitOutput(" serves, epoch ");
            String at = "zk://" + zooKeeper.quorum() + "/c";
            try (Bigtable bigtable = Connect.to(at)) {
                TableSchema draft =
                        TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
                TableSchema table = bigtable.admin().createTable(draft, List.of(Bytes.utf8("g"), Bytes.utf8("p")));
                String from = servers(bigtable).get(0);
                try (JavaProcess second = server("tabletserver", zooKeeper);
                        Probes probes = Probes.start(at, List.of("a", "k", "z"))) {
                    second.awaitOutput(" serves, epoch ");
                    Awaitility.await().until(() -> servers(bigtable).size() == 2);
                    String to = servers(bigtable).stream()
                            .filter(server -> !server.equals(from))
                            .findFirst()
                            .orElseThrow();
                    CommandLines bt = new CommandLines(at);
                    for (String row : List.of("a", "k", "a", "k")) {
                        String there = holder(bigtable.table("t"), Bytes.utf8(row));
                        assertThat(bt.run("move", "t", row, there.equals(to) ? from : to)
                                        .code())
                                .isEqualTo(ExitCode.DONE);
                    }
                    System.out.printf("moves: a tablet was silent for %s ms at most%n", probes.longestMillis());
                    assertThat(bt.run("move", "t", "a", "nobody:1").code()).isEqualTo(ExitCode.REJECTED);

                    Bytes middle = MetadataKeys.of(new TabletId(table.id(), Optional.of(Bytes.utf8("g"))));
                    splitAndMoveMetadata(bigtable, at, middle, List.of(from, to));

                    long began = System.nanoTime();
                    first.terminate();
                    first.awaitEnd();
                    System.out.printf(
                            "drained and ended %d ms after SIGTERM, a tablet was silent for %s ms at most%n",
                            (System.nanoTime() - began) / 1_000_000, probes.longestMillis());
                    assertThat(first.output()).contains("handed over").doesNotContain("halted");
                    Awaitility.await().until(() -> servers(bigtable).equals(List.of(to)));
                    probes.stopAndCheck();
                    assertThat(second.output())
                            .doesNotContain("mutations replayed")
                            .doesNotContain("halted");
                }
            }
            assertThat(master.output()).doesNotContain("halted");
        }
    }

    /** And after each step who knows no places finds all rows. */
    private static void splitAndMoveMetadata(Bigtable bigtable, String at, Bytes middle, List<String> servers)
            throws Exception {
        bigtable.admin().splitTablet("METADATA", middle);
        for (Bytes row : List.of(middle, middle.successor(), middle)) {
            String there = holder(bigtable.table("METADATA"), row);
            String other = servers.get(there.equals(servers.get(0)) ? 1 : 0);
            bigtable.admin().moveTablet("METADATA", row, other);
            assertThat(holder(bigtable.table("METADATA"), row)).isEqualTo(other);
            try (Bigtable stranger = Connect.to(at)) {
                for (String key : List.of("b", "l", "y")) {
                    stranger.table("t")
                            .apply(RowMutation.of(key).set(COLUMN, row).build());
                    assertThat(stranger.table("t")
                                    .read(Bytes.utf8(key))
                                    .orElseThrow()
                                    .value(COLUMN))
                            .contains(row);
                }
            }
        }
        // Root, and the two halves.
        assertThat(bigtable.table("METADATA").tablets()).hasSize(3);
    }

    /** The server of the tablet that has the row. */
    private static String holder(Table table, Bytes row) throws Exception {
        return table.tablets().stream()
                .filter(tablet -> tablet.range().contains(row))
                .findFirst()
                .orElseThrow()
                .server()
                .orElseThrow();
    }

    private static List<String> servers(Bigtable bigtable) throws Exception {
        return bigtable.admin().clusterStatus().servers().stream()
                .map(ServerInfo::address)
                .toList();
    }

    @Test
    void aRootThatIsNoPlaceIsRefused() throws Exception {
        try (EmbeddedZooKeeper zooKeeper = EmbeddedZooKeeper.start(directory.resolve("zk"), "127.0.0.1", 0);
                JavaProcess master = JavaProcess.bt(
                        directory, "master", "--at", "zk://" + zooKeeper.quorum() + "/c", "-D", "root=somewhere")) {
            assertThat(master.awaitEnd()).isEqualTo(ExitCode.REJECTED);
            assertThat(master.output())
                    .startsWith("bt: REJECTED: root is \"somewhere\"")
                    .hasLineCount(1);
        }
    }

    private JavaProcess server(String role, EmbeddedZooKeeper zooKeeper) throws Exception {
        return JavaProcess.bt(
                directory,
                role,
                "--at",
                "zk://" + zooKeeper.quorum() + "/c",
                "-D",
                "root=" + directory.resolve("files"),
                "-D",
                "lease.millis=1000");
    }
}
