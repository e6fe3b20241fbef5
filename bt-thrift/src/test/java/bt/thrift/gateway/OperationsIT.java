package bt.thrift.gateway;

import static bt.thrift.gateway.GatewayCluster.rejected;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import bt.thrift.gen.Change;
import bt.thrift.gen.Column;
import bt.thrift.gen.DroppedTable;
import bt.thrift.gen.ErrorKind;
import bt.thrift.gen.Family;
import bt.thrift.gen.LocalityGroup;
import bt.thrift.gen.Operation;
import bt.thrift.gen.OperationKind;
import bt.thrift.gen.Refusal;
import bt.thrift.gen.RowMutation;
import bt.thrift.gen.RowRange;
import bt.thrift.gen.Scan;
import bt.thrift.gen.Server;
import bt.thrift.gen.Servers;
import bt.thrift.gen.SetCell;
import bt.thrift.gen.Table;
import bt.thrift.gen.Tablet;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.thrift.TException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What takes long, begun, looked at, waited for and taken back through the gateway, in a cluster whose compactions are slow. */
class OperationsIT {
    private static final Column COLUMN = new Column("f", text("q"));
    private static final int BYTES_PER_SECOND = 1 << 20;

    private static GatewayCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = GatewayCluster.start(
                Map.of("tabletserver.compaction.bytes.per.second", String.valueOf(BYTES_PER_SECOND)));
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void aTruncatedTableIsEmptyAndServed() throws Exception {
        Table table = new Table("full", List.of(new Family("f").setLocalityGroup("g")))
                .setGroups(List.of(new LocalityGroup("g").setCodec("none")));
        Operation creation = cluster.calls().startCreation(table, List.of(text("h"), text("p")));
        assertThat(creation.getId()).isEqualTo("creation/full");
        assertThat(creation.getKind()).isEqualTo(OperationKind.CREATION);
        assertThat(creation.getSubject()).isEqualTo("full");
        ended(creation);
        write("full", "row", 10);

        Operation truncation = cluster.calls().startTruncation("full");

        assertThat(truncation.getId()).isEqualTo("creation/full");
        ended(truncation);
        assertThat(rows("full")).isZero();
        assertThat(cluster.calls().tablets("full")).hasSize(3).allMatch(Tablet::isSetServer);
        assertThat(cluster.bigtable().table("full").schema().group("g").codec()).isEqualTo("none");
        assertThat(cluster.bigtable().admin().droppedTables())
                .extracting(dropped -> dropped.schema().name())
                .contains("full");
        rejected(() -> cluster.calls().startTruncation("nosuch"), "table nosuch does not exist");
    }

    @Test
    void whatIsInMemoryIsFlushedAndWhatIsDeletedCompacted() throws TException {
        created("flushed");
        write("flushed", "row", 100_000);
        assertThat(bytes("flushed")).isZero();

        Operation flush = cluster.calls().startFlush("flushed");

        assertThat(flush.getId()).isEqualTo("flush/flushed");
        assertThat(flush.getKind()).isEqualTo(OperationKind.FLUSH);
        ended(flush);
        assertThat(bytes("flushed")).isGreaterThan(100_000);
        Operation compaction = cluster.calls().startCompaction("flushed", null);
        assertThat(compaction.getId()).isEqualTo("compaction/flushed");
        assertThat(compaction.getKind()).isEqualTo(OperationKind.COMPACTION);
        ended(compaction);
        rejected(
                () -> cluster.calls()
                        .startCompaction(
                                "flushed", new RowRange().setStart(text("b")).setEnd(text("a"))),
                "table flushed");
    }

