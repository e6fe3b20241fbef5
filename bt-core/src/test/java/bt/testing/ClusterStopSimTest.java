package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.UnavailableException;
import bt.client.Bigtable;
import bt.client.Table;
import bt.coord.Paths;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.testing.Faults.Failure;
import bt.testing.Faults.Fault;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How long a stop of a cluster waits for tablets to be handed back: of one server, two at a time. */
class ClusterStopSimTest {
    private static final List<String> ROWS = List.of("a", "b", "c", "d", "e", "f", "g", "h");
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();

    /** For so long no tablet may be handed back. */
    private static final Duration STILL = Duration.ofSeconds(60);

    private final SimCluster cluster = new SimCluster(11, SimSizes.flushing(1 << 20));

    /** Each takes less than that, all together longer. */
    @Test
    void tabletsThatGoSlowlyAreWaitedForUntilAllHaveGone() {
        stop(new Fault(25_000, Failure.NONE), took -> {
            assertThat(took).isGreaterThan(STILL.plusSeconds(10));
            assertThat(cluster.replayedLogs()).isEmpty();
        });
    }

    @Test
    void tabletsThatDoNotGoAreLeftToRecovery() {
        stop(new Fault(0, Failure.INSTEAD), took -> {
            assertThat(took).isBetween(STILL, STILL.multipliedBy(5));
            assertThat(cluster.replayedLogs()).isNotEmpty();
        });
    }

    /** Who asks waits for a minute; the stop goes on. */
    private static void beginStop(Bigtable client) throws BigtableException {
        try {
            client.admin().stopCluster();
        } catch (UnavailableException takesLonger) {
            assertThat(takesLonger.outcome()).isEqualTo(BigtableException.Outcome.UNKNOWN);
        }
    }

    private interface Seen {
        void after(Duration took) throws BigtableException;
    }

    /** Where the creation of each file of the table ends so; then the cluster is started again, and has lost nothing. */
    private void stop(Fault ofFiles, Seen seen) {
        cluster.startMaster();
        cluster.startServer();
        cluster.run(Duration.ofHours(3), () -> {
            try (Bigtable client = cluster.client()) {
                Stream<Bytes> splits = ROWS.subList(0, ROWS.size() - 1).stream().map(Bytes::utf8);
                client.admin().createTable(DRAFT, splits.toList());
                Table table = client.table("t");
                for (String row : ROWS) {
                    table.apply(RowMutation.of(row).set("f", "q", row).build());
                }
                cluster.setFileFaults((operation, path) ->
                        operation == FileOperation.CREATE && path.startsWith("data/1/") ? ofFiles : Faults.NONE);
                long began = cluster.scheduler().clock().nanos();
                beginStop(client);
                while (!cluster.servers().isEmpty() || cluster.lockServiceHas(Paths.MASTER_LOCK)) {
                    cluster.scheduler().pause(100);
                }
                Duration took = Duration.ofNanos(cluster.scheduler().clock().nanos() - began);
                cluster.setFileFaults((operation, path) -> Faults.NONE);
                cluster.startMaster();
                cluster.startServer();
                for (String row : ROWS) {
                    assertThat(table.read(Bytes.utf8(row))).isPresent();
                }
                seen.after(took);
                Checkup.of(cluster.ports());
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }
}
