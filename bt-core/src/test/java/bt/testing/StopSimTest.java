package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Scheduler;
import bt.client.Admin;
import bt.client.Bigtable;
import bt.client.MasterView;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.testing.Faults.Failure;
import bt.testing.Faults.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * A cluster is stopped whose tablets take long to be handed back: the directory of each table takes no file until a while after
 * that of the one before.
 */
class StopSimTest {
    private static final int TABLES = 6;
    private static final int METADATA_TABLETS = 2;
    private static final long EACH_SECONDS = 45;
    private static final String HANDED_BACK = "the cluster is being stopped: tablets of users are handed back";

    private final SimCluster cluster = new SimCluster(41, 1 << 20);

    /** When the first directory takes files; the others follow. */
    private long fullUntil = Long.MAX_VALUE;

    @Test
    void whoStopsItWaitsForAsLongAsTabletsAreHandedBack() {
        live(client -> {
            long begin = seconds();
            fullUntil = begin + EACH_SECONDS;
            List<Integer> told = new ArrayList<>();
            client.admin().stopCluster(told::add);
            assertThat(seconds() - begin).isBetween(TABLES * EACH_SECONDS, TABLES * EACH_SECONDS + 60);
            // METADATA's tablets, and the server, are left to the last.
            assertThat(told)
                    .hasSizeBetween(3, 5)
                    .isSortedAccordingTo((one, other) -> other - one)
                    .allMatch(left -> left > METADATA_TABLETS);
            assertThat(cluster.servers()).isEmpty();
            assertThat(client.admin().clusterStatus().servers()).isEmpty();
        });
    }

    @Test
    void whoAsksMeanwhileIsToldWhatIsLeftAndWhatIsInTheWay() {
        live(client -> {
            fullUntil = seconds() + EACH_SECONDS;
            CompletableFuture<Boolean> stopped = stop();
            pause(1);
            assertThat(tablets(client)).isEqualTo(TABLES + METADATA_TABLETS);
            pause(EACH_SECONDS);
            MasterView seen = client.admin().clusterStatus();
            assertThat(seen.problems())
                    .contains(HANDED_BACK)
                    .anyMatch(problem -> problem.contains("its memory cannot be written to a file: data/6/"));
            pause(EACH_SECONDS);
            assertThat(tablets(client)).isBetween(TABLES + METADATA_TABLETS - 2, TABLES + METADATA_TABLETS - 1);
            cluster.scheduler().await(stopped, TABLES * EACH_SECONDS * 1_000);
        });
    }

    private static int tablets(Bigtable client) throws BigtableException {
        return client.admin().clusterStatus().servers().get(0).tablets();
    }

    private CompletableFuture<Boolean> stop() {
        CompletableFuture<Boolean> stopped = new CompletableFuture<>();
        Scheduler.Worker unused = cluster.scheduler().start("stop", () -> {
            try (Bigtable client = cluster.client()) {
                client.admin().stopCluster();
                stopped.complete(true);
            } catch (BigtableException failed) {
                stopped.completeExceptionally(failed);
            }
        });
        return stopped;
    }

    private interface Story {
        void tell(Bigtable client) throws BigtableException, InterruptedException;
    }

    private void live(Story story) {
        cluster.startMaster();
        cluster.startServer();
        cluster.setFileFaults((operation, path) ->
                operation == FileOperation.CREATE && isFull(path) ? new Fault(0, Failure.INSTEAD) : Faults.NONE);
        cluster.run(Duration.ofMinutes(30), () -> {
            try (Bigtable client = cluster.client()) {
                Admin admin = client.admin();
                for (int table = 1; table <= TABLES; table++) {
                    TableSchema made = admin.createTable(
                            TableSchema.draft("t" + table)
                                    .family("f", GcRule.KEEP_ALL)
                                    .build(),
                            List.of());
                    assertThat(made.id()).isEqualTo(table);
                    client.table(made.name())
                            .apply(RowMutation.of("r").set("f", "q", "v").build());
                }
                story.tell(client);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    private boolean isFull(String path) {
        if (fullUntil == Long.MAX_VALUE) {
            return false;
        }
        for (int table = 1; table <= TABLES; table++) {
            if (path.startsWith("data/" + table + "/")) {
                return seconds() < fullUntil + (table - 1) * EACH_SECONDS;
            }
        }
        return false;
    }

    private long seconds() {
        return cluster.scheduler().clock().nanos() / 1_000_000_000;
    }

    private void pause(long seconds) throws InterruptedException {
        cluster.scheduler().pause(seconds * 1_000);
    }
}
