package bt.thrift.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.model.Change.Append;
import bt.model.Change.Increment;
import bt.model.Change.SetCell;
import bt.model.ColumnKey;
import bt.model.GcRule;
import bt.model.Limits;
import bt.model.TableSchema;
import bt.testing.LimitCases;
import bt.thrift.gen.BigtableError;
import bt.thrift.gen.Cell;
import bt.thrift.gen.Change;
import bt.thrift.gen.Column;
import bt.thrift.gen.ConditionalMutation;
import bt.thrift.gen.ErrorKind;
import bt.thrift.gen.Family;
import bt.thrift.gen.Filter;
import bt.thrift.gen.Gateway;
import bt.thrift.gen.MutationResult;
import bt.thrift.gen.Operation;
import bt.thrift.gen.Page;
import bt.thrift.gen.Row;
import bt.thrift.gen.RowMutation;
import bt.thrift.gen.RowRange;
import bt.thrift.gen.Scan;
import bt.thrift.gen.ScanRows;
import bt.thrift.gen.Table;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.transport.TMemoryBuffer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What docs/guide/limits.md says is so through every call of the gateway that writes. */
class LimitsIT {
    private static GatewayCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = GatewayCluster.start();
        cluster.bigtable().admin().createTable(LimitCases.TABLE, List.of());
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void throughAMutation() throws Exception {
        LimitCases.check(
                LimitCases.smallWithGivenTimestamps(),
                mutation -> isTaken(
                        () -> cluster.calls().mutate("limits", new RowMutation(row(mutation), changes(mutation)))));
    }

    @Test
    void throughAConditionalMutation() throws Exception {
        LimitCases.check(
                LimitCases.smallWithGivenTimestamps(),
                mutation -> isTaken(() -> {
                    ConditionalMutation always = new ConditionalMutation(row(mutation))
                            .setPasses(changes(mutation))
                            .setOtherwise(changes(mutation));
                    cluster.calls().mutateIf("limits", always);
                }));
        // The branch that is not taken is judged, too.
        LimitCases.check(
                LimitCases.smallWithGivenTimestamps(),
                mutation -> isTaken(() -> {
                    ConditionalMutation never = new ConditionalMutation(row(mutation))
                            .setPredicate(new Filter().setText("qualifier=none & value='of no cell'"))
                            .setPasses(changes(mutation));
                    cluster.calls().mutateIf("limits", never);
                }));
    }

    @Test
    void throughSeveralMutations() throws Exception {
        LimitCases.check(
                LimitCases.smallWithGivenTimestamps(),
                mutation -> isTaken(() -> {
                    List<MutationResult> results = cluster.calls()
                            .mutateRows("limits", List.of(new RowMutation(row(mutation), changes(mutation))));
                    if (results.get(0).isSetError()) {
                        throw results.get(0).getError();
                    }
                }));
    }

    @Test
    void throughWhatAnswersValues() throws Exception {
        LimitCases.Door door = mutation -> isTaken(() -> {
            bt.model.RowMutation counting = LimitCases.counting(mutation);
            cluster.calls().modify("limits", new RowMutation(row(counting), changes(counting)));
        });
        LimitCases.check(LimitCases.smallWithGivenTimestamps(), door);
        LimitCases.check(LimitCases.many(), door);
    }

    @Test
    void splitRowsOfATable() throws Exception {
        LimitCases.checkSplits(
                "waited", (name, rows) -> isTaken(() -> cluster.calls().createTable(table(name), buffers(rows))));
        LimitCases.checkSplits(
                "begun",
                (name, rows) -> isTaken(() -> {
                    Operation unused = cluster.calls().startCreation(table(name), buffers(rows));
                }));
    }

    private static bt.thrift.gen.Table table(String name) {
        return new bt.thrift.gen.Table(name, List.of(new Family("f")));
    }

    private static List<ByteBuffer> buffers(List<Bytes> rows) {
        return rows.stream().map(Bytes::toBuffer).toList();
    }

