package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.base.Scheduler;
import bt.client.Bigtable;
import bt.client.Operation;
import bt.doctor.Doctor;
import bt.master.Graces;
import bt.master.MasterConfig;
import bt.metadata.MetadataTable;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.protocol.Address;
import bt.testing.Faults.Failure;
import bt.testing.Faults.Fault;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** METADATA takes its time for each row, and something is to be done about hundreds of one table: others are not kept waiting by that. */
class SlowMetadataSimTest {
    private static final long WRITE_MILLIS = 40;
    private static final int TABLETS = 600;
    private static final List<Bytes> SPLITS =
            IntStream.range(1, TABLETS).mapToObj(SlowMetadataSimTest::row).toList();

    /** Until a dead server is known to be dead, and its tablets are served elsewhere; one row after the other takes longer than that. */
    private static final long DEATH_SECONDS = 25;

    private final SimCluster cluster = new SimCluster(5, 1 << 20);
    private final Doctor.Ports ports = cluster.ports();
    private final MetadataTable metadata =
            new MetadataTable(ports.network(), ports.locks(), ports.scheduler(), ports.random());

    /** It has nothing of METADATA. */
    private String late = "";

    @Test
    void whoMergesHundredsOfTabletsKeepsNoneOfAnotherTableFromBeingRecovered() {
        tell(client -> {
            client.admin().startMerge("many", row(0), row(TABLETS));
            smallIsReadSoonAfterADeath(client);
            assertThat(metadata.scan(1, 1)).as("tablets by then").hasSizeGreaterThan(1);
            client.admin().awaitOperation("merge/many", 1_800_000, progress -> {});
            assertThat(metadata.scan(1, 1)).hasSize(1);
            assertThat(client.table("many").read(row(TABLETS / 2))).isEmpty();
            Checkup.of(ports);
        });
    }

    /** Longer than a minute; the rows of each tablet are away for what fifty take, and some of them twice. */
    @Test
    void whoWaitsForAMergeOfHundredsOfTabletsHasItDoneAndOthersReadTheirRowsMeanwhile() {
        tell(client -> {
            AtomicBoolean isOver = new AtomicBoolean();
            CompletableFuture<Long> longest = new CompletableFuture<>();
            Scheduler.Worker unused = cluster.scheduler().start("reader", () -> read(isOver, longest));
            client.admin().mergeTablets("many", row(0), row(TABLETS));
            assertThat(metadata.scan(1, 1)).hasSize(1);
            isOver.set(true);
            assertThat(Duration.ofNanos(cluster.scheduler().await(longest, 60_000)))
                    .isBetween(Duration.ofMillis(100), Duration.ofSeconds(15));
            Checkup.of(ports);
        });
    }

    /** Passes come to an end between their steps, with which it goes on. */
    @Test
    void mergesBesideEachOtherKeepNeitherWorkOnAnotherTableNorADrainWaitingForTheirEnd() {
        tell(client -> {
            client.admin().startMerge("many", row(0), row(TABLETS / 3 - 1));
            client.admin().startMerge("many", row(TABLETS / 3 + 1), row(2 * TABLETS / 3 - 1));
            client.admin().startMerge("many", row(2 * TABLETS / 3 + 1), row(TABLETS));
            for (int i = 0; metadata.scan(1, 1).size() == TABLETS; i++) {
                assertThat(i).as("fifths of a second").isLessThan(1_000);
                pause(200);
            }
            long begun = cluster.scheduler().clock().nanos();
            Operation split = client.admin().startSplit("small", Bytes.utf8("m"));
            client.admin().awaitOperation(split.id(), 600_000, progress -> {});
            assertThat(metadata.scan(2, 2)).hasSize(2);
            client.admin().compactTable("small");
            Operation drain = client.admin().startDrain(late + ":1");
            client.admin().awaitOperation(drain.id(), 600_000, progress -> {});
            assertThat(Duration.ofNanos(cluster.scheduler().clock().nanos() - begun))
                    .isLessThan(Duration.ofSeconds(60));
            assertThat(metadata.scan(1, 1)).as("tablets by then").hasSizeGreaterThan(100);
            client.admin().awaitOperation("merge/many", 1_800_000, progress -> {});
            Checkup.of(ports);
        });
    }

    /** Nanoseconds that one row has taken, which is read again and again. */
    private void read(AtomicBoolean isOver, CompletableFuture<Long> longest) throws InterruptedException {
        long most = 0;
        try (Bigtable reader = cluster.client("reader")) {
            while (!isOver.get()) {
                long before = cluster.scheduler().clock().nanos();
                assertThat(reader.table("many").read(row(TABLETS / 2))).isEmpty();
                most = Math.max(most, cluster.scheduler().clock().nanos() - before);
                cluster.scheduler().pause(200);
            }
            longest.complete(most);
        } catch (BigtableException failed) {
            longest.completeExceptionally(failed);
        }
    }

