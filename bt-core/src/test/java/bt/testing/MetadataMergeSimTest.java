package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Bigtable;
import bt.doctor.Doctor;
import bt.master.Graces;
import bt.master.MasterConfig;
import bt.master.MergeConfig;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataSchema;
import bt.metadata.MetadataTable;
import bt.model.ColumnKey;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.protocol.Address;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** METADATA's own tablets are merged where they are small, while everybody looks up rows, and whoever dies in the middle. */
class MetadataMergeSimTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
    private static final ColumnKey COUNTER = ColumnKey.of("f", "counter");
    private static final int ROWS = 400;
    private static final List<Bytes> SPLITS =
            IntStream.range(1, ROWS).mapToObj(MetadataMergeSimTest::row).toList();

    /** Three changes are a merge; those that assign its tablets come before and after. */
    private static final int CHANGES = 12;

    private static final long PATIENCE_SECONDS = 600;
    private static final long LONGEST_NANOS = 500_000_000;

    @SeededTest(runs = 3)
    void smallTabletsBecomeOneUnderLoad(RandomGenerator random) {
        Run quiet = new Run(random);
        quiet.tell(run -> {});
        // Some 0.1 s; more than a second where passes read METADATA while two of its tablets are away.
        assertThat(quiet.longestNanos)
                .as("nanoseconds in which somebody looked up a row and changed it")
                .isLessThan(LONGEST_NANOS);
    }

    @SeededTest(runs = 6)
    void aMasterThatDiesInTheMiddleLeavesWhatAnotherCompletesOrUndoes(RandomGenerator random) {
        new Run(random).tell(run -> {
            String master = run.cluster.masters().get(0);
            run.cluster.beforeChange(master, 1 + random.nextInt(CHANGES), () -> {
                run.cluster.startMaster();
                run.cluster.kill(master);
            });
        });
    }

    @SeededTest(runs = 6)
    void aServerThatDiesInTheMiddleLosesNothing(RandomGenerator random) {
        new Run(random).tell(run -> {
            MetadataRow part = run.parts().get(random.nextInt(run.parts().size()));
            String server = Address.parse(part.location().getAddress()).host();
            run.cluster.beforeChange(server, 1 + random.nextInt(CHANGES), () -> {
                run.cluster.startServer();
                run.cluster.kill(server);
            });
        });
    }

    private interface Trouble {
        void plan(Run run) throws BigtableException, InterruptedException;
    }

    private static final class Run {
        private final RandomGenerator random;
        private final SimCluster cluster;
        private final Doctor.Ports ports;
        private final MetadataTable metadata;
        private final int[] counted = new int[ROWS];
        private volatile boolean over;
        private long longestNanos;

        private Run(RandomGenerator random) {
            this.random = random;
            cluster = new SimCluster(random.nextLong(), 1 << 20);
            ports = cluster.ports();
            metadata = new MetadataTable(ports.network(), ports.locks(), ports.scheduler(), ports.random());
        }

        private void tell(Trouble trouble) {
            MasterConfig usual = MasterConfig.DEFAULT;
            cluster.mastersAre(new MasterConfig(
                    usual.leaseMillis(),
                    usual.loopMillis(),
                    usual.passMillis(),
                    usual.requestMillis(),
                    Graces.DEFAULT,
                    new MergeConfig(40L << 20, 20_000),
                    usual.returnWaitMillis(),
                    usual.splitRequestsPerSecond(),
                    usual.silenceMillis()));
            cluster.startMaster();
            cluster.startServer();
            cluster.startServer();
            cluster.run(Duration.ofMinutes(60), () -> {
                try (Bigtable client = cluster.client()) {
                    client.admin().createTable(DRAFT, SPLITS);
                    client.admin().splitTablets("METADATA");
                    assertThat(parts()).as("METADATA's tablets").hasSize(2);
                    CompletableFuture<Void> counter = new CompletableFuture<>();
                    cluster.scheduler().start("counter", () -> count(counter));
                    moveTheLower(client);
                    trouble.plan(this);
                    awaitOnePart();
                    over = true;
                    cluster.scheduler().await(counter, 120_000);
                    check();
                } catch (BigtableException failed) {
                    throw new AssertionError(failed);
                }
            });
        }

        /** Each time as one who has looked up nothing yet. */
        private void count(CompletableFuture<Void> ended) throws InterruptedException {
            for (int i = 0; !over; i++) {
                int row = random.nextInt(ROWS);
                long begin = cluster.scheduler().clock().nanos();
                try (Bigtable fresh = cluster.client("counter-" + i)) {
                    fresh.table("t").increment(row(row), COUNTER, 1);
                    counted[row]++;
                } catch (BigtableException failed) {
                    ended.completeExceptionally(failed);
                    return;
                }
                longestNanos =
                        Math.max(longestNanos, cluster.scheduler().clock().nanos() - begin);
                cluster.scheduler().pause(50);
            }
            ended.complete(null);
        }

        /** To a server that has it not. */
        private void moveTheLower(Bigtable client) throws BigtableException, InterruptedException {
            MetadataRow lower = parts().get(0);
            String holder = Address.parse(lower.location().getAddress()).host();
            String other = cluster.servers().stream()
                    .filter(server -> !server.equals(holder))
                    .findFirst()
                    .orElseThrow();
            client.admin().moveTablet("METADATA", lower.id().endRow().orElseThrow(), other + ":1");
        }

        /** Those below the root tablet. */
        private List<MetadataRow> parts() throws BigtableException, InterruptedException {
            return metadata.scan(0, 0).stream()
                    .filter(row -> !row.id().equals(MetadataSchema.ROOT))
                    .toList();
        }

        private void awaitOnePart() throws BigtableException, InterruptedException {
            long begin = cluster.scheduler().clock().nanos();
            while (parts().size() > 1) {
                assertThat(cluster.scheduler().clock().nanos() - begin)
                        .as("nanoseconds without a merge")
                        .isLessThan(PATIENCE_SECONDS * 1_000_000_000L);
                cluster.scheduler().pause(1_000);
            }
        }

        private void check() throws BigtableException, InterruptedException {
            cluster.forgetSteps();
            try (Bigtable fresh = cluster.client("late")) {
                for (int i = 0; i < ROWS; i++) {
                    assertThat(fresh.table("t").increment(row(i), COUNTER, 0))
                            .as("row %d", i)
                            .isEqualTo(counted[i]);
                }
                while (fresh.admin().clusterStatus().unassigned() > 0) {
                    cluster.scheduler().pause(1_000);
                }
            }
            Checkup.of(ports);
        }
    }

    private static Bytes row(int number) {
        return Bytes.utf8(String.format("%0100d", number));
    }
}