    @Test
    void tabletsAreSplitAndMergedAndWhatCannotBeIsSaid() throws TException {
        created("cut");

        ended(cluster.calls().startSplit("cut", text("m")));
        assertThat(cluster.calls().tablets("cut")).hasSize(2);
        ended(cluster.calls().startMerge("cut", text("a"), text("z")));
        assertThat(cluster.calls().tablets("cut")).hasSize(1);

        write("cut", "row", 10);
        Operation never = ended(cluster.calls().startSplits("cut"));
        assertThat(never.getRefusals()).singleElement().satisfies(refusal -> {
            assertThat(refusal.isSetRow()).isFalse();
            assertThat(refusal.getKind()).isEqualTo(ErrorKind.REJECTED);
            assertThat(refusal.getWhy()).startsWith("table cut: the last tablet has no row to be split at");
        });
        rejected(() -> cluster.calls().startMerge("cut", text(""), text("z")), "row is empty");
        rejected(() -> cluster.calls().startSplit("cut", text("")), "row is empty");
        rejected(() -> cluster.calls().startSplit("METADATA", text("m")), "METADATA");
    }

    /** To where it is; a server that is none is refused. */
    @Test
    void aTabletIsMoved() throws TException {
        created("moved");
        String server = cluster.calls().tablets("moved").get(0).getServer();

        Operation move = ended(cluster.calls().startMove("moved", text("row"), server));

        assertThat(move.getId()).isEqualTo("move/moved");
        assertThat(move.getRefusals()).extracting(Refusal::getWhy).isEmpty();
        rejected(() -> cluster.calls().startMove("moved", text("row"), "nowhere:1"), "nowhere:1");
        rejected(() -> cluster.calls().startMove("moved", text("row"), "x".repeat(2_000)), "no server has a name");
    }

    @Test
    void aDroppedTableIsListedAndComesBack() throws Exception {
        created("back");
        write("back", "row", 10);
        cluster.calls().dropTable("back");
        DroppedTable dropped = cluster.calls().listDroppedTables().stream()
                .filter(table -> table.getName().equals("back"))
                .findFirst()
                .orElseThrow();
        assertThat(dropped.getDropped()).isPositive();
        rejected(() -> cluster.calls().startUndeletion("back", dropped.getId() + 1_000), "no dropped table back");
        rejected(() -> cluster.calls().startUndeletion("back", -1), "id is -1");

        Operation creation = cluster.calls().startUndeletion("back", dropped.getId());

        assertThat(creation.getId()).isEqualTo("creation/back");
        ended(creation);
        assertThat(rows("back")).isEqualTo(1);
        rejected(() -> cluster.calls().startUndeletion("back", 0), "another table bears the name back now");
        cluster.calls().dropTable("back");
        ended(cluster.calls().startUndeletion("back", 0));
        assertThat(rows("back")).isEqualTo(1);
        assertThat(cluster.calls().listDroppedTables())
                .extracting(DroppedTable::getName)
                .doesNotContain("back");
    }

    /** Of the drain of one of two tells SpecificationIT. */
    @Test
    void serversAreListedAndTheOnlyOneIsNotDrained() throws Exception {
        created("drained");
        Servers servers = cluster.calls().listServers();
        assertThat(servers.getServers()).hasSize(1);
        Server server = servers.getServers().get(0);
        assertThat(server.isAlive()).isTrue();
        assertThat(server.isDraining()).isFalse();
        assertThat(server.getTablets()).isPositive();
        assertThat(cluster.calls().tablets("drained").get(0).getServer()).isEqualTo(server.getAddress());

        rejected(() -> cluster.calls().startDrain(server.getAddress()), "no other server takes tablets: start another");
        rejected(() -> cluster.calls().startDrain("nowhere:1"), "nowhere:1");
        rejected(() -> cluster.calls().endDrain("x".repeat(2_000)), "no server has a name of 2000 characters");
        rejected(() -> cluster.calls().cancelOperation("drain/" + server.getId()), "a drain ends when");
    }

