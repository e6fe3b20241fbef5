package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Bigtable;
import bt.client.Table;
import bt.doctor.Doctor;
import bt.metadata.MetadataTable;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.protocol.Address;
import bt.testing.Faults.Failure;
import bt.testing.Faults.Fault;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/** One thread of a server, or of the master, hangs for good, by a mistake of ours, while all others of it go on. */
class HungThreadSimTest {
    /** Session, lease, and 6 s. */
    private static final Duration BOUND = Duration.ofSeconds(18);

    /** Three minutes, a look, and what a planned stop takes. */
    private static final Duration FOLLOWERS_BOUND = Duration.ofSeconds(180 + 10 + 60);

    /** Half an hour, a look, a session and an election. */
    private static final Duration COLLECTORS_BOUND = Duration.ofSeconds(1_800 + 15);

    /** A minute, a look, a session and an election. */
    private static final Duration MASTERS_BOUND = Duration.ofSeconds(75);

    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
    private static final Bytes ROW = Bytes.utf8("r");
    private static final Set<FileOperation> OF_LOGS =
            EnumSet.of(FileOperation.CREATE, FileOperation.APPEND, FileOperation.FLUSH, FileOperation.SYNC);

    @SeededTest(runs = 10)
    void whoseCommitThreadHangsIsReplacedInTheTimeThatAHungServerMayTake(RandomGenerator random) {
        live(random, (cluster, client) -> {
            String hung = holder(cluster, 1);
            cluster.scheduler().hangWorker(hung, "commit");
            assertServedIn(cluster, client, BOUND);
            assertThat(holder(cluster, 1)).isNotEqualTo(hung);
            assertThat(cluster.servers()).doesNotContain(hung);
        });
    }

    /** Its session is kept by another thread, and all it has lost is the right to answer. */
    @SeededTest(runs = 10)
    void whoseLeaseThreadHangsIsReplaced(RandomGenerator random) {
        live(random, (cluster, client) -> {
            String hung = holder(cluster, 1);
            cluster.scheduler().hangWorker(hung, "lease");
            // So long it may answer yet.
            cluster.scheduler().pause(10_000);
            assertServedIn(cluster, client, BOUND.minusSeconds(10));
            assertThat(holder(cluster, 1)).isNotEqualTo(hung);
            assertThat(cluster.servers()).doesNotContain(hung).hasSize(2);
        });
    }

    @SeededTest(runs = 5)
    void noServerEndsWhileTheLockServiceAnswersNobodyForMinutes(RandomGenerator random) {
        live(random, (cluster, client) -> {
            List<String> before = cluster.servers();
            cluster.locks().stopFor(Duration.ofMinutes(4).toMillis());
            cluster.scheduler().pause(Duration.ofMinutes(5).toMillis());
            write(client.table("t"), "afterwards");
            assertThat(cluster.servers()).isEqualTo(before);
            assertThat(cluster.replayedLogs()).isEmpty();
        });
    }

    @SeededTest(runs = 10)
    void soIsWhoseCommitThreadOfMetadataHangs(RandomGenerator random) {
        live(random, (cluster, client) -> {
            String hung = holder(cluster, 1);
            cluster.scheduler().hangWorker(hung, "commit-metadata");
            cluster.scheduler().pause(BOUND.toMillis());
            assertThat(cluster.servers()).doesNotContain(hung);
            assertServedIn(cluster, client, BOUND);
        });
    }

    /** It serves, but would never hear of a table's new schema; its tablets are handed over before it ends. */
    @SeededTest(runs = 3)
    void soIsWhoseThreadThatFollowsSchemasHangs(RandomGenerator random) {
        assertEndsInOrder(random, "schemas");
    }

    @SeededTest(runs = 3)
    void soIsWhoseThreadThatFollowsRightsHangs(RandomGenerator random) {
        assertEndsInOrder(random, "access");
    }

    private static void assertEndsInOrder(RandomGenerator random, String thread) {
        live(random, (cluster, client) -> {
            String hung = holder(cluster, 1);
            cluster.scheduler().hangWorker(hung, thread);
            cluster.scheduler().pause(FOLLOWERS_BOUND.toMillis());
            assertThat(cluster.servers()).doesNotContain(hung).hasSize(2);
            assertThat(cluster.replayedLogs()).isEmpty();
            assertServedIn(cluster, client, Duration.ofSeconds(1));
        });
    }

    @SeededTest(runs = 2)
    void noServerEndsForWhatFollowsNothing(RandomGenerator random) {
        live(random, (cluster, client) -> {
            List<String> before = cluster.servers();
            cluster.scheduler().pause(Duration.ofMinutes(10).toMillis());
            assertThat(cluster.servers()).isEqualTo(before);
        });
    }

    /** As from a NameNode that is restarted: it ends by itself, and nobody is better off for having ended. */
    @SeededTest(runs = 10)
    void noServerEndsWhileTheFileStoreAnswersNobodyForTwentySeconds(RandomGenerator random) {
        live(random, (cluster, client) -> {
            List<String> before = cluster.servers();
            long back =
                    cluster.scheduler().clock().nanos() + Duration.ofSeconds(20).toNanos();
            cluster.setFileFaults((operation, path) -> {
                long left = (back - cluster.scheduler().clock().nanos()) / 1_000_000;
                return OF_LOGS.contains(operation) && left > 0 ? new Fault(left, Failure.NONE) : Faults.NONE;
            });
            write(client.table("t"), "while it is away");
            cluster.scheduler().pause(60_000);
            assertThat(cluster.servers()).isEqualTo(before);
            assertThat(cluster.replayedLogs()).isEmpty();
        });
    }