    /** Who waits has asked a moment before, so passes would go on for a minute: with tablets that nobody serves, and nobody is away from. */
    @Test
    void aMergeThatSomebodyWaitsForEndsWithItsTableWhichComesBackAsItWas() {
        tell(client -> {
            CompletableFuture<Void> merged = new CompletableFuture<>();
            Scheduler.Worker unused = cluster.scheduler().start("merger", () -> merge(merged));
            for (int i = 0; metadata.scan(1, 1).size() == TABLETS; i++) {
                assertThat(i).as("fifths of a second").isLessThan(1_000);
                pause(200);
            }
            client.admin().dropTable("many");
            int left = metadata.scan(1, 1).size();
            assertThat(left).isGreaterThan(TABLETS / 2);
            // With what he asks for next, which he does each five seconds and more: he would go on with the table that
            // has come back.
            assertThatThrownBy(() -> cluster.scheduler().await(merged, 15_000))
                    .isInstanceOf(RejectedException.class)
                    .hasMessageContaining("was dropped");
            pause(60_000);
            assertThat(client.admin().undeleteTable("many").id()).isEqualTo(1);
            assertThat(metadata.scan(1, 1)).hasSize(left);
            assertThat(client.table("many").read(row(TABLETS / 2))).isEmpty();
            Checkup.of(ports);
        });
    }

    private void merge(CompletableFuture<Void> merged) {
        try (Bigtable admin = cluster.client("merger")) {
            admin.admin().mergeTablets("many", row(0), row(TABLETS));
            merged.complete(null);
        } catch (BigtableException failed) {
            merged.completeExceptionally(failed);
        }
    }

    @Test
    void aTableOfHundredsWhoseTimeIsOverKeepsNoneOfAnotherFromBeingRecovered() {
        tell(client -> {
            client.admin().dropTable("many");
            smallIsReadSoonAfterADeath(client);
            for (int i = 0; !metadata.scan(1, 1).isEmpty(); i++) {
                assertThat(i).as("seconds").isLessThan(300);
                pause(1_000);
            }
            Checkup.of(ports);
        });
    }

    private interface Story {
        void tell(Bigtable client) throws BigtableException, InterruptedException;
    }

    /** A small table is at the server that came last. */
    private void tell(Story story) {
        cluster.mastersAre(new MasterConfig(
                MasterConfig.DEFAULT.leaseMillis(),
                MasterConfig.DEFAULT.loopMillis(),
                MasterConfig.DEFAULT.passMillis(),
                MasterConfig.DEFAULT.requestMillis(),
                new Graces(120_000, 3_600_000, 86_400_000),
                MasterConfig.DEFAULT.merges(),
                MasterConfig.DEFAULT.returnWaitMillis(),
                MasterConfig.DEFAULT.splitRequestsPerSecond(),
                MasterConfig.DEFAULT.silenceMillis()));
        cluster.startMaster();
        cluster.startServer();
        cluster.startServer();
        cluster.run(Duration.ofHours(2), () -> {
            try (Bigtable client = cluster.client()) {
                client.admin().createTable(draft("many"), SPLITS);
                client.admin().createTable(draft("small"), List.of());
                late = cluster.startServer();
                pause(5_000);
                client.admin().moveTablet("small", Bytes.utf8("row"), late + ":1");
                for (String server : cluster.servers()) {
                    cluster.setFileFaults(
                            server,
                            (operation, path) -> operation == FileOperation.FLUSH || operation == FileOperation.SYNC
                                    ? new Fault(WRITE_MILLIS, Failure.NONE)
                                    : Faults.NONE);
                }
                story.tell(client);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    private static TableSchema draft(String name) {
        return TableSchema.draft(name).family("f", GcRule.KEEP_ALL).build();
    }

    /** Of the server that has it, while rows of the other table are being marked gone. */
    private void smallIsReadSoonAfterADeath(Bigtable client) throws BigtableException, InterruptedException {
        for (int i = 0; metadata.scan(1, 1).size() == TABLETS; i++) {
            assertThat(i).as("fifths of a second").isLessThan(1_000);
            pause(200);
        }
        assertThat(metadata.scan(2, 2)).singleElement().satisfies(small -> assertThat(
                        Address.parse(small.location().getAddress()).host())
                .isEqualTo(late));
        cluster.kill(late);
        long killed = cluster.scheduler().clock().nanos();
        assertThat(client.table("small").read(Bytes.utf8("row"))).isEmpty();
        assertThat(Duration.ofNanos(cluster.scheduler().clock().nanos() - killed))
                .isLessThan(Duration.ofSeconds(DEATH_SECONDS));
    }

    private void pause(long millis) throws InterruptedException {
        ports.scheduler().pause(millis);
    }

    private static Bytes row(int number) {
        return Bytes.utf8("%04d".formatted(number));
    }
}
