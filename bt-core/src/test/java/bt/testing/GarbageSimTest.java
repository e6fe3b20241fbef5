package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Bigtable;
import bt.client.GarbageSweep;
import bt.client.GarbageSweep.Garbage;
import bt.client.Scan;
import bt.client.Scanner;
import bt.client.Table;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.doctor.Doctor;
import bt.fs.FileStore;
import bt.master.Graces;
import bt.master.MasterConfig;
import bt.master.MergeConfig;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.model.ColumnKey;
import bt.model.GcRule;
import bt.model.Row;
import bt.model.RowMutation;
import bt.model.TableSchema;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/** Files and logs that nobody needs go, those that somebody needs stay, whoever dies. */
class GarbageSimTest {
    private static final ColumnKey COLUMN = ColumnKey.of("f", "q");
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", new GcRule.MaxVersions(1)).build();
    private static final List<Bytes> SPLITS = List.of(Bytes.utf8("m"));

    /** A file waits for ten seconds, a row for thirty, a dropped table for a minute. */
    private static final MasterConfig SOON = new MasterConfig(
            6_000, 300, 2_000, 5_000, new Graces(60_000, 10_000, 30_000), MergeConfig.DEFAULT, 3_000, 0, 10_000);

    private static void simulate(RandomGenerator random, ClusterStory story) {
        ClusterStory.tell(random, SOON, DRAFT, SPLITS, story);
    }

    @SeededTest(runs = 3)
    void aRowThatIsMarkedGoneStaysForItsTimeAndNoShorter(RandomGenerator random) {
        simulate(random, (cluster, client) -> {
            long id = client.table("t").schema().id();
            Doctor.Ports ports = cluster.ports();
            MetadataTable metadata =
                    new MetadataTable(ports.network(), ports.locks(), ports.scheduler(), ports.random());
            client.admin().dropTable("t");
            while (metadata.scanAll(id, id).stream().noneMatch(MetadataRow::gone)) {
                cluster.scheduler().pause(100);
            }
            long marked = cluster.scheduler().clock().nanos();
            int rows = metadata.scanAll(id, id).size();
            assertThat(rows).isEqualTo(SPLITS.size() + 1);
            while (metadata.scanAll(id, id).size() == rows) {
                cluster.scheduler().pause(100);
            }
            assertThat(cluster.scheduler().clock().nanos() - marked).isBetween(29_500_000_000L, 60_000_000_000L);
        });
    }

    /**
     * Flushes and compactions all the time, sweeps every five seconds, servers and masters that die in between: whatever was
     * deleted wrongly would be missed by a read or by the load of a tablet.
     */
    @SeededTest(runs = 5)
    void whatIsNeededStaysWhoeverDies(RandomGenerator random) {
        simulate(random, (cluster, client) -> {
            Table table = client.table("t");
            CompletableFuture<Void> scans = scanAllTheTime(cluster, table);
            Map<Bytes, Bytes> written = new TreeMap<>();
            for (int i = 0; i < 80; i++) {
                if (i % 27 == 13) {
                    crashSomebody(cluster, random);
                }
                Bytes row = Bytes.utf8((char) ('a' + random.nextInt(26)) + "/" + random.nextInt(2));
                Bytes value = Bytes.wrap(new byte[random.nextInt(1, 1_500)]);
                table.apply(RowMutation.of(row).set(COLUMN, value).build());
                written.put(row, value);
                cluster.scheduler().pause(random.nextLong(400));
            }
            check(table, written);
            cluster.scheduler().await(scans, 600_000);

            cluster.crashOneServer();
            cluster.crashOneServer();
            cluster.startServer();
            check(table, written);
            awaitNoGarbage(cluster, client);
            check(table, written);
            // The logs of all that have died are gone, and the only server's is there.
            assertThat(cluster.tree("recovered")).isEmpty();
            assertThat(cluster.tree("log"))
                    .filteredOn(path -> path.matches("log/\\d+"))
                    .hasSize(1);
        });
    }

    @SeededTest(runs = 3)
    void aTableThatIsGoneLeavesNothing(RandomGenerator random) {
        simulate(random, (cluster, client) -> {
            Table table = client.table("t");
            for (int i = 0; i < 20; i++) {
                table.apply(RowMutation.of("r" + i)
                        .set(COLUMN, Bytes.wrap(new byte[1_000]))
                        .build());
            }
            client.admin().flush("t");
            client.admin().dropTable("t");
            String file = Paths.table(table.schema().id());
            awaitNoGarbage(cluster, client);
            assertThat(cluster.tree("data/" + table.schema().id()))
                    .as("the table may still come back")
                    .anyMatch(path -> path.matches("data/\\d+/\\d+/\\d+"));
            client.admin().undeleteTable("t");
            assertThat(table.read(Bytes.utf8("r7"))).isPresent();
            client.admin().dropTable("t");
            while (cluster.lockServiceHas(file)) {
                cluster.scheduler().pause(5_000);
                if (random.nextInt(10) == 0) {
                    crashSomebody(cluster, random);
                }
            }
            assertThat(cluster.tree("data"))
                    .noneMatch(path -> path.startsWith("data/" + table.schema().id() + "/"));
            assertThat(client.admin().createTable(DRAFT, SPLITS).id())
                    .isGreaterThan(table.schema().id());
        });
    }

