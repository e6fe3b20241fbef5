package bt.thrift.gateway;

import static bt.thrift.gateway.GatewayCluster.rejected;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import bt.base.Bytes;
import bt.client.BatchWriter;
import bt.model.ColumnKey;
import bt.thrift.gen.BigtableError;
import bt.thrift.gen.Change;
import bt.thrift.gen.Column;
import bt.thrift.gen.DeleteVersion;
import bt.thrift.gen.DeleteVersions;
import bt.thrift.gen.ErrorKind;
import bt.thrift.gen.Family;
import bt.thrift.gen.Filter;
import bt.thrift.gen.GcRule;
import bt.thrift.gen.Page;
import bt.thrift.gen.Row;
import bt.thrift.gen.RowMutation;
import bt.thrift.gen.Scan;
import bt.thrift.gen.SetCell;
import bt.thrift.gen.Table;
import bt.thrift.gen.TimeRange;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.thrift.TException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** All calls, from a Thrift client through a gateway to a whole cluster. */
class GatewayIT {
    private static final ByteBuffer NO_TOKEN = ByteBuffer.allocate(0);
    private static final Column COLUMN = new Column("anchor", text("cnnsi.com"));

    private static GatewayCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = GatewayCluster.start();
        cluster.calls()
                .createTable(
                        new Table(
                                "web",
                                List.of(
                                        new Family("contents").setGarbage(GcRule.maxVersions(3)),
                                        new Family("anchor"))),
                        List.of(text("m"), binary(0xc0)));
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void aCreatedTableIsListedAndHasItsTablets() throws Exception {
        assertThat(cluster.calls().listTables()).extracting(Table::getName).contains("web");
        assertThat(cluster.bigtable().table("web").tablets()).hasSize(3);
    }

    @Test
    void aTableIsCreatedOnce() {
        BigtableError error = refusal(
                () -> cluster.calls().createTable(new Table("web", List.of(new Family("contents"))), List.of()));

        assertThat(error.getKind()).isEqualTo(ErrorKind.REJECTED);
        assertThat(error.getMessage()).contains("web");
    }

    @Test
    void rowsQualifiersAndValuesMayBeAnyBytes() throws TException {
        Column any = new Column("anchor", binary(0, 255, 10));
        set(binary(0, 255), any, binary(0, 128, 255), 7);

        Row row = cluster.calls().readRow("web", binary(0, 255), new Filter());

        assertThat(row.bufferForKey()).isEqualTo(binary(0, 255));
        assertThat(row.getCells()).singleElement().satisfies(cell -> {
            assertThat(cell.getColumn()).isEqualTo(any);
            assertThat(cell.getTimestamp()).isEqualTo(7);
            assertThat(cell.bufferForValue()).isEqualTo(binary(0, 128, 255));
        });
    }

    @Test
    void filtersRunWhereTheCellsAre() throws TException {
        for (int timestamp = 1; timestamp <= 4; timestamp++) {
            set(text("filtered"), COLUMN, text("v" + timestamp), timestamp);
        }
        set(text("filtered"), new Column("contents", text("")), text("page"), 9);

        assertThat(values("filtered", new Filter().setVersions(2))).containsExactly("page", "v4", "v3");
        assertThat(values("filtered", new Filter().setFamilies(List.of("contents"))))
                .containsExactly("page");
        assertThat(values("filtered", new Filter().setTimes(new TimeRange(2, 4)).setColumns(List.of(COLUMN))))
                .containsExactly("v3", "v2");
    }

    @Test
    void deletionsHideWhatTheySay() throws TException {
        for (int timestamp = 1; timestamp <= 6; timestamp++) {
            set(text("deleted"), COLUMN, text("v" + timestamp), timestamp);
        }
        mutate(text("deleted"), Change.deleteVersion(new DeleteVersion(COLUMN, 6)));
        assertThat(values("deleted", new Filter())).containsExactly("v5", "v4", "v3", "v2", "v1");
        mutate(text("deleted"), Change.deleteVersions(new DeleteVersions(COLUMN, 2, 4)));
        assertThat(values("deleted", new Filter())).containsExactly("v5", "v1");
        mutate(text("deleted"), Change.deleteColumn(COLUMN));
        assertThat(values("deleted", new Filter())).isEmpty();
        set(text("deleted"), COLUMN, text("again"), 1);
        mutate(text("deleted"), Change.deleteFamily("anchor"));
        assertThat(values("deleted", new Filter())).isEmpty();
    }

    @Test
    void aLargeTableIsPagedThroughWholeAndInOrder() throws Exception {
        cluster.calls()
                .createTable(new Table("large", List.of(new Family("f"))), List.of(text("row02500"), text("row05000")));
        List<String> written = new ArrayList<>();
        try (BatchWriter batch = cluster.bigtable().table("large").batch()) {
            for (int i = 0; i < 8_000; i++) {
                String row = String.format("row%05d", i);
                written.add(row);
                batch.add(bt.model.RowMutation.of(row)
                        .set(ColumnKey.of("f", "q"), Bytes.wrap(new byte[1_000]))
                        .build());
            }
        }

        List<String> read = new ArrayList<>();
        int pages = 0;
        ByteBuffer token = NO_TOKEN;
        Page page;
        do {
            page = cluster.calls().scan("large", new Scan().setPageRows(700), token);
            page.getRows().forEach(row -> read.add(new String(row.getKey(), UTF_8)));
            token = page.bufferForResumeToken();
            pages++;
        } while (page.isSetResumeToken());

        assertThat(read).isEqualTo(written);
        assertThat(pages).isGreaterThanOrEqualTo(8_000 / 700);
    }

    @Test
    void unknownTableAndFamilyAreRejectedAndNothingIsApplied() {
        rejected(() -> cluster.calls().readRow("nosuch", text("r"), new Filter()), "nosuch");
        rejected(() -> set(text("r"), new Column("nosuch", text("q")), text("v"), 1), "nosuch");
        rejected(
                () -> cluster.calls().readRow("web", text("r"), new Filter().setFamilies(List.of("nosuch"))), "nosuch");
    }

    @Test
    void keysBeyondTheirBoundsAreRejected() {
        rejected(() -> set(ByteBuffer.allocate(70_000), COLUMN, text("v"), 1), "70000");
        rejected(() -> set(NO_TOKEN, COLUMN, text("v"), 1), "");
        rejected(() -> cluster.calls().readRow("web", NO_TOKEN, new Filter()), "row is empty");
    }

    private static BigtableError refusal(ThrowingCallable call) {
        return catchThrowableOfType(BigtableError.class, call);
    }

    private static List<String> values(String row, Filter filter) throws TException {
        return cluster.calls().readRow("web", text(row), filter).getCells().stream()
                .map(cell -> new String(cell.getValue(), UTF_8))
                .toList();
    }

    private static void set(ByteBuffer row, Column column, ByteBuffer value, long timestamp) throws TException {
        mutate(row, Change.setCell(new SetCell(column, value).setTimestamp(timestamp)));
    }

    private static void mutate(ByteBuffer row, Change change) throws TException {
        cluster.calls().mutate("web", new RowMutation(row, List.of(change)));
    }

    private static ByteBuffer text(String text) {
        return ByteBuffer.wrap(text.getBytes(UTF_8));
    }

    private static ByteBuffer binary(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return ByteBuffer.wrap(bytes);
    }
}