    @SeededTest(runs = 5)
    void aMasterWhoseThreadHangsEndsAndTheNextOneRules(RandomGenerator random) {
        live(random, (cluster, client) -> {
            String hung = cluster.masters().get(0);
            cluster.startMaster();
            cluster.scheduler().hangWorker(hung, "master");
            cluster.scheduler().pause(MASTERS_BOUND.toMillis());
            assertThat(cluster.masters()).doesNotContain(hung).hasSize(1);
            assertRuled(client);
        });
    }

    /** Nothing would ever be deleted again. */
    @SeededTest(runs = 1)
    void soDoesOneWhoseCollectorOfGarbageHangs(RandomGenerator random) {
        live(random, (cluster, client) -> {
            String hung = cluster.masters().get(0);
            cluster.startMaster();
            cluster.scheduler().hangWorker(hung, "garbage");
            cluster.scheduler().pause(COLLECTORS_BOUND.toMillis());
            assertThat(cluster.masters()).doesNotContain(hung).hasSize(1);
            assertRuled(client);
            String next = cluster.masters().get(0);
            cluster.scheduler().pause(COLLECTORS_BOUND.toMillis());
            assertThat(cluster.masters()).as("whose collector sweeps").containsExactly(next);
        });
    }

    @SeededTest(runs = 3)
    void soDoesOneThatStandsBy(RandomGenerator random) {
        live(random, (cluster, client) -> {
            String hung = standBy(cluster);
            cluster.scheduler().pause(5_000);
            cluster.scheduler().hangWorker(hung, "master");
            cluster.scheduler().pause(MASTERS_BOUND.toMillis());
            assertThat(cluster.masters()).doesNotContain(hung).hasSize(1);
            assertRuled(client);
        });
    }

    /** It is elected, and has the office. */
    @SeededTest(runs = 3)
    void soDoesOneThatHasNotBegunToRule(RandomGenerator random) {
        live(random, (cluster, client) -> {
            String hung = followWithSlowFiles(cluster, Duration.ofMinutes(30));
            cluster.scheduler().hangWorker(hung, "master");
            String next = standBy(cluster);
            cluster.scheduler().pause(MASTERS_BOUND.toMillis());
            assertThat(cluster.masters()).containsExactly(next);
            assertRuled(client);
        });
    }

    /** No other would fare better. */
    @SeededTest(runs = 3)
    void aMasterThatWaitsForTheFileStoreForMinutesRulesInTheEnd(RandomGenerator random) {
        live(random, (cluster, client) -> {
            String slow = followWithSlowFiles(cluster, Duration.ofMinutes(4));
            cluster.scheduler().pause(Duration.ofMinutes(4).toMillis());
            assertThat(cluster.masters()).containsExactly(slow);
            assertRuled(client);
        });
    }

    @SeededTest(runs = 3)
    void oneThatTheFileStoreDoesNotAnswerAtAllMakesRoom(RandomGenerator random) {
        live(random, (cluster, client) -> {
            String unused = followWithSlowFiles(cluster, Duration.ofMinutes(30));
            String next = standBy(cluster);
            cluster.scheduler().pause(Duration.ofMinutes(11).toMillis());
            assertThat(cluster.masters()).containsExactly(next);
            assertRuled(client);
        });
    }

    /** Of a master that is the only one left, and waits for the file store before it rules; its name. */
    private static String followWithSlowFiles(SimCluster cluster, Duration slow) throws InterruptedException {
        String first = cluster.masters().get(0);
        String next = standBy(cluster);
        cluster.setFileFaults(
                next,
                (operation, path) -> operation == FileOperation.LIST && path.isEmpty()
                        ? new Fault(slow.toMillis(), Failure.NONE)
                        : Faults.NONE);
        cluster.scheduler().pause(2_000);
        cluster.kill(first);
        cluster.scheduler().pause(20_000);
        return next;
    }

    private static String standBy(SimCluster cluster) {
        cluster.startMaster();
        return cluster.masters().get(cluster.masters().size() - 1);
    }

    private static void assertRuled(Bigtable client) throws BigtableException {
        client.admin()
                .createTable(
                        TableSchema.draft("later").family("f", GcRule.KEEP_ALL).build(), List.of());
        write(client.table("later"), "by the next");
    }

    private interface Story {
        void tell(SimCluster cluster, Bigtable client) throws BigtableException, InterruptedException;
    }

    /** Three servers, one of which has the table's only tablet. */
    private static void live(RandomGenerator random, Story story) {
        SimCluster cluster = new SimCluster(random.nextLong(), 1 << 20);
        cluster.startMaster();
        for (int i = 0; i < 3; i++) {
            cluster.startServer();
        }
        cluster.run(Duration.ofMinutes(90), () -> {
            try (Bigtable client = cluster.client()) {
                client.admin().createTable(DRAFT, List.of());
                write(client.table("t"), "first");
                story.tell(cluster, client);
                Checkup.of(cluster.ports());
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    private static void assertServedIn(SimCluster cluster, Bigtable client, Duration bound) throws BigtableException {
        long before = cluster.scheduler().clock().nanos();
        write(client.table("t"), "by another");
        assertThat(client.table("t").read(ROW)).isPresent();
        assertThat(Duration.ofNanos(cluster.scheduler().clock().nanos() - before))
                .isLessThan(bound);
    }

    private static void write(Table table, String value) throws BigtableException {
        table.apply(RowMutation.of(ROW).set("f", "q", value).build());
    }

    /** Of the table's tablet, as METADATA has it. */
    private static String holder(SimCluster cluster, long table) throws BigtableException, InterruptedException {
        Doctor.Ports ports = cluster.ports();
        MetadataTable metadata = new MetadataTable(ports.network(), ports.locks(), ports.scheduler(), ports.random());
        return Address.parse(metadata.scan(table, 1).get(0).location().getAddress())
                .host();
    }
}