    /** Of a client each, so that the numbers of their calls are equally long. */
    @Test
    void framesOfACall() throws Exception {
        LimitCases.checkFrames(frameBytes -> {
            try (Dialled own = Dialled.to(cluster.gateway().port())) {
                RowMutation mutation = ofFrame(frameBytes);
                boolean isTaken = isTaken(() -> own.calls().mutate("limits", mutation));
                // The same connection, whatever became of it.
                assertThat(own.calls().listTables()).isNotEmpty();
                return isTaken;
            }
        });
    }

    /** Whose call is so long. */
    private static RowMutation ofFrame(int frameBytes) throws TException {
        int beside = frameBytes(written(frameBytes / 2)) - frameBytes / 2;
        RowMutation mutation = written(frameBytes - beside);
        assertThat(frameBytes(mutation)).isEqualTo(frameBytes);
        return mutation;
    }

    private static RowMutation written(int valueBytes) {
        Column column = new Column("f", Bytes.utf8("framed").toBuffer());
        return new RowMutation(
                Bytes.utf8("r").toBuffer(),
                List.of(Change.setCell(new bt.thrift.gen.SetCell(column, ByteBuffer.allocate(valueBytes)))));
    }

    private static int frameBytes(RowMutation mutation) throws TException {
        TMemoryBuffer memory = new TMemoryBuffer(20 << 20);
        new Gateway.Client(new TCompactProtocol(memory)).send_mutate("limits", mutation);
        return memory.length();
    }

    /** Those that fit a frame. */
    @Test
    void ofManyChangesThroughEveryCall() throws Exception {
        LimitCases.check(
                LimitCases.many(),
                mutation -> isTaken(
                        () -> cluster.calls().mutate("limits", new RowMutation(row(mutation), changes(mutation)))));
        LimitCases.check(
                LimitCases.many(),
                mutation -> isTaken(() -> {
                    List<MutationResult> results = cluster.calls()
                            .mutateRows("limits", List.of(new RowMutation(row(mutation), changes(mutation))));
                    if (results.get(0).isSetError()) {
                        throw results.get(0).getError();
                    }
                }));
        for (String predicate : List.of("all", "qualifier=none & value='of no cell'")) {
            LimitCases.check(
                    LimitCases.many(),
                    mutation -> isTaken(() -> cluster.calls()
                            .mutateIf(
                                    "limits",
                                    new ConditionalMutation(row(mutation))
                                            .setPredicate(new Filter().setText(predicate))
                                            .setPasses(changes(mutation)))));
        }
    }

    @Test
    void aMillionColumnsOfARowAreWrittenAndRead() throws Exception {
        int columns = 10 * Limits.CHANGES_PER_MUTATION;
        for (int from = 0; from < columns; from += Limits.CHANGES_PER_MUTATION) {
            List<Change> some = new ArrayList<>();
            for (int i = from; i < from + Limits.CHANGES_PER_MUTATION; i++) {
                some.add(Change.setCell(new bt.thrift.gen.SetCell(
                                new Column("f", Bytes.utf8(wide(i)).toBuffer()), ByteBuffer.allocate(0))
                        .setTimestamp(1)));
            }
            cluster.calls().mutate("limits", new RowMutation(Bytes.utf8("wide").toBuffer(), some));
        }
        int read = 0;
        Scan scan = new Scan()
                .setRows(List.of(ScanRows.row(Bytes.utf8("wide").toBuffer())))
                .setPageBytes(4 << 20);
        ByteBuffer token = ByteBuffer.allocate(0);
        while (token != null) {
            Page page = cluster.calls().scanCells("limits", scan, token);
            for (Row part : page.getRows()) {
                for (Cell cell : part.getCells()) {
                    assertThat(cell.getColumn().getQualifier())
                            .asString(StandardCharsets.UTF_8)
                            .isEqualTo(wide(read));
                    read++;
                }
            }
            token = page.bufferForResumeToken();
        }
        assertThat(read).isEqualTo(columns);

        Filter last = new Filter().setText("skip_first(" + (columns - 1) + ")");
        assertThat(cluster.calls()
                        .readRow("limits", Bytes.utf8("wide").toBuffer(), last)
                        .getCells())
                .singleElement()
                .satisfies(cell -> assertThat(cell.getColumn().getQualifier())
                        .asString(StandardCharsets.UTF_8)
                        .isEqualTo(wide(columns - 1)));
        GatewayCluster.rejected(
                () -> cluster.calls().readRow("limits", Bytes.utf8("wide").toBuffer(), null), "scanCells");
    }

