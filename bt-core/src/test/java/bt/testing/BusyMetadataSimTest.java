package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Bigtable;
import bt.doctor.Doctor;
import bt.master.Graces;
import bt.master.MasterConfig;
import bt.master.MergeConfig;
import bt.metadata.MetadataKeys;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataSchema;
import bt.metadata.MetadataTable;
import bt.model.GcRule;
import bt.model.TableSchema;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Everybody looks up rows, of which all are in one tablet of METADATA, and there are two servers. */
class BusyMetadataSimTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
    private static final int ROWS = 400;
    private static final List<Bytes> SPLITS =
            IntStream.range(1, ROWS).mapToObj(BusyMetadataSimTest::row).toList();

    /** More than what masters read in their passes, less than all that look up. */
    private static final long LEAST_PER_SECOND = 5;

    /** What is small and idle for so long is merged. */
    private static final long MERGE_SECONDS = 20;

    private static final long PATIENCE_SECONDS = 600;

    private volatile boolean isOver;

    @SeededTest(runs = 2)
    void itIsSplitForTheLoadAndStaysSoUntilThatIsOver(RandomGenerator random) {
        SimCluster cluster = new SimCluster(random.nextLong(), 1 << 20);
        MasterConfig usual = MasterConfig.DEFAULT;
        cluster.mastersAre(new MasterConfig(
                usual.leaseMillis(),
                usual.loopMillis(),
                usual.passMillis(),
                usual.requestMillis(),
                Graces.DEFAULT,
                new MergeConfig(40L << 20, MERGE_SECONDS * 1_000),
                usual.returnWaitMillis(),
                LEAST_PER_SECOND,
                usual.silenceMillis()));
        cluster.startMaster();
        cluster.startServer();
        cluster.startServer();
        cluster.run(Duration.ofMinutes(60), () -> {
            try (Bigtable client = cluster.client()) {
                client.admin().createTable(DRAFT, SPLITS);
                assertThat(parts(cluster)).isEqualTo(1);
                CompletableFuture<Void> lookUps = new CompletableFuture<>();
                cluster.scheduler().start("look-ups", () -> lookUp(cluster, random, lookUps));
                await(cluster, () -> parts(cluster) > 1);
                assertThat(ends(cluster)).as("METADATA's tablets end with").isSubsetOf(tablets(cluster));
                cluster.scheduler().pause(3_000 * MERGE_SECONDS);
                assertThat(parts(cluster)).as("while it is busy").isGreaterThan(1);
                isOver = true;
                cluster.scheduler().await(lookUps, 120_000);
                await(cluster, () -> parts(cluster) == 1);
                assertThat(client.table("t").read(row(7))).isEmpty();
                Checkup.of(cluster.ports());
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    /** Each time as one who has looked up nothing yet: rows that tablets begin with. */
    private void lookUp(SimCluster cluster, RandomGenerator random, CompletableFuture<Void> ended)
            throws InterruptedException {
        for (int i = 0; !isOver; i++) {
            try (Bigtable fresh = cluster.client("fresh-" + i)) {
                assertThat(fresh.table("t").read(row(random.nextInt(ROWS)).successor()))
                        .isEmpty();
            } catch (BigtableException failed) {
                ended.completeExceptionally(failed);
                return;
            }
            cluster.scheduler().pause(50);
        }
        ended.complete(null);
    }

    private interface Condition {
        boolean holds() throws BigtableException, InterruptedException;
    }

    private static void await(SimCluster cluster, Condition condition) throws BigtableException, InterruptedException {
        long begin = cluster.scheduler().clock().nanos();
        while (!condition.holds()) {
            assertThat(cluster.scheduler().clock().nanos() - begin)
                    .as("nanoseconds without it")
                    .isLessThan(PATIENCE_SECONDS * 1_000_000_000L);
            cluster.scheduler().pause(1_000);
        }
    }

    /** How many tablets METADATA has below the root tablet. */
    private static int parts(SimCluster cluster) throws BigtableException, InterruptedException {
        return ends(cluster).size() + 1;
    }

    /** Where they end, but for the last. */
    private static List<Bytes> ends(SimCluster cluster) throws BigtableException, InterruptedException {
        return metadata(cluster).scan(0, 0).stream()
                .map(MetadataRow::id)
                .filter(id -> !id.equals(MetadataSchema.ROOT))
                .flatMap(id -> id.endRow().stream())
                .toList();
    }

    /** The rows of METADATA of the table's tablets. */
    private static List<Bytes> tablets(SimCluster cluster) throws BigtableException, InterruptedException {
        return metadata(cluster).scan(1, 1).stream()
                .map(row -> MetadataKeys.of(row.id()))
                .toList();
    }

    private static MetadataTable metadata(SimCluster cluster) {
        Doctor.Ports ports = cluster.ports();
        return new MetadataTable(ports.network(), ports.locks(), ports.scheduler(), ports.random());
    }

    private static Bytes row(int number) {
        return Bytes.utf8("%0100d".formatted(number));
    }
}
