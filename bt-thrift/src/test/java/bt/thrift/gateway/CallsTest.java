package bt.thrift.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import bt.base.Bytes;
import bt.model.TableSchema;
import bt.protocol.Request;
import bt.testing.MemoryCluster.Fate;
import bt.testing.SeededTest;
import bt.thrift.gen.BigtableError;
import bt.thrift.gen.Bloom;
import bt.thrift.gen.Cell;
import bt.thrift.gen.Change;
import bt.thrift.gen.Column;
import bt.thrift.gen.DeleteRow;
import bt.thrift.gen.Durability;
import bt.thrift.gen.ErrorKind;
import bt.thrift.gen.Family;
import bt.thrift.gen.Filter;
import bt.thrift.gen.GcRule;
import bt.thrift.gen.LocalityGroup;
import bt.thrift.gen.Outcome;
import bt.thrift.gen.Page;
import bt.thrift.gen.Row;
import bt.thrift.gen.RowMutation;
import bt.thrift.gen.Scan;
import bt.thrift.gen.SetCell;
import bt.thrift.gen.Table;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.random.RandomGenerator;
import org.apache.thrift.TException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every call but the creation of a table, which needs a master: GatewayIT has one. */
class CallsTest {
    private static final Column COLUMN = new Column("anchor", binary(0, 255, 10));
    private static final ByteBuffer NO_TOKEN = ByteBuffer.allocate(0);

    private MemoryGateway gateway;
    private Dialled client;

    @BeforeEach
    void start() throws Exception {
        gateway = MemoryGateway.start(Protocol.COMPACT, MemoryGateway.IMPATIENT);
        client = Dialled.to(gateway.port());
    }

    @AfterEach
    void stop() {
        client.close();
        gateway.close();
    }

    @Test
    void tablesAreListedAsTheyAre() throws TException {
        assertThat(client.calls().listTables())
                .contains(new Table(
                                MemoryGateway.TABLE,
                                List.of(new Family("contents").setGarbage(GcRule.maxVersions(3)), new Family("anchor")))
                        .setDurability(Durability.SYNC)
                        .setGroups(List.of(new LocalityGroup("default")
                                .setBlockBytes(64 << 10)
                                .setCodec("lz4")
                                .setInMemory(false)
                                .setBloom(new Bloom().setBitsPerKey(10).setByColumn(false)))));
    }

    @Test
    void whatWasSetIsReadByteForByte() throws TException {
        long timestamp = set(binary(0, 255, 128), "a\0value".getBytes(StandardCharsets.UTF_8));

        Row row = client.calls().readRow(MemoryGateway.TABLE, binary(0, 255, 128), new Filter());

        assertThat(timestamp).isPositive();
        assertThat(row.bufferForKey()).isEqualTo(binary(0, 255, 128));
        assertThat(row.getCells())
                .containsExactly(
                        new Cell(COLUMN, timestamp, ByteBuffer.wrap("a\0value".getBytes(StandardCharsets.UTF_8))));
    }

    @Test
    void aRowThatIsNotThereHasNoCells() throws TException {
        assertThat(client.calls()
                        .readRow(MemoryGateway.TABLE, binary(1), new Filter())
                        .getCells())
                .isEmpty();
    }

    @Test
    void aDeletedRowIsGone() throws TException {
        set(binary(1), new byte[] {1});

        client.calls()
                .mutate(MemoryGateway.TABLE, new RowMutation(binary(1), List.of(Change.deleteRow(new DeleteRow()))));

        assertThat(client.calls()
                        .readRow(MemoryGateway.TABLE, binary(1), new Filter())
                        .getCells())
                .isEmpty();
    }

    @SeededTest(runs = 5)
    void pagesOfAnySizeAddUpToTheScan(RandomGenerator random) throws TException {
        TreeSet<Bytes> written = new TreeSet<>();
        for (int i = 0; i < 300; i++) {
            byte[] key = new byte[1 + random.nextInt(4)];
            random.nextBytes(key);
            written.add(Bytes.copyOf(key));
            set(ByteBuffer.wrap(key), new byte[random.nextInt(2_000)]);
        }

        Scan scan = new Scan().setPageRows(1 + random.nextInt(400)).setPageBytes(1 + random.nextInt(100_000));

        assertThat(scanned(scan)).containsExactlyElementsOf(written);
    }