    private static String wide(int column) {
        return String.format("%07d", column);
    }

    @Test
    void readsOfManyRowsByTheirNames() throws Exception {
        for (bt.model.RowMutation mutation : LimitCases.rowsOfASet()) {
            cluster.bigtable().table("limits").apply(mutation);
        }
        LimitCases.checkSet(rows -> {
            List<Bytes> found = new ArrayList<>();
            ByteBuffer token = ByteBuffer.allocate(0);
            while (token != null) {
                Page page = cluster.calls().scan("limits", named(rows), token);
                page.getRows().forEach(row -> found.add(Bytes.wrap(row.getKey())));
                token = page.bufferForResumeToken();
            }
            return found;
        });
        LimitCases.checkSet(
                rows -> cluster
                        .calls()
                        .readRows("limits", rows.stream().map(Bytes::toBuffer).toList(), null)
                        .stream()
                        .filter(row -> !row.getCells().isEmpty())
                        .map(row -> Bytes.wrap(row.getKey()))
                        .toList());
        List<Bytes> tooMany = Collections.nCopies(100_001, Bytes.utf8("r"));
        GatewayCluster.rejected(
                () -> cluster.calls().scan("limits", named(tooMany), ByteBuffer.allocate(0)),
                "scan.rows has 100001 rows and ranges: at most 100000");
    }

    private static Scan named(List<Bytes> rows) {
        return new Scan()
                .setRows(rows.stream().map(row -> ScanRows.row(row.toBuffer())).toList());
    }

    @Test
    void readsOfOneRow() throws Exception {
        LimitCases.checkReads(row -> isTaken(() -> {
            cluster.calls().readRow("limits", row.toBuffer(), null);
        }));
        LimitCases.checkReads(row -> isTaken(() -> {
            cluster.calls().readRows("limits", List.of(row.toBuffer()), null);
        }));
        LimitCases.checkReads(row -> isTaken(() -> {
            cluster.calls().scan("limits", named(List.of(row, Bytes.utf8("other"))), ByteBuffer.allocate(0));
        }));
        LimitCases.checkReads(row -> isTaken(() -> {
            cluster.calls().scanCells("limits", named(List.of(row)), ByteBuffer.allocate(0));
        }));
    }

    /** The values are too long for a frame, and are made by the library. */
    @Test
    void appendsToWhatIsThere() throws Exception {
        LimitCases.check(LimitCases.appends(), append -> {
            prepare(append);
            return isTaken(() -> cluster.calls().mutate("limits", new RowMutation(row(append), changes(append))));
        });
        LimitCases.check(LimitCases.appends(), append -> {
            prepare(append);
            return isTaken(() -> cluster.calls()
                    .mutateIf("limits", new ConditionalMutation(row(append)).setPasses(changes(append))));
        });
    }

    private static void prepare(bt.model.RowMutation append) throws Exception {
        cluster.bigtable().table("limits").apply(LimitCases.before(append));
    }

    @Test
    void tablesOfManyFamilies() throws Exception {
        LimitCases.checkTables(
                "many",
                (name, families) -> isTaken(() -> cluster.calls()
                        .createTable(
                                new Table(
                                        name, families.stream().map(Family::new).toList()),
                                List.of())));
    }

    @Test
    void rowsWhoseTabletsAreMovedAndMerged() throws Exception {
        cluster.bigtable()
                .admin()
                .createTable(
                        TableSchema.draft("tablets")
                                .family("f", GcRule.KEEP_ALL)
                                .build(),
                        List.of(Bytes.utf8("m")));
        String server = cluster.calls().listServers().getServers().get(0).getAddress();
        LimitCases.checkMoves(row -> isTaken(() -> {
            cluster.calls().startMove("tablets", row.toBuffer(), server);
        }));
        LimitCases.checkMerges(rows -> isTaken(() -> {
            cluster.calls()
                    .startMerge("tablets", rows.first().toBuffer(), rows.last().toBuffer());
        }));
    }

