package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.client.Bigtable;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.metadata.ProcessFiles;
import bt.metadata.Schemas;
import bt.model.GcRule;
import bt.model.Right;
import bt.model.TableSchema;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Request;
import bt.record.AlterTable;
import bt.record.ClusterStatusRequest;
import bt.record.CreateTable;
import bt.record.StopProcess;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

/** A process that wants much of the master at a time, and others that want little. */
class BusyMasterSimTest {
    private static final int MUCH = 300;
    private static final long HOUR_MILLIS = 3_600_000;

    private static final List<ByteBuffer> SPLIT_ROWS = IntStream.range(0, 10)
            .mapToObj(i -> AvroBytes.buffer(Bytes.utf8(String.format("%04d", i))))
            .toList();

    private static TableSchema draft(String name) {
        return TableSchema.draft(name).family("f", GcRule.KEEP_ALL).build();
    }

    private static void tell(ClusterStory story) {
        SimCluster cluster = new SimCluster(11, 1 << 20);
        cluster.startMaster();
        cluster.startServer();
        cluster.startServer();
        cluster.run(Duration.ofHours(2), () -> {
            try (Bigtable client = cluster.client("modest")) {
                client.admin().createTable(draft("first"), List.of());
                story.run(cluster, client);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    /** Without waiting in between. */
    private static List<CompletableFuture<Answer>> send(
            SimCluster cluster, long timeoutMillis, Stream<? extends SpecificRecord> messages)
            throws BigtableException {
        return send("greedy", cluster, timeoutMillis, messages);
    }

    private static List<CompletableFuture<Answer>> send(
            String process, SimCluster cluster, long timeoutMillis, Stream<? extends SpecificRecord> messages)
            throws BigtableException {
        cluster.scheduler().process(process);
        Address master =
                ProcessFiles.master(cluster.ports().locks().read(Paths.MASTER).orElseThrow());
        return messages.map(message ->
                        cluster.network().of(process).send(master, new Request.Control(message), timeoutMillis))
                .toList();
    }

    private static Stream<CreateTable> manyTables() {
        return IntStream.range(0, MUCH).mapToObj(i -> new CreateTable(Schemas.encode(draft("greedy" + i)), SPLIT_ROWS));
    }

    private static long countDone(List<CompletableFuture<Answer>> answers) {
        return answers.stream().filter(CompletableFuture::isDone).count();
    }

    @Test
    void hundredsOfNewTablesOfOneHostDoNotDelayOneOfAnother() {
        tell((cluster, modest) -> {
            List<CompletableFuture<Answer>> much = send(cluster, HOUR_MILLIS, manyTables());
            modest.admin().createTable(draft("small"), List.of());
            assertThat(countDone(much)).isLessThan(MUCH / 4);
            long before = cluster.scheduler().clock().nanos();
            modest.admin().clusterStatus();
            assertThat(cluster.scheduler().clock().nanos() - before).isLessThan(3_000_000_000L);
            modest.admin().dropTable("small");
            assertThat(countDone(much)).isLessThan(MUCH / 2);
        });
    }

    /** He would make them again, or wonder who has. */
    @Test
    void tablesOfWhoeverHasGivenThemUpDoNotComeToBe() {
        tell((cluster, modest) -> {
            List<CompletableFuture<Answer>> much = send(cluster, 500, manyTables());
            cluster.scheduler().pause(30_000);
            assertThat(countDone(much)).isEqualTo(MUCH);
            long made = much.stream()
                    .filter(answer -> !answer.isCompletedExceptionally())
                    .count();
            // And the one that was begun.
            assertThat(modest.admin().tables()).hasSizeBetween(1 + (int) made, 2 + (int) made);
            assertThat(made).isLessThan(MUCH / 2);
        });
    }

    /** Nobody has looked at it: it waits for the next turn. */
    @Test
    void whatComesDuringAPassThatFailsIsDoneAllTheSame() {
        tell((cluster, modest) -> {
            LockService locks = cluster.ports().locks();
            SmallFile root = locks.read(Paths.ROOT).orElseThrow();
            SmallFile damaged = locks.write(Paths.ROOT, Bytes.utf8("damaged"), root.version());
            AlterTable stale = new AlterTable(Schemas.encode(draft("first")));
            List<CompletableFuture<Answer>> asked = new ArrayList<>();
            List<CompletableFuture<Answer>> ordered = new ArrayList<>();
            for (int i = 0; i < MUCH; i++) {
                asked.addAll(send(cluster, HOUR_MILLIS, Stream.of(new ClusterStatusRequest())));
                ordered.addAll(send(cluster, HOUR_MILLIS, Stream.of(stale)));
                cluster.scheduler().pause(10);
            }
            cluster.scheduler().pause(5_000);
            assertThat(modest.admin().clusterStatus().problems()).anyMatch(problem -> problem.contains("root"));
            assertThat(asked)
                    .allMatch(CompletableFuture::isDone)
                    .noneMatch(CompletableFuture::isCompletedExceptionally);
            assertThat(ordered)
                    .allSatisfy(
                            answer -> assertThatThrownBy(answer::get).cause().isInstanceOf(RejectedException.class));
            SmallFile unused = locks.write(Paths.ROOT, root.content(), damaged.version());
        });
    }

    /** Who may not stop the cluster ends no turn of others by that, and each turn begins with a look at all servers. */
    @Test
    void whoMayNotStopTheClusterDelaysNobody() {
        tell((cluster, modest) -> {
            modest.admin().alterAccess(list -> list.grant("modest", Right.OF_CLUSTERS));
            String silent = cluster.startServer();
            cluster.scheduler().pause(10_000);
            StopProcess stop = new StopProcess("asked for", -1L);
            AlterTable stale = new AlterTable(Schemas.encode(draft("first")));
            List<CompletableFuture<Answer>> stops =
                    send(cluster, HOUR_MILLIS, Stream.generate(() -> stop).limit(MUCH));
            // Each look takes a second from now on.
            cluster.network().cut(cluster.masters().get(0), silent);
            List<CompletableFuture<Answer>> orders = send(
                    "modest", cluster, HOUR_MILLIS, Stream.generate(() -> stale).limit(MUCH));
            cluster.scheduler().pause(60_000);
            assertThat(countDone(orders)).isEqualTo(MUCH);
            assertThat(stops).allMatch(CompletableFuture::isCompletedExceptionally);
        });
    }

    /** Each asks a server for what it knows; none is from the table's present version. */
    @Test
    void hundredsOfOrdersDoNotDelayTheNextLook() {
        tell((cluster, modest) -> {
            AlterTable alter = new AlterTable(Schemas.encode(draft("first")));
            List<CompletableFuture<Answer>> much =
                    send(cluster, HOUR_MILLIS, Stream.generate(() -> alter).limit(MUCH));
            long before = cluster.scheduler().clock().nanos();
            cluster.scheduler().pause(100);
            modest.admin().clusterStatus();
            assertThat(cluster.scheduler().clock().nanos() - before).isLessThan(1_500_000_000L);
            assertThat(countDone(much)).isBetween(1L, MUCH - 1L);
        });
    }
}