    @Test
    void aPageEndsWithTheRowThatReachesItsBytes() throws TException {
        for (int i = 1; i < 10; i++) {
            set(binary(i), new byte[1_000]);
        }

        Page page = client.calls().scan(MemoryGateway.TABLE, new Scan().setPageBytes(2_500), NO_TOKEN);

        assertThat(page.getRows()).hasSize(3);
        assertThat(page.isSetResumeToken()).isTrue();
    }

    @Test
    void aPageNeverOutgrowsAFrame() throws TException {
        for (int i = 1; i < 10; i++) {
            set(binary(i), new byte[300_000]);
        }

        assertThat(scanned(new Scan().setPageBytes(4 << 20))).hasSize(9);
    }

    @Test
    void aRowThatNoFrameHoldsIsRejected() throws TException {
        for (int i = 0; i < 3; i++) {
            set(binary(1), new byte[400_000]);
        }

        BigtableError error = refusal(() -> client.calls().readRow(MemoryGateway.TABLE, binary(1), new Filter()));

        assertThat(error.getKind()).isEqualTo(ErrorKind.REJECTED);
        assertThat(error.getMessage()).contains("ask for fewer");
        assertThat(client.calls()
                        .readRow(MemoryGateway.TABLE, binary(1), new Filter().setFamilies(List.of("contents")))
                        .getCells())
                .isEmpty();
    }

    /** Of a row of gigabytes that would be the gateway's memory. */
    @Test
    void aRowThatNoFrameHoldsIsGivenUpBeforeItIsReadToItsEnd() throws TException {
        for (int i = 0; i < 20; i++) {
            set(binary(1), new byte[400_000]);
        }

        for (ThrowingCallable whole : List.<ThrowingCallable>of(
                () -> client.calls().readRow(MemoryGateway.TABLE, binary(1), new Filter()),
                () -> client.calls().scan(MemoryGateway.TABLE, new Scan(), NO_TOKEN))) {
            int before = scans();
            BigtableError error = refusal(whole);

            assertThat(error.getKind()).isEqualTo(ErrorKind.REJECTED);
            assertThat(error.getMessage())
                    .contains("row \\x01 takes at least")
                    .contains("have scanCells read it in parts");
            // Each brings one cell, two fit an answer.
            assertThat(scans() - before).isEqualTo(3);
        }
    }

    @Test
    void rowsBeforeOneThatNoFrameHoldsAreReadAndRowsBehindItToo() throws TException {
        set(binary(1), new byte[300_000]);
        for (int i = 0; i < 5; i++) {
            set(binary(2), new byte[400_000]);
        }
        set(binary(3), new byte[1]);

        Page before = client.calls().scan(MemoryGateway.TABLE, new Scan().setPageBytes(4 << 20), NO_TOKEN);
        BigtableError error =
                refusal(() -> client.calls().scan(MemoryGateway.TABLE, new Scan(), before.bufferForResumeToken()));

        assertThat(before.getRows()).extracting(Row::bufferForKey).containsExactly(binary(1));
        assertThat(error.getKind()).isEqualTo(ErrorKind.REJECTED);
        assertThat(scanned(new Scan().setStartRow(binary(2, 0)))).containsExactly(Bytes.hex("03"));
    }

    @Test
    void tabletsThatNoFrameHoldsAreRejected() throws Exception {
        List<Bytes> ends = new ArrayList<>();
        for (int i = 1; i <= 15; i++) {
            byte[] end = new byte[40_000];
            end[0] = (byte) i;
            ends.add(Bytes.wrap(end));
        }
        TableSchema draft =
                TableSchema.draft("wide").family("f", bt.model.GcRule.KEEP_ALL).build();
        gateway.cluster().table(5, draft, ends, 3);

        BigtableError error = refusal(() -> client.calls().tablets("wide"));

        assertThat(error.getKind()).isEqualTo(ErrorKind.REJECTED);
        assertThat(error.getMessage()).startsWith("table wide: its 16 tablets take 12009");
        assertThat(client.calls().tablets(MemoryGateway.TABLE)).hasSize(3);
    }