    @Test
    void rowsBehindWhichTabletsAreSplit() throws Exception {
        cluster.bigtable()
                .admin()
                .createTable(
                        TableSchema.draft("split").family("f", GcRule.KEEP_ALL).build(), List.of());
        LimitCases.checkHandSplits(row -> isTaken(() -> {
            cluster.calls().startSplit("split", row.toBuffer());
        }));
    }

    @Test
    void rowsFromAndUpToWhichATableIsCompacted() throws Exception {
        cluster.bigtable()
                .admin()
                .createTable(
                        TableSchema.draft("compact")
                                .family("f", GcRule.KEEP_ALL)
                                .build(),
                        List.of());
        LimitCases.checkCompactions(rows -> isTaken(() -> {
            RowRange range = new RowRange();
            range.setStart(rows.start().toBuffer());
            rows.end().ifPresent(end -> range.setEnd(end.toBuffer()));
            cluster.calls().startCompaction("compact", range);
        }));
    }

    @Test
    void readsOfColumnsByTheirNames() throws Exception {
        ByteBuffer row = Bytes.utf8("r").toBuffer();
        LimitCases.checkColumns(column -> isTaken(() -> {
            cluster.calls().readRow("limits", row.duplicate(), new Filter().setColumns(List.of(column(column))));
        }));
        LimitCases.checkColumns(column -> isTaken(() -> {
            Filter text = new Filter().setText("column=" + column);
            cluster.calls().readRow("limits", row.duplicate(), text);
        }));
    }

    @Test
    void filters() throws Exception {
        ByteBuffer row = Bytes.utf8("r").toBuffer();
        LimitCases.checkFilters(text -> isTaken(() -> {
            cluster.calls().readRow("limits", row.duplicate(), new Filter().setText(text));
        }));
    }

    @Test
    void aFilterNestedTooDeepIsRejected() throws Exception {
        Filter deep = new Filter().setText("(".repeat(10_000) + "all" + ")".repeat(10_000));
        assertThat(isTaken(
                        () -> cluster.calls().readRow("limits", Bytes.utf8("r").toBuffer(), deep)))
                .isFalse();
        Scan scan = new Scan().setFilter(deep);
        assertThat(isTaken(() -> cluster.calls().scan("limits", scan, ByteBuffer.allocate(0))))
                .isFalse();
        assertThat(isTaken(() -> cluster.calls().scanCells("limits", scan, ByteBuffer.allocate(0))))
                .isFalse();
    }

    private static boolean isTaken(Write write) throws TException {
        try {
            write.run();
            return true;
        } catch (BigtableError refused) {
            assertThat(refused.getKind()).isEqualTo(ErrorKind.REJECTED);
            return LimitCases.refused(refused);
        }
    }

    private static ByteBuffer row(bt.model.RowMutation mutation) {
        return mutation.row().toBuffer();
    }

    private static List<Change> changes(bt.model.RowMutation mutation) {
        return mutation.changes().stream().map(LimitsIT::change).toList();
    }

    private static Change change(bt.model.Change change) {
        if (change instanceof Increment increment) {
            return Change.increment(new bt.thrift.gen.Increment(column(increment.column()), increment.amount()));
        }
        if (change instanceof Append append) {
            return Change.append(new bt.thrift.gen.Append(
                    column(append.column()), append.value().toBuffer()));
        }
        SetCell set = (SetCell) change;
        return Change.setCell(
                new bt.thrift.gen.SetCell(column(set.column()), set.value().toBuffer()).setTimestamp(set.timestamp()));
    }

    private static Column column(ColumnKey column) {
        return new Column(column.family(), column.qualifier().toBuffer());
    }

    /** A call that writes. */
    @FunctionalInterface
    private interface Write {
        void run() throws TException;
    }
}
