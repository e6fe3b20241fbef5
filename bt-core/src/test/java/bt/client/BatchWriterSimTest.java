package bt.client;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.testing.CrowdedNetwork;
import bt.testing.SeededTest;
import bt.testing.SimCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/** Batches on a whole simulated cluster whose server pushes back. */
class BatchWriterSimTest {
    private static final int WRITERS = 3;
    private static final int ROWS = 800;
    private static final int CAPACITY = 100;
    private static final long RETRY_AFTER_MILLIS = 200;

    @SeededTest(runs = 3)
    void writersAreSlowedToWhatAServerTakesAndDoNotComeBeforeTheTimeItSaid(RandomGenerator random) {
        SimCluster cluster = new SimCluster(random.nextLong(), 1 << 20);
        cluster.startMaster();
        cluster.startServer();
        cluster.run(Duration.ofMinutes(20), () -> {
            CrowdedNetwork crowded =
                    new CrowdedNetwork(cluster.network().of("test"), cluster.scheduler(), CAPACITY, RETRY_AFTER_MILLIS);
            try (Bigtable client = Bigtable.over(
                    crowded, cluster.locks().session("test", 6_000), cluster.scheduler(), cluster.random())) {
                client.admin()
                        .createTable(
                                TableSchema.draft("t")
                                        .family("f", GcRule.KEEP_ALL)
                                        .build(),
                                List.of());
                write(cluster, client.table("t"));
                assertThat(rows(client.table("t"))).isEqualTo(WRITERS * ROWS);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
            assertThat(crowded.taken()).isEqualTo(WRITERS * ROWS);
            assertThat(crowded.refused()).isPositive().isLessThan(crowded.taken());
            assertThat(crowded.early()).isZero();
        });
    }

    private static void write(SimCluster cluster, Table table) throws BigtableException, InterruptedException {
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            String prefix = "w" + i + "/";
            CompletableFuture<Void> done = new CompletableFuture<>();
            cluster.scheduler().start("writer-" + i, () -> {
                try {
                    writeRows(table, prefix);
                    done.complete(null);
                } catch (BigtableException | RuntimeException failed) {
                    done.completeExceptionally(failed);
                }
            });
            writers.add(done);
        }
        for (CompletableFuture<Void> writer : writers) {
            cluster.scheduler().await(writer, 600_000);
        }
    }

    private static void writeRows(Table table, String prefix) throws BigtableException {
        try (BatchWriter batch = table.batch()) {
            for (int row = 0; row < ROWS; row++) {
                batch.add(RowMutation.of(prefix + row).set("f", "q", "v").build());
            }
        }
    }

    private static int rows(Table table) throws BigtableException {
        int rows = 0;
        try (Scanner scanner = table.scan(Scan.all())) {
            while (scanner.next().isPresent()) {
                rows++;
            }
        }
        return rows;
    }
}