    @Test
    void tablesThatNoFrameHoldsAreRejected() throws Exception {
        assertThat(client.calls().listTables()).hasSize(1);
        for (int i = 0; i < 20; i++) {
            TableSchema.Builder draft = TableSchema.draft("wide" + i);
            for (int family = 0; family < 500; family++) {
                draft.family("f" + "x".repeat(59) + family, bt.model.GcRule.KEEP_ALL);
            }
            gateway.cluster().table(100 + i, draft.build(), List.of(), 3);
        }

        BigtableError error = refusal(() -> client.calls().listTables());

        assertThat(error.getKind()).isEqualTo(ErrorKind.REJECTED);
        assertThat(error.getMessage()).startsWith("the 21 tables of the cluster take ");
        assertThat(client.calls().tablets(MemoryGateway.TABLE)).hasSize(3);
    }

    @Test
    void anUnknownTableIsRejected() {
        BigtableError error = refusal(() -> client.calls().scan("nosuch", new Scan(), NO_TOKEN));

        assertThat(error.getKind()).isEqualTo(ErrorKind.REJECTED);
        assertThat(error.getOutcome()).isEqualTo(Outcome.NOT_APPLIED);
        assertThat(error.getMessage()).startsWith("table nosuch does not exist");
    }

    @Test
    void aCallWithoutArgumentsIsRejected() {
        assertThat(refusal(() -> client.calls().mutate(null, null)).getKind()).isEqualTo(ErrorKind.REJECTED);
        assertThat(refusal(() -> client.calls().readRow(null, null, null)).getKind())
                .isEqualTo(ErrorKind.REJECTED);
        assertThat(refusal(() -> client.calls().scan(null, null, null)).getKind())
                .isEqualTo(ErrorKind.REJECTED);
        assertThat(refusal(() -> client.calls().createTable(null, null)).getKind())
                .isEqualTo(ErrorKind.REJECTED);
    }

    @Test
    void callsBeyondTheLimitAreOverloaded() throws Exception {
        GatewayLimits one = new GatewayLimits(10, 1, 100, 1_000_000, 1_000_000, 60_000, 60_000, 60_000, 60);
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        try (MemoryGateway small = MemoryGateway.start(Protocol.COMPACT, one);
                Dialled first = Dialled.to(small.port());
                Dialled second = Dialled.to(small.port())) {
            small.cluster().fates((to, request) -> {
                asked.countDown();
                awaitUninterrupted(go);
                return Fate.DELIVERED;
            });
            first.calls().send_readRow(MemoryGateway.TABLE, binary(1), new Filter());
            asked.await();

            BigtableError error = refusal(() -> second.calls().listTables());

            assertThat(error.getKind()).isEqualTo(ErrorKind.OVERLOADED);
            assertThat(error.getRetryAfterMillis()).isPositive();
            go.countDown();
            assertThat(first.calls().recv_readRow().getCells()).isEmpty();
        }
    }

    /** Each of their looks takes a minute then. */
    @Test
    void whoWaitsWhileNoMasterAnswersHoldsUpNobody() throws Exception {
        GatewayLimits one = new GatewayLimits(10, 1, 100, 1_000_000, 1_000_000, 60_000, 60_000, 60_000, 60);
        try (MemoryGateway small = MemoryGateway.start(Protocol.COMPACT, one);
                Dialled waiting = Dialled.to(small.port());
                Dialled other = Dialled.to(small.port())) {
            waiting.calls().send_awaitOperation("flush/" + MemoryGateway.TABLE, 60_000);
            long end = System.nanoTime() + 2_000_000_000L;
            while (System.nanoTime() < end) {
                assertThat(other.calls()
                                .readRow(MemoryGateway.TABLE, binary(1), new Filter())
                                .getCells())
                        .isEmpty();
            }
            small.bigtable().close();
            BigtableError error = refusal(() -> waiting.calls().recv_awaitOperation());
            assertThat(error.getMessage()).contains("the client was closed");
        }
    }

