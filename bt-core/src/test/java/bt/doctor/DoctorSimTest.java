package bt.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Bigtable;
import bt.client.Table;
import bt.model.ColumnKey;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.testing.SeededTest;
import bt.testing.SimCluster;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/** A doctor beside a cluster that flushes, compacts, recovers and changes its tables: no false alarm. */
class DoctorSimTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
    private static final int WRITES = 150;

    @SeededTest(runs = 10)
    void aClusterAtWorkHasNoFindings(RandomGenerator random) {
        SimCluster cluster = new SimCluster(random.nextLong(), 1 << 14);
        cluster.startMaster();
        cluster.startMaster();
        for (int i = 0; i < 3; i++) {
            cluster.startServer();
        }
        cluster.run(Duration.ofHours(2), () -> {
            try (Bigtable client = cluster.client()) {
                client.admin().createTable(DRAFT, List.of(Bytes.utf8("h"), Bytes.utf8("p")));
                Table table = client.table("t");
                CompletableFuture<Void> written = new CompletableFuture<>();
                cluster.scheduler().start("writer", () -> write(cluster, table, written));
                int examined = 0;
                for (; !written.isDone() || examined < 8; examined++) {
                    Diagnosis diagnosis = new Doctor(DoctorConfig.DEFAULT, cluster.ports()).examine();
                    assertThat(diagnosis.findings()).isEmpty();
                    if (examined == 3) {
                        cluster.crashOneServer();
                        cluster.startServer();
                    }
                    if (examined == 6) {
                        cluster.crashActiveMaster();
                    }
                    change(client, examined);
                }
                cluster.scheduler().await(written, 600_000);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    private static void change(Bigtable client, int examined) throws BigtableException {
        String name = "other" + examined / 2;
        if (examined % 2 == 0) {
            client.admin()
                    .createTable(
                            TableSchema.draft(name).family("f", GcRule.KEEP_ALL).build(), List.of());
        } else {
            client.admin().dropTable(name);
        }
    }

    private static void write(SimCluster cluster, Table table, CompletableFuture<Void> done)
            throws InterruptedException {
        RandomGenerator random = cluster.scheduler().random("writer");
        try {
            for (int i = 0; i < WRITES; i++) {
                String row = (char) ('a' + random.nextInt(26)) + "/" + i;
                table.apply(RowMutation.of(Bytes.utf8(row))
                        .set(ColumnKey.of("f", "q"), Bytes.wrap(new byte[random.nextInt(1, 4_000)]))
                        .build());
                cluster.scheduler().pause(random.nextLong(200));
            }
            done.complete(null);
        } catch (BigtableException | RuntimeException failed) {
            done.completeExceptionally(failed);
        }
    }
}