    @SeededTest(runs = 3)
    void aDryRunListsAndDeletesNothing(RandomGenerator random) {
        simulate(random, (cluster, client) -> {
            Table table = client.table("t");
            for (int i = 0; i < 60; i++) {
                table.apply(RowMutation.of("r" + i % 3)
                        .set(COLUMN, Bytes.wrap(new byte[1_000]))
                        .build());
            }
            GarbageSweep dry;
            do {
                cluster.scheduler().pause(200);
                dry = client.admin().sweepGarbage(true);
                assertThat(dry.problem()).isEmpty();
            } while (dry.garbage().isEmpty());
            assertThat(dry.isDry()).isTrue();
            List<String> before = dry.garbage().stream().map(Garbage::path).toList();
            assertThat(cluster.tree("data")).containsAll(before);
            assertThat(client.admin().sweepGarbage(false).deletedFiles()).isZero();
            awaitNoGarbage(cluster, client);
            assertThat(cluster.tree("data")).doesNotContainAnyElementsOf(before);
            assertThat(client.admin().garbage().beganMicros()).isPresent();
        });
    }

    /** As a server does that began to sort a dead one's log before that was deleted. */
    @SeededTest(runs = 2)
    void whatIsMadeAnewOfALogThatIsGoneGoesToo(RandomGenerator random) {
        simulate(random, (cluster, client) -> {
            client.table("t").apply(RowMutation.of("r").set("f", "q", "value").build());
            String log = cluster.tree("log").stream()
                    .filter(path -> path.matches("log/\\d+"))
                    .findFirst()
                    .orElseThrow();
            String recovered = log.replace("log", "recovered");
            cluster.crashOneServer();
            cluster.crashOneServer();
            cluster.startServer();
            awaitNoGarbage(cluster, client);
            assertThat(cluster.tree("recovered")).isEmpty();
            cluster.ports().files().makeDirectory(recovered + "/sorted");
            cluster.ports()
                    .files()
                    .create(recovered + "/sorted/1.9-early", FileStore.Placement.DATA)
                    .close();
            assertThat(cluster.tree("recovered")).isNotEmpty();
            awaitNoGarbage(cluster, client);
            assertThat(cluster.tree("recovered")).isEmpty();
        });
    }

    /** It serves, and may be asked what it has given to METADATA. */
    @SeededTest(runs = 2)
    void aDamagedFileOfAServerEndsNoSweep(RandomGenerator random) {
        simulate(random, (cluster, client) -> {
            LockService locks = cluster.ports().locks();
            for (String server : locks.children(Paths.SERVERS)) {
                SmallFile file = locks.read(Paths.server(server)).orElseThrow();
                SmallFile unused = locks.write(Paths.server(server), Bytes.utf8("nonsense"), file.version());
            }
            Table table = client.table("t");
            GarbageSweep dry;
            do {
                for (int i = 0; i < 10; i++) {
                    table.apply(RowMutation.of("r" + i % 3)
                            .set(COLUMN, Bytes.wrap(new byte[1_000]))
                            .build());
                }
                dry = client.admin().sweepGarbage(true);
                assertThat(dry.problem()).isEmpty();
            } while (dry.garbage().isEmpty());
            awaitNoGarbage(cluster, client);
        });
    }

    private static void awaitNoGarbage(SimCluster cluster, Bigtable client)
            throws BigtableException, InterruptedException {
        GarbageSweep report;
        do {
            cluster.scheduler().pause(6_000);
            report = client.admin().sweepGarbage(true);
        } while (report.problem().isPresent() || !report.garbage().isEmpty());
    }

    private static CompletableFuture<Void> scanAllTheTime(SimCluster cluster, Table table) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        cluster.scheduler().start("scans", () -> {
            try {
                for (int i = 0; i < 8; i++) {
                    try (Scanner scanner = table.scan(Scan.all())) {
                        while (scanner.next().isPresent()) {
                            cluster.scheduler().pause(20);
                        }
                    }
                }
                done.complete(null);
            } catch (BigtableException | RuntimeException failed) {
                done.completeExceptionally(failed);
            }
        });
        return done;
    }

    private static void check(Table table, Map<Bytes, Bytes> written) throws BigtableException {
        for (Map.Entry<Bytes, Bytes> entry : written.entrySet()) {
            Optional<Row> row = table.read(entry.getKey());
            assertThat(row.flatMap(found -> found.value(COLUMN)))
                    .as("row %s", entry.getKey())
                    .contains(entry.getValue());
        }
    }

    private static void crashSomebody(SimCluster cluster, RandomGenerator random) throws BigtableException {
        if (random.nextInt(3) == 0) {
            cluster.crashActiveMaster();
            cluster.startMaster();
        } else {
            cluster.crashOneServer();
            cluster.startServer();
        }
    }
}