    /** Far more than looks at single operations may be at work, for as many operations as there are tables. */
    @Test
    void howeverManyWaitWhileNoMasterAnswersNoneIsRefused() throws Exception {
        GatewayLimits one = new GatewayLimits(40, 1, 100, 1_000_000, 1_000_000, 60_000, 60_000, 60_000, 60);
        try (MemoryGateway small = MemoryGateway.start(Protocol.COMPACT, one)) {
            List<Dialled> waiting = new ArrayList<>();
            try {
                for (int i = 0; i < 20; i++) {
                    waiting.add(Dialled.to(small.port()));
                    waiting.get(i).calls().send_awaitOperation("flush/table" + i / 2, 60_000);
                }
                long end = System.nanoTime() + 2_000_000_000L;
                while (System.nanoTime() < end) {
                    for (Dialled each : waiting) {
                        assertThat(each.hasAnswer()).isFalse();
                    }
                    Thread.sleep(50);
                }
                small.bigtable().close();
                for (Dialled each : waiting) {
                    BigtableError error = refusal(() -> each.calls().recv_awaitOperation());
                    assertThat(error.getMessage()).contains("the client was closed");
                }
            } finally {
                waiting.forEach(Dialled::close);
            }
        }
    }

    /** Not after the minute that it takes to find out that there is none. */
    @Test
    void whoHasWaitedForAMasterInVainIsToldSoWhenTheTimeIsOver() throws Exception {
        GatewayLimits one = new GatewayLimits(10, 1, 100, 1_000_000, 1_000_000, 60_000, 60_000, 60_000, 60);
        try (MemoryGateway small = MemoryGateway.start(Protocol.COMPACT, one);
                Dialled waiting = Dialled.to(small.port())) {
            long began = System.nanoTime();
            BigtableError error = refusal(() -> waiting.calls().awaitOperation("flush/" + MemoryGateway.TABLE, 500));
            assertThat(error.getKind()).isEqualTo(ErrorKind.UNAVAILABLE);
            assertThat(error.getMessage())
                    .startsWith("operation flush/" + MemoryGateway.TABLE + ": no master has told how far it is");
            assertThat(Duration.ofNanos(System.nanoTime() - began))
                    .isBetween(Duration.ofMillis(500), Duration.ofSeconds(20));
        }
    }

    @Test
    void aCallAtWorkIsAnsweredBeforeTheGatewayEnds() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        gateway.cluster().fates((to, request) -> {
            asked.countDown();
            awaitUninterrupted(go);
            return Fate.DELIVERED;
        });
        client.calls().send_readRow(MemoryGateway.TABLE, binary(1), new Filter());
        asked.await();

        Thread ending = new Thread(gateway.gateway()::close);
        ending.start();
        ending.join(200);
        go.countDown();

        assertThat(client.calls().recv_readRow().getCells()).isEmpty();
        ending.join();
    }

    @Test
    void binaryIsSpokenWhereItIsAskedFor() throws Exception {
        try (MemoryGateway binary = MemoryGateway.start(Protocol.BINARY, MemoryGateway.IMPATIENT);
                Dialled dialled = Dialled.to(binary.port(), Protocol.BINARY)) {
            assertThat(dialled.calls().listTables()).isNotEmpty();
        }
    }

    private List<Bytes> scanned(Scan scan) throws TException {
        List<Bytes> rows = new ArrayList<>();
        ByteBuffer token = NO_TOKEN;
        while (true) {
            Page page = client.calls().scan(MemoryGateway.TABLE, scan, token);
            page.getRows().forEach(row -> rows.add(Bytes.copyOf(row.getKey())));
            if (!page.isSetResumeToken()) {
                return rows;
            }
            token = page.bufferForResumeToken();
        }
    }

    /** How many scans of tables the servers were asked. */
    private int scans() {
        return (int) gateway.cluster().server(3).asked().stream()
                .filter(request -> request instanceof Request.Scan)
                .count();
    }

    private long set(ByteBuffer row, byte[] value) throws TException {
        Change change = Change.setCell(new SetCell(COLUMN, ByteBuffer.wrap(value)));
        return client.calls().mutate(MemoryGateway.TABLE, new RowMutation(row, List.of(change)));
    }

    private static BigtableError refusal(ThrowingCallable call) {
        return catchThrowableOfType(BigtableError.class, call);
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    private static ByteBuffer binary(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return ByteBuffer.wrap(bytes);
    }
}
