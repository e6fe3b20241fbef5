package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Bigtable;
import bt.client.Scan;
import bt.client.Scanner;
import bt.client.Table;
import bt.model.Change;
import bt.model.ColumnKey;
import bt.model.GcRule;
import bt.model.Row;
import bt.model.RowMutation;
import bt.model.TableSchema;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/** The product's own client, master and servers, simulated from a seed: what was acknowledged is what is read. */
class SimTest {
    private static final ColumnKey COLUMN = ColumnKey.of("f", "q");
    private static final TableSchema DRAFT = TableSchema.draft("t")
            .family("f", new GcRule.MaxVersions(3))
            .family("g", GcRule.KEEP_ALL)
            .build();
    private static final int WRITERS = 3;
    private static final int WRITES = 40;

    @SeededTest(runs = 20)
    void whatWasAcknowledgedIsReadAfterTheCrashOfAServer(RandomGenerator random) {
        SimCluster cluster = new SimCluster(random.nextLong(), 1 << 15);
        cluster.startMaster();
        cluster.startServer();
        cluster.startServer();
        cluster.run(Duration.ofMinutes(20), () -> {
            try (Bigtable client = cluster.client()) {
                client.admin().createTable(DRAFT, List.of(Bytes.utf8("h"), Bytes.utf8("p")));
                Table table = client.table("t");
                Map<Bytes, RowHistory> histories = new TreeMap<>();
                CompletableFuture<?>[] writers = new CompletableFuture<?>[WRITERS];
                for (int writer = 0; writer < WRITERS; writer++) {
                    writers[writer] = startWriter(cluster, table, writer, histories);
                }
                cluster.scheduler().pause(random.nextLong(2_000));
                cluster.crashOneServer();
                cluster.startServer();
                for (CompletableFuture<?> writer : writers) {
                    cluster.scheduler().await(writer, 600_000);
                }
                check(table, histories);
                Checkup.of(cluster.ports());
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    @SeededTest(runs = 10)
    void aStandbyMasterFinishesWhatTheDeadOneBegan(RandomGenerator random) {
        SimCluster cluster = new SimCluster(random.nextLong(), 1 << 15);
        cluster.startMaster();
        cluster.startMaster();
        cluster.startServer();
        cluster.startServer();
        cluster.run(Duration.ofMinutes(20), () -> {
            try (Bigtable client = cluster.client()) {
                client.admin().createTable(DRAFT, List.of(Bytes.utf8("h"), Bytes.utf8("p")));
                Map<Bytes, RowHistory> histories = new TreeMap<>();
                CompletableFuture<?> writer = startWriter(cluster, client.table("t"), 0, histories);
                cluster.crashOneServer();
                cluster.startServer();
                // The wait for the session and the lease is 12 s: before it, in the middle of recovery, or after it.
                cluster.scheduler().pause(random.nextLong(16_000));
                cluster.crashActiveMaster();
                cluster.scheduler().await(writer, 600_000);
                check(client.table("t"), histories);
                Checkup.of(cluster.ports());
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    @SeededTest(runs = 10)
    void aStoppedClusterLeavesNothingToReplay(RandomGenerator random) {
        SimCluster cluster = new SimCluster(random.nextLong(), 1 << 15);
        cluster.startMaster();
        for (int i = 0; i < 3; i++) {
            cluster.startServer();
        }
        cluster.run(Duration.ofMinutes(20), () -> {
            try (Bigtable client = cluster.client()) {
                client.admin().createTable(DRAFT, List.of(Bytes.utf8("h"), Bytes.utf8("p")));
                Map<Bytes, RowHistory> histories = new TreeMap<>();
                cluster.scheduler().await(startWriter(cluster, client.table("t"), 0, histories), 600_000);
                client.admin().stopCluster();
                cluster.startMaster();
                cluster.startServer();
                check(client.table("t"), histories);
                assertThat(cluster.replayedLogs()).isEmpty();
                Checkup.of(cluster.ports());
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    @SeededTest(runs = 5)
    void theSameSeedGivesTheSameRun(RandomGenerator random) {
        long seed = random.nextLong();
        assertThat(traceOf(seed)).isEqualTo(traceOf(seed));
    }

    private static long traceOf(long seed) {
        SimCluster cluster = new SimCluster(seed, 1 << 15);
        cluster.startMaster();
        cluster.startServer();
        cluster.run(Duration.ofMinutes(20), () -> {
            try (Bigtable client = cluster.client()) {
                client.admin().createTable(DRAFT, List.of());
                write(client.table("t"), Bytes.utf8("r"), Optional.of(Bytes.utf8("v")), new RowHistory());
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
        return cluster.scheduler().trace();
    }

    /** Each writer has rows of its own, so that it alone knows what they may hold. */
    private static CompletableFuture<Void> startWriter(
            SimCluster cluster, Table table, int writer, Map<Bytes, RowHistory> histories) {
        RandomGenerator random = cluster.scheduler().random("writer-" + writer);
        CompletableFuture<Void> done = new CompletableFuture<>();
        cluster.scheduler().start("writer-" + writer, () -> {
            try {
                for (int i = 0; i < WRITES; i++) {
                    Bytes row = Bytes.utf8((char) ('a' + random.nextInt(26)) + "/" + writer + "/" + random.nextInt(3));
                    RowHistory history = histories.computeIfAbsent(row, fresh -> new RowHistory());
                    Optional<Bytes> value = random.nextInt(5) == 0
                            ? Optional.empty()
                            : Optional.of(Bytes.wrap(new byte[random.nextInt(1, 4_000)]));
                    write(table, row, value, history);
                    if (random.nextInt(3) == 0) {
                        checkRow(row, history, table.read(row));
                    }
                    cluster.scheduler().pause(random.nextLong(100));
                }
                done.complete(null);
            } catch (BigtableException | RuntimeException | AssertionError failed) {
                done.completeExceptionally(failed);
            }
        });
        return done;
    }

    private static void write(Table table, Bytes row, Optional<Bytes> value, RowHistory history)
            throws BigtableException {
        RowMutation.Builder mutation = RowMutation.of(row);
        value.ifPresentOrElse(
                bytes -> mutation.set(COLUMN, bytes), () -> mutation.add(new Change.DeleteColumn(COLUMN)));
        mutation.set(
                "g",
                "same",
                value.map(bytes -> Integer.toString(bytes.length())).orElse("deleted"));
        history.unknown(value);
        table.apply(mutation.build());
        history.acknowledged(value);
    }

    private static void check(Table table, Map<Bytes, RowHistory> histories) throws BigtableException {
        for (Map.Entry<Bytes, RowHistory> entry : histories.entrySet()) {
            checkRow(entry.getKey(), entry.getValue(), table.read(entry.getKey()));
        }
        try (Scanner scanner = table.scan(Scan.all())) {
            int rows = 0;
            for (Optional<Row> row = scanner.next(); row.isPresent(); row = scanner.next()) {
                assertThat(histories)
                        .as("rows that were written")
                        .containsKey(row.get().key());
                checkRow(row.get().key(), histories.getOrDefault(row.get().key(), new RowHistory()), row);
                rows++;
            }
            assertThat(rows).as("rows in a scan").isEqualTo(histories.size());
        }
    }

    /** The value, and beside it in another family what the same mutation said of it: a row changes as a whole. */
    private static void checkRow(Bytes key, RowHistory history, Optional<Row> row) {
        Optional<Bytes> value = row.flatMap(found -> found.value(COLUMN));
        assertThat(history.allows(value))
                .as("row %s holds %s, but %s", key, value, history)
                .isTrue();
        assertThat(row.flatMap(found -> found.value(ColumnKey.of("g", "same"))))
                .as("row %s was changed as a whole", key)
                .contains(Bytes.utf8(
                        value.map(bytes -> Integer.toString(bytes.length())).orElse("deleted")));
        history.read(value);
    }
}