    @Test
    void whatIsUnderWayIsListedWaitedForAndTakenBack() throws Exception {
        created("slow");
        write("slow", "row", 20 * BYTES_PER_SECOND);
        ended(cluster.calls().startFlush("slow"));

        Operation begun = cluster.calls().startCompaction("slow", new RowRange());

        assertThat(begun.isDone()).isFalse();
        assertThat(begun.getTabletsLeft()).isEqualTo(1);
        assertThat(cluster.calls().listOperations())
                .extracting(Operation::getId)
                .contains("compaction/slow");
        assertThat(cluster.calls().getOperation("compaction/slow").isDone()).isFalse();
        long before = System.nanoTime();
        Operation still = cluster.calls().awaitOperation("compaction/slow", 1_500);
        assertThat(still.isDone()).isFalse();
        assertThat(System.nanoTime() - before).isGreaterThan(1_400_000_000L);

        othersAreAnswered("compaction/slow");
        cluster.calls().cancelOperation("compaction/slow");

        assertThat(cluster.calls().awaitOperation("compaction/slow", 10_000).isDone())
                .isTrue();
        assertThat(cluster.calls().listOperations())
                .extracting(Operation::getId)
                .doesNotContain("compaction/slow");
        cluster.calls().cancelOperation("compaction/slow");
    }

    @Test
    void whatCanBeNoOperationIsRefused() {
        rejected(() -> cluster.calls().getOperation("bogus"), "no id of one is like it");
        rejected(() -> cluster.calls().getOperation("x".repeat(2_000)), "no id of 2000 characters");
        rejected(() -> cluster.calls().awaitOperation("flush/nosuch", 10), "no table of its name exists");
        rejected(() -> cluster.calls().awaitOperation("flush/nosuch", 60_001), "set 0 to 60000");
        rejected(() -> cluster.calls().cancelOperation("creation/full"), "a creation when the table is served");
    }

    /** Of a gateway that lets one call be at work, while somebody waits for what is slow. */
    private static void othersAreAnswered(String id) throws Exception {
        GatewayLimits one = new GatewayLimits(8, 1, 100, 1_000_000, 2_000_000, 60_000, 60_000, 60_000, 10);
        try (ThriftGateway gateway = ThriftGateway.start(
                        cluster.bigtable(), new GatewayConfig("127.0.0.1", 0, Protocol.COMPACT, one));
                Dialled waiting = Dialled.to(gateway.port());
                Dialled other = Dialled.to(gateway.port())) {
            waiting.calls().send_awaitOperation(id, 3_000);
            int answered = 0;
            long end = System.nanoTime() + 2_000_000_000L;
            while (System.nanoTime() < end) {
                assertThat(other.calls().readRow("slow", text("absent"), null).getCells())
                        .isEmpty();
                answered++;
            }
            assertThat(answered).isGreaterThan(10);
            assertThat(waiting.calls().recv_awaitOperation().isDone()).isFalse();
        }
    }

    private static void created(String table) throws TException {
        cluster.calls().createTable(new Table(table, List.of(new Family("f"))), List.of());
    }

    /** Of bytes that no codec makes smaller, in values of a mebibyte at most. */
    private static void write(String table, String row, int bytes) throws TException {
        Random random = new Random(1);
        for (int left = bytes; left > 0; left -= 1 << 20) {
            byte[] value = new byte[Math.min(left, 1 << 20)];
            random.nextBytes(value);
            cluster.calls()
                    .mutate(
                            table,
                            new RowMutation(
                                    text(row), List.of(Change.setCell(new SetCell(COLUMN, ByteBuffer.wrap(value))))));
        }
    }

    /** At the pace of the slow compactions beside it. */
    private static Operation ended(Operation begun) throws TException {
        Operation now = begun;
        for (int waits = 0; waits < 4 && !now.isDone(); waits++) {
            now = cluster.calls().awaitOperation(begun.getId(), 15_000);
        }
        assertThat(now.isDone()).isTrue();
        assertThat(now.getTabletsLeft()).isZero();
        return now;
    }

    private static long bytes(String table) throws TException {
        return cluster.calls().tablets(table).stream()
                .mapToLong(Tablet::getBytes)
                .sum();
    }

    private static int rows(String table) throws TException {
        return cluster.calls()
                .scan(table, new Scan(), ByteBuffer.allocate(0))
                .getRows()
                .size();
    }

    private static ByteBuffer text(String text) {
        return ByteBuffer.wrap(text.getBytes(UTF_8));
    }
}
