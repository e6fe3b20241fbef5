package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.client.Bigtable;
import bt.coord.Paths;
import bt.master.MasterConfig;
import bt.metadata.MetadataSchema;
import bt.metadata.ProcessFiles;
import bt.metadata.Schemas;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Request;
import bt.record.CreateTable;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A table that begins with many tablets. */
class CreationSimTest {
    private static final Bytes ROW = Bytes.utf8("1000");

    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();

    /** Its lock was renewed a moment before, and is another's when it goes on, who has marked the rows of the table gone. */
    @SeededTest(runs = 5)
    void aMasterThatIsFollowedWhileItCreatesATableMakesNoneWithoutTablets(RandomGenerator random) {
        TableSchema first =
                TableSchema.draft("first").family("f", GcRule.KEEP_ALL).build();
        ClusterStory.tell(random, MasterConfig.DEFAULT, first, List.of(), (cluster, client) -> {
            cluster.standStillAt(CrashPoint.BEFORE_NODE_IS_CREATED, 1);
            client.admin().createTable(DRAFT, List.of(Bytes.utf8("0500"), Bytes.utf8("1500")));
            client.table("t").apply(RowMutation.of(ROW).set("f", "q", "value").build());
            // Until the first master has gone on too.
            cluster.scheduler().pause(60_000);
            assertThat(client.table("t").read(ROW)).isPresent();
            assertThat(cluster.masters()).hasSize(1);
            Checkup.of(cluster.ports());
        });
    }

    /** The server of METADATA refuses it, and that is not the caller's mistake: the next master may do what he asks for. */
    @SeededTest(runs = 5)
    void whoAsksAMasterThatIsFollowedMeanwhileIsToldToAskAgain(RandomGenerator random) {
        TableSchema first =
                TableSchema.draft("first").family("f", GcRule.KEEP_ALL).build();
        ClusterStory.tell(random, MasterConfig.DEFAULT, first, List.of(), (cluster, client) -> {
            Address master = ProcessFiles.master(
                    cluster.ports().locks().read(Paths.MASTER).orElseThrow());
            cluster.standStillAt(CrashPoint.BEFORE_METADATA_CHANGES, 1);
            CreateTable message = new CreateTable(Schemas.encode(DRAFT), List.of());
            CompletableFuture<Answer> answer =
                    cluster.ports().network().send(master, new Request.Control(message), 120_000);
            assertThatThrownBy(() -> cluster.scheduler().await(answer, 121_000))
                    .isInstanceOf(UnavailableException.class);
            assertThat(client.admin().tables()).extracting(TableSchema::name).containsExactly("first");
            client.admin().createTable(DRAFT, List.of());
            Checkup.of(cluster.ports());
        });
    }

    @Test
    void manyRowsOfMetadataAreWrittenAtATime() {
        SimCluster cluster = new SimCluster(5, 1 << 20);
        cluster.startMaster();
        cluster.startServer();
        cluster.startServer();
        cluster.run(Duration.ofMinutes(30), () -> {
            try (Bigtable client = cluster.client()) {
                client.admin()
                        .createTable(
                                TableSchema.draft("first")
                                        .family("f", GcRule.KEEP_ALL)
                                        .build(),
                                List.of());
                List<Bytes> splits = IntStream.range(0, 1_500)
                        .mapToObj(i -> Bytes.utf8(String.format("%04d", i)))
                        .toList();
                long before = cluster.scheduler().clock().nanos();
                client.admin().createTable(DRAFT, splits);
                long took = cluster.scheduler().clock().nanos() - before;
                assertThat(took).isLessThan(8_000_000_000L);
                client.table("t")
                        .apply(RowMutation.of(ROW).set("f", "q", "value").build());
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    /** A move is an order, a change of METADATA, and two servers' work; a server that dies has passes look at all that METADATA says. */
    @Test
    void theMasterDoesAllElseWhileManyRowsAreWritten() {
        SimCluster cluster = new SimCluster(7, 1 << 20);
        cluster.startMaster();
        List<String> servers = Stream.generate(cluster::startServer).limit(4).toList();
        TableSchema first =
                TableSchema.draft("first").family("f", GcRule.KEEP_ALL).build();
        List<Bytes> splits = IntStream.range(0, 3_000)
                .mapToObj(i -> Bytes.utf8(String.format("%04d", i)))
                .toList();
        cluster.run(Duration.ofMinutes(60), () -> {
            try (Bigtable client = cluster.client()) {
                client.admin().createTable(first, List.of());
                List<String> metadata = client.table(MetadataSchema.SCHEMA.name()).tablets().stream()
                        .map(tablet -> tablet.server().orElseThrow())
                        .toList();
                List<String> others = servers.stream()
                        .filter(name -> !metadata.contains(name + ":1"))
                        .toList();
                client.admin().moveTablet("first", ROW, others.get(0) + ":1");

                CompletableFuture<Void> one = create(cluster, "one", splits);
                cluster.scheduler().pause(200);
                CompletableFuture<Void> two = create(cluster, "two", splits);
                cluster.expireSession(others.get(1));
                client.admin().moveTablet("first", ROW, metadata.get(0));
                while (client.admin().clusterStatus().servers().size() > 3) {
                    cluster.scheduler().pause(50);
                }
                // A pass or two, which look at all that METADATA says.
                cluster.scheduler().pause(700);
                assertThat(client.admin().tables())
                        .extracting(TableSchema::name)
                        .containsExactly("first");

                cluster.scheduler().await(one, 600_000);
                assertThatThrownBy(() -> cluster.scheduler().await(two, 600_000))
                        .isInstanceOf(RejectedException.class)
                        .hasMessageContaining("exists already");
                client.table("t")
                        .apply(RowMutation.of(ROW).set("f", "q", "value").build());
                assertThat(client.table("t").tablets()).hasSize(splits.size() + 1);
                Checkup.of(cluster.ports());
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    private static CompletableFuture<Void> create(SimCluster cluster, String who, List<Bytes> splits) {
        CompletableFuture<Void> created = new CompletableFuture<>();
        cluster.scheduler().start(who, () -> {
            try (Bigtable client = cluster.client(who)) {
                client.admin().createTable(DRAFT, splits);
                created.complete(null);
            } catch (BigtableException failed) {
                created.completeExceptionally(failed);
            }
        });
        return created;
    }
}
