package bt.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.BigtableException.Kind;
import bt.base.ByteRange;
import bt.base.Bytes;
import bt.base.Messages;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.client.Admin;
import bt.client.AsyncScanner;
import bt.client.AsyncTable;
import bt.client.BatchWriter;
import bt.client.Bigtable;
import bt.client.CellScanner;
import bt.client.ClientOptions;
import bt.client.Scan;
import bt.client.Scanner;
import bt.client.Table;
import bt.client.Transaction;
import bt.client.Written;
import bt.command.ExitCode;
import bt.connect.Connect;
import bt.main.CommandLines.Result;
import bt.model.Cell;
import bt.model.Change;
import bt.model.Change.SetCell;
import bt.model.ColumnKey;
import bt.model.ConditionalMutation;
import bt.model.Filter;
import bt.model.FilterText;
import bt.model.GcRule;
import bt.model.Limits;
import bt.model.Row;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.RowSet;
import bt.model.TableSchema;
import bt.shell.transfer.CellFormat;
import bt.shell.transfer.CellWriter;
import bt.testing.LimitCases;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedOutputStream;
import java.io.OutputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What docs/guide/limits.md says is so, through every door of bt-core to a whole cluster. */
class LimitsIT {
    private static MiniBigtable cluster;
    private static Table table;

    @BeforeAll
    static void start() throws Exception {
        cluster = MiniBigtable.start();
        cluster.bigtable().admin().createTable(LimitCases.TABLE, List.of());
        table = cluster.bigtable().table("limits");
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void throughTheLibrary() throws Exception {
        LimitCases.check(LimitCases.small(), LimitsIT::applied);
        LimitCases.check(LimitCases.large(), LimitsIT::applied);
        assertThat(LimitCases.page())
                .hasSize(LimitCases.smallWithGivenTimestamps().size()
                        + LimitCases.large().size()
                        + LimitCases.reads().size()
                        + LimitCases.columns().size()
                        + LimitCases.filters().size()
                        + LimitCases.appends().size()
                        + LimitCases.moves().size()
                        + LimitCases.tables().size()
                        + LimitCases.merges().size()
                        + LimitCases.splits().size()
                        + LimitCases.handSplits().size()
                        + LimitCases.compactions().size()
                        + LimitCases.frames().size()
                        + 1);
    }

    @Test
    void splitRowsOfATable(@TempDir Path directory) throws Exception {
        Admin admin = cluster.bigtable().admin();
        LimitCases.checkSplits("waited", (name, rows) -> answered(() -> admin.createTable(draft(name), rows)));
        LimitCases.checkSplits("begun", (name, rows) -> answered(() -> admin.startCreation(draft(name), rows)));
        CommandLines bt = new CommandLines(cluster.at());
        LimitCases.checkSplits("typed", (name, rows) -> isDone(bt.run(words(List.of("create", name, "f"), rows))));
        LimitCases.checkSplits("applied", (name, rows) -> {
            Path file = directory.resolve(name + ".json");
            Files.writeString(file, "{\"table\": \"" + name + "\", \"families\": [{\"family\": \"f\"}]}");
            return isDone(bt.run(words(List.of("schema", "apply", file.toString(), "--yes"), rows)));
        });
    }

    private static TableSchema draft(String name) {
        return TableSchema.draft(name).family("f", GcRule.KEEP_ALL).build();
    }

    private static String[] words(List<String> command, List<Bytes> splitRows) {
        List<String> words = new ArrayList<>(command);
        splitRows.forEach(row -> words.addAll(List.of("--split", row.toString())));
        return words.toArray(String[]::new);
    }

    private static boolean isDone(Result result) {
        if (result.code() != ExitCode.REJECTED) {
            assertThat(result.code()).as(result.err()).isEqualTo(ExitCode.DONE);
        }
        return result.code() == ExitCode.DONE;
    }

    /** Of a cluster of its own: what all doors write is more than the memory of a test. */
    private interface AppendDoor {
        LimitCases.Door to(MiniBigtable own, Table appended);
    }

    /** What a row holds already counts: it is judged where the append is made, and nothing is written. */
    @Test
    void appendsToWhatIsThere() throws Exception {
        List<AppendDoor> doors = List.of(
                (own, appended) -> append -> answered(() -> appended.apply(append)),
                (own, appended) -> append -> answered(
                        () -> own.bigtable().asyncTable("limits").apply(append).get(60, TimeUnit.SECONDS)),
                (own, appended) ->
                        append -> isApplied(appended.applyAll(List.of(append)).get(0)),
                (own, appended) -> append -> answered(() -> appended.modify(append)),
                (own, appended) -> append -> answered(() -> appended.transact(append.row(), tx -> written(tx, append))),
                (own, appended) -> append -> isTaken(new CommandLines(own.at())
                        .run("append", "limits", append.row().toString(), "f:large", "v")));
        for (AppendDoor door : doors) {
            try (MiniBigtable own = MiniBigtable.start()) {
                own.bigtable().admin().createTable(LimitCases.TABLE, List.of());
                Table appended = own.bigtable().table("limits");
                LimitCases.check(LimitCases.appends(), append -> {
                    appended.apply(LimitCases.before(append));
                    return door.to(own, appended).write(append);
                });
            }
        }
    }

    @Test
    void readsOfOneRow() throws Exception {
        AsyncTable async = cluster.bigtable().asyncTable("limits");
        // It is known then where the rows are, so that the next is asked for at once.
        assertThat(async.read(Bytes.utf8("r")).get(60, TimeUnit.SECONDS)).isNotNull();
        CommandLines bt = new CommandLines(cluster.at());
        LimitCases.checkReads(row -> answered(() -> table.read(row)));
        LimitCases.checkReads(row -> answered(() -> table.read(row, FilterText.parse("latest(1)"))));
        LimitCases.checkReads(row -> answered(() -> async.read(row).get(60, TimeUnit.SECONDS)));
        LimitCases.checkReads(row -> answered(() -> first(Scan.of(RowSet.rows(List.of(row, Bytes.utf8("other")))))));
        LimitCases.checkReads(
                row -> answered(() -> first(Scan.of(RowRange.row(row)).reversed())));
        LimitCases.checkReads(row -> answered(() -> {
            try (CellScanner cells = table.cells(Scan.of(RowRange.row(row)))) {
                return cells.next();
            }
        }));
        LimitCases.checkReads(row -> answered(() -> table.transact(row, tx -> tx.read())));
        LimitCases.checkReads(row -> answered(() -> table.readAll(List.of(Bytes.utf8("other"), row))));
        LimitCases.checkReads(row -> answered(() -> table.exists(row)));
        LimitCases.checkReads(row -> answered(() -> table.cellPage(Scan.of(RowRange.row(row)), Optional.empty())));
        LimitCases.checkReads(row ->
                answered(() -> async.scan(Scan.of(RowRange.row(row))).next().get(60, TimeUnit.SECONDS)));
        LimitCases.checkReads(row ->
                answered(() -> async.cells(Scan.of(RowRange.row(row))).next().get(60, TimeUnit.SECONDS)));
        LimitCases.checkReads(row -> answered(() -> async.readAll(List.of(row)).get(60, TimeUnit.SECONDS)));
        LimitCases.checkReads(row -> isTaken(bt.run("get", "limits", row.toString())));
        LimitCases.checkReads(row -> isTaken(bt.run("scan", "limits", "--row", row.toString())));
        LimitCases.checkReads(row -> isTaken(bt.run("count", "limits", "--row", row.toString())));
    }

    @Test
    void readsOfManyRowsByTheirNames(@TempDir Path directory) throws Exception {
        for (RowMutation mutation : LimitCases.rowsOfASet()) {
            table.apply(mutation);
        }
        LimitCases.checkSet(rows -> keys(table.scan(Scan.of(RowSet.rows(rows)))));
        LimitCases.checkSet(rows -> {
            List<Bytes> downwards = keys(table.scan(Scan.of(RowSet.rows(rows)).reversed()));
            Collections.reverse(downwards);
            return downwards;
        });
        LimitCases.checkSet(rows -> {
            List<Bytes> found = new ArrayList<>();
            try (CellScanner cells = table.cells(Scan.of(RowSet.rows(rows)))) {
                for (Optional<Cell> cell = cells.next(); cell.isPresent(); cell = cells.next()) {
                    found.add(cell.get().row());
                }
            }
            return found;
        });
        LimitCases.checkSet(rows -> {
            List<Bytes> found = new ArrayList<>();
            AsyncScanner<Row> scanner = cluster.bigtable().asyncTable("limits").scan(Scan.of(RowSet.rows(rows)));
            for (List<Row> some = scanner.next().get(60, TimeUnit.SECONDS);
                    !some.isEmpty();
                    some = scanner.next().get(60, TimeUnit.SECONDS)) {
                some.forEach(row -> found.add(row.key()));
            }
            return found;
        });
        LimitCases.checkSet(rows -> keysOf(table.readAll(rows)));
        LimitCases.checkSet(rows ->
                keysOf(cluster.bigtable().asyncTable("limits").readAll(rows).get(60, TimeUnit.SECONDS)));
        CommandLines bt = new CommandLines(cluster.at());
        LimitCases.checkSet(rows -> {
            Path file = directory.resolve("rows");
            Files.write(file, rows.stream().map(Bytes::toString).toList());
            return bt.run("scan", "limits", "--rows", file.toString())
                    .out()
                    .lines()
                    .map(line -> Bytes.parse(line.substring(0, line.indexOf('\t'))))
                    .toList();
        });
    }

    private static List<Bytes> keysOf(List<Optional<Row>> rows) {
        return rows.stream().flatMap(Optional::stream).map(Row::key).toList();
    }

    private static List<Bytes> keys(Scanner rows) throws Exception {
        List<Bytes> keys = new ArrayList<>();
        try (rows) {
            for (Optional<Row> row = rows.next(); row.isPresent(); row = rows.next()) {
                keys.add(row.get().key());
            }
        }
        return keys;
    }

    /** What is longer is found by its family, or by a range, as the last lines show. */
    @Test
    void readsOfColumnsByTheirNames() throws Exception {
        AsyncTable async = cluster.bigtable().asyncTable("limits");
        CommandLines bt = new CommandLines(cluster.at());
        Bytes row = Bytes.utf8("r");
        RowMutation set = RowMutation.of("named").set("f", "q", "v").build();
        LimitCases.checkColumns(column -> answered(() -> table.read(row, named(column))));
        LimitCases.checkColumns(column -> answered(() -> first(Scan.row("r").columns(column))));
        LimitCases.checkColumns(
                column -> answered(() -> async.read(row, named(column)).get(60, TimeUnit.SECONDS)));
        LimitCases.checkColumns(column -> answered(() -> table.apply(ConditionalMutation.unless(named(column), set))));
        LimitCases.checkColumns(column -> answered(() -> table.transact(row, tx -> tx.value(column))));
        LimitCases.checkColumns(column -> answered(() -> table.increment(Bytes.utf8("counted"), column, 1)));
        LimitCases.checkColumns(column -> isTaken(bt.run("get", "limits", "r", column.toString())));
        LimitCases.checkColumns(column -> isTaken(bt.run("get", "limits", "r", "--filter", "column=" + column)));
        LimitCases.checkColumns(column -> isTaken(bt.run("increment", "limits", "counted", column.toString())));

        ColumnKey longest = new ColumnKey("f", Bytes.utf8("q".repeat(Limits.QUALIFIER_BYTES)));
        table.apply(RowMutation.of("long").set(longest, 1, Bytes.utf8("v")).build());
        Bytes written = Bytes.utf8("long");
        assertThat(table.read(written).orElseThrow().value(longest)).isPresent();
        Filter range = new Filter.Within(Filter.Part.QUALIFIER, new ByteRange(Bytes.utf8("qq"), Optional.empty()));
        assertThat(table.read(written, range).orElseThrow().value(longest)).isPresent();
        table.apply(RowMutation.of("long").deleteColumn(longest).build());
        assertThat(table.read(written)).isEmpty();
    }

    @Test
    void filters(@TempDir Path directory) throws Exception {
        AsyncTable async = cluster.bigtable().asyncTable("limits");
        CommandLines bt = new CommandLines(cluster.at());
        Bytes row = Bytes.utf8("r");
        RowMutation set = RowMutation.of("filtered").set("f", "q", "v").build();
        LimitCases.checkFilters(filter -> answered(() -> table.read(row, FilterText.parse(filter))));
        LimitCases.checkFilters(filter ->
                answered(() -> async.read(row, FilterText.parse(filter)).get(60, TimeUnit.SECONDS)));
        LimitCases.checkFilters(
                filter -> answered(() -> table.apply(ConditionalMutation.unless(FilterText.parse(filter), set))));
        // What it has read goes along with what it writes.
        LimitCases.checkFilters(filter -> answered(() -> table.transact(Bytes.utf8("filtered"), tx -> {
            Optional<Row> read = tx.read(FilterText.parse(filter));
            tx.set(ColumnKey.of("f", "q"), Bytes.utf8("v"));
            return read;
        })));
        LimitCases.checkFilters(filter -> isTaken(bt.run("get", "limits", "r", "--filter", filter)));
        LimitCases.checkFilters(filter -> isTaken(bt.run("scan", "limits", "--filter", filter)));
        LimitCases.checkFilters(filter -> isTaken(bt.run("count", "limits", "--filter", filter)));
        LimitCases.checkFilters(filter -> isTaken(
                bt.run("export", "limits", directory.resolve("cells.csv").toString(), "--filter", filter)));
        LimitCases.checkFilters(filter -> isTaken(bt.run("put", "limits", "filtered", "f:q", "v", "--unless", filter)));
    }

    /** Its tablets are two, and one pair of rows lies in both: what has no end is never done. */
    @Test
    void rowsWhoseTabletsAreMovedAndMerged() throws Exception {
        Admin admin = cluster.bigtable().admin();
        admin.createTable(
                TableSchema.draft("tablets").family("f", GcRule.KEEP_ALL).build(), List.of(Bytes.utf8("m")));
        String server = admin.clusterStatus().servers().get(0).address();
        CommandLines bt = new CommandLines(cluster.at());
        LimitCases.checkMoves(row -> isDone(() -> admin.moveTablet("tablets", row, server)));
        LimitCases.checkMoves(row -> isDone(() -> admin.startMove("tablets", row, server)));
        LimitCases.checkMoves(row -> isTaken(bt.run("move", "tablets", row.toString(), server)));
        LimitCases.checkMerges(rows -> isDone(() -> admin.mergeTablets("tablets", rows.first(), rows.last())));
        LimitCases.checkMerges(rows -> isDone(() -> admin.startMerge("tablets", rows.first(), rows.last())));
        LimitCases.checkMerges(rows -> isTaken(
                bt.run("merge", "tablets", rows.first().toString(), rows.last().toString())));
    }

    @Test
    void rowsBehindWhichTabletsAreSplit() throws Exception {
        Admin admin = cluster.bigtable().admin();
        CommandLines bt = new CommandLines(cluster.at());
        for (String name : List.of("waited-for", "begun-alone", "by-shell")) {
            admin.createTable(draft(name), List.of());
        }
        LimitCases.checkHandSplits(row -> isDone(() -> admin.splitTablet("waited-for", row)));
        assertThat(cluster.bigtable().table("waited-for").tablets()).hasSize(2);
        LimitCases.checkHandSplits(row -> isDone(() -> admin.startSplit("begun-alone", row)));
        LimitCases.checkHandSplits(row -> isTaken(bt.run("split", "by-shell", row.toString())));
        assertThat(cluster.bigtable().table("by-shell").tablets()).hasSize(2);
    }

    @Test
    void rowsFromAndUpToWhichATableIsCompacted() throws Exception {
        Admin admin = cluster.bigtable().admin();
        CommandLines bt = new CommandLines(cluster.at());
        admin.createTable(draft("compacted"), List.of());
        LimitCases.checkCompactions(rows -> isDone(() -> admin.startCompaction("compacted", rows)));
        LimitCases.checkCompactions(rows -> {
            List<String> words = new ArrayList<>(List.of("compact", "compacted"));
            if (!rows.start().isEmpty()) {
                words.addAll(List.of("--from", rows.start().toString()));
            }
            rows.end().ifPresent(end -> words.addAll(List.of("--to", end.toString())));
            return isTaken(bt.run(words.toArray(new String[0])));
        });
    }

    /** Somebody's call to whom nothing, or nothing of interest here, is answered. */
    @FunctionalInterface
    private interface Call {
        void run() throws BigtableException;
    }

    private static boolean isDone(Call call) throws BigtableException {
        try {
            call.run();
            return true;
        } catch (RejectedException refused) {
            assertThat(refused.outcome()).isEqualTo(BigtableException.Outcome.NOT_APPLIED);
            return LimitCases.refused(refused);
        }
    }

    /** Whether a command has done what it was asked for, or found nothing to do it with. */
    private static boolean isTaken(Result command) {
        assertThat(command.code()).as(command.err()).isIn(ExitCode.DONE, ExitCode.NOTHING_FOUND, ExitCode.REJECTED);
        return command.code() != ExitCode.REJECTED;
    }

    private static Filter named(ColumnKey column) {
        return new Filter.Columns(List.of(column));
    }

    /** A walk downwards ends at the lowest row there can be, and does not ask for the one below it. */
    @Test
    void theRowOfOneByte00IsReadFromAbove() throws Exception {
        table.apply(RowMutation.of(Bytes.hex("00")).set("f", "q", "v").build());
        table.apply(RowMutation.of(Bytes.hex("0000")).set("f", "q", "v").build());
        Scan downwards = Scan.of(RowRange.before(Bytes.hex("01"))).reversed().pages(1, 1 << 20);
        assertThat(keys(table.scan(downwards))).endsWith(Bytes.hex("0000"), Bytes.hex("00"));
    }

    private static Optional<Row> first(Scan scan) throws Exception {
        try (Scanner scanner = table.scan(scan)) {
            return scanner.next();
        }
    }

    private static boolean answered(Callable<?> read) throws Exception {
        try {
            assertThat(read.call()).isNotNull();
            return true;
        } catch (RejectedException | IllegalArgumentException refused) {
            return LimitCases.refused(refused);
        } catch (ExecutionException failed) {
            assertThat(failed).hasCauseInstanceOf(RejectedException.class);
            return LimitCases.refused(failed);
        }
    }

    @Test
    void throughFutures() throws Exception {
        AsyncTable async = cluster.bigtable().asyncTable("limits");
        LimitCases.Door door = mutation -> {
            CompletableFuture<Long> write = async.apply(mutation);
            try {
                return write.get(60, TimeUnit.SECONDS) >= 0;
            } catch (ExecutionException failed) {
                assertThat(failed).hasCauseInstanceOf(RejectedException.class);
                return LimitCases.refused(failed);
            }
        };
        LimitCases.check(LimitCases.small(), door);
        LimitCases.check(LimitCases.large(), door);
    }

    @Test
    void throughABatch() throws Exception {
        LimitCases.Door door = mutation -> {
            try (BatchWriter batch = table.batch()) {
                batch.add(mutation);
                batch.flush();
                return true;
            } catch (RejectedException refused) {
                return LimitCases.refused(refused);
            }
        };
        LimitCases.check(LimitCases.small(), door);
        LimitCases.check(LimitCases.large(), door);
    }

    /** Each by itself, whatever stands beside it. */
    @Test
    void togetherWithAnother() throws Exception {
        AsyncTable async = cluster.bigtable().asyncTable("limits");
        RowMutation other = RowMutation.of("other").set("f", "q", "v").build();
        LimitCases.Door door = mutation -> isApplied(table.applyAll(List.of(mutation, other)));
        LimitCases.check(LimitCases.small(), door);
        LimitCases.check(LimitCases.large(), door);
        LimitCases.check(
                LimitCases.small(),
                mutation -> isApplied(async.applyAll(List.of(mutation, other)).get(60, TimeUnit.SECONDS)));
    }

    private static boolean isApplied(List<Written> results) {
        assertThat(results).hasSize(2);
        assertThat(results.get(1).failure()).isEmpty();
        return isApplied(results.get(0));
    }

    private static boolean isApplied(Written written) {
        Optional<BigtableException> failure = written.failure();
        failure.ifPresent(why -> assertThat(why.kind()).isEqualTo(Kind.REJECTED));
        return failure.isEmpty();
    }

    @Test
    void asWhatAnswersValues() throws Exception {
        AsyncTable async = cluster.bigtable().asyncTable("limits");
        LimitCases.Door door = mutation -> answered(() -> table.modify(LimitCases.counting(mutation)));
        LimitCases.check(LimitCases.small(), door);
        LimitCases.check(LimitCases.large(), door);
        LimitCases.check(
                LimitCases.small(),
                mutation -> answered(
                        () -> async.modify(LimitCases.counting(mutation)).get(60, TimeUnit.SECONDS)));
    }

    @Test
    void asWhatATransactionWrites() throws Exception {
        AsyncTable async = cluster.bigtable().asyncTable("limits");
        LimitCases.Door blindly =
                mutation -> answered(() -> table.transact(mutation.row(), tx -> written(tx, mutation)));
        LimitCases.check(LimitCases.small(), blindly);
        LimitCases.check(LimitCases.large(), blindly);
        LimitCases.check(
                LimitCases.small(),
                mutation -> answered(() -> table.transact(mutation.row(), tx -> {
                    Optional<Bytes> unused = tx.value(ColumnKey.of("f", "read"));
                    return written(tx, mutation);
                })));
        LimitCases.check(
                LimitCases.small(),
                mutation -> answered(() -> async.transact(mutation.row(), tx -> written(tx, mutation))
                        .get(60, TimeUnit.SECONDS)));
    }

    private static boolean written(Transaction tx, RowMutation mutation) {
        mutation.changes().forEach(tx::change);
        return true;
    }

    @Test
    void throughTheShell() throws Exception {
        CommandLines bt = new CommandLines(cluster.at());
        LimitCases.check(LimitCases.smallWithGivenTimestamps(), mutation -> {
            SetCell set = (SetCell) mutation.changes().get(0);
            Result result = bt.run(
                    "put",
                    "--timestamp=" + set.timestamp(),
                    "limits",
                    mutation.row().toString(),
                    words(set.column()),
                    set.value().toString());
            assertThat(result.code()).isIn(ExitCode.DONE, ExitCode.REJECTED);
            return result.code() == ExitCode.DONE;
        });
    }

    /** The others, of which none takes a timestamp for what it writes. */
    @ParameterizedTest
    @ValueSource(strings = {"delete", "increment", "append", "modify"})
    void throughEachCommandOfTheShellThatWrites(String command) throws Exception {
        String name = "by-" + command;
        cluster.bigtable()
                .admin()
                .createTable(
                        TableSchema.draft(name).family("f", GcRule.KEEP_ALL).build(), List.of());
        CommandLines bt = new CommandLines(cluster.at());
        Map<String, RowMutation> cases = LimitCases.small();
        cases.keySet().removeIf(each -> each.startsWith("the timestamp "));
        LimitCases.Door door = mutation -> {
            Change change = mutation.changes().get(0);
            String column = words(
                    change instanceof SetCell set
                            ? set.column()
                            : change.changed().orElseThrow());
            List<String> line =
                    new ArrayList<>(List.of(command, name, mutation.row().toString()));
            line.addAll(
                    switch (command) {
                        case "append" -> List.of(column, "");
                        case "modify" -> List.of("--set", column, "", "--increment", "f:counted", "1");
                        default -> List.of(column);
                    });
            Result result = bt.run(line.toArray(String[]::new));
            assertThat(result.code()).as(result.err()).isIn(ExitCode.DONE, ExitCode.REJECTED);
            return result.code() == ExitCode.DONE;
        };
        if (Set.of("increment", "append").contains(command)) {
            // Those read the column first, by its name.
            cases.remove("a qualifier of 65,536 bytes");
            Map<String, RowMutation> named = LimitCases.many();
            named.keySet().removeIf(each -> !each.startsWith("an " + command + " "));
            assertThat(named).hasSize(2);
            LimitCases.check(named, door);
        }
        LimitCases.check(cases, door);
    }

    /** What is not carried out is judged as well. */
    @Test
    void asTheBranchThatIsNotTaken() throws Exception {
        // Of a column that is not there: the rows have larger values by now than a condition may look at.
        Filter never = FilterText.parse("qualifier=none & value='of no cell'");
        AsyncTable async = cluster.bigtable().asyncTable("limits");
        LimitCases.Door ifItHolds = mutation -> answered(() -> table.apply(ConditionalMutation.when(never, mutation)));
        LimitCases.check(LimitCases.small(), ifItHolds);
        LimitCases.check(LimitCases.large(), ifItHolds);
        LimitCases.check(
                LimitCases.small(),
                mutation -> answered(() ->
                        async.apply(ConditionalMutation.when(never, mutation)).get(60, TimeUnit.SECONDS)));
        LimitCases.check(
                LimitCases.small(),
                mutation -> answered(() -> {
                    RowMutation deletion =
                            RowMutation.of(mutation.row()).deleteRow().build();
                    return table.apply(
                            ConditionalMutation.unless(never, deletion).otherwise(mutation));
                }));
        CommandLines bt = new CommandLines(cluster.at());
        LimitCases.check(LimitCases.smallWithGivenTimestamps(), mutation -> {
            SetCell set = (SetCell) mutation.changes().get(0);
            String column = words(set.column());
            String at = "--timestamp=" + set.timestamp();
            Result result = bt.run(
                    "put",
                    at,
                    "--if=qualifier=none & value='of no cell'",
                    "limits",
                    mutation.row().toString(),
                    column,
                    "v");
            assertThat(result.code()).isIn(ExitCode.NOTHING_FOUND, ExitCode.REJECTED);
            return result.code() != ExitCode.REJECTED;
        });
    }

    @ParameterizedTest
    @EnumSource
    void throughAFileThatIsImported(CellFormat format, @TempDir Path directory) throws Exception {
        CommandLines bt = new CommandLines(cluster.at());
        Path file = directory.resolve("cells." + format.name().toLowerCase(Locale.ROOT));
        LimitCases.check(LimitCases.smallWithGivenTimestamps(), mutation -> {
            SetCell set = (SetCell) mutation.changes().get(0);
            try (CellWriter cells = format.writer(Files.newOutputStream(file))) {
                cells.write(new Cell(mutation.row(), set.column(), set.timestamp(), set.value()));
            }
            Result result = bt.run("import", "limits", file.toString());
            assertThat(result.code()).isIn(ExitCode.DONE, ExitCode.REJECTED);
            return result.code() == ExitCode.DONE;
        });
    }

    /** Its columns are named on the command line, all else stands in the file. */
    @Test
    void throughAFileOfAnybodysThatIsImported(@TempDir Path directory) throws Exception {
        CommandLines bt = new CommandLines(cluster.at());
        Path file = directory.resolve("anybodys.csv");
        LimitCases.check(LimitCases.smallWithGivenTimestamps(), mutation -> {
            SetCell set = (SetCell) mutation.changes().get(0);
            Files.writeString(file, "id,at,v\n" + mutation.row() + "," + set.timestamp() + ",\"\"\n");
            assertThat(set.value()).as("a field of two quotes").isEqualTo(Bytes.EMPTY);
            Result result = bt.run(
                    "import",
                    "limits",
                    file.toString(),
                    "--key=id",
                    "--columns=v=" + words(set.column()),
                    "--timestamp=at");
            assertThat(result.code()).as(result.err()).isIn(ExitCode.DONE, ExitCode.REJECTED);
            return result.code() == ExitCode.DONE;
        });
        LimitCases.check(LimitCases.values(), mutation -> {
            SetCell set = (SetCell) mutation.changes().get(0);
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
                out.write("id,v\nanybodys,".getBytes(StandardCharsets.UTF_8));
                out.write(set.value().toArray());
                out.write('\n');
            }
            return isTaken(JavaProcess.bt(
                    directory,
                    1024,
                    "--at",
                    cluster.at(),
                    "import",
                    "limits",
                    "" + file,
                    "--key=id",
                    "--columns=v=f:large"));
        });
        assertThat(table.read(Bytes.utf8("anybodys"))
                        .orElseThrow()
                        .value(ColumnKey.of("f", "large"))
                        .orElseThrow())
                .matches(value -> value.length() == Limits.VALUE_BYTES);
    }

    /** In processes of their own, for here are the servers, which have copies of each value too. */
    @ParameterizedTest
    @EnumSource
    void valuesThroughAFileThatIsImported(CellFormat format, @TempDir Path directory) throws Exception {
        Path file = directory.resolve("values." + format.name().toLowerCase(Locale.ROOT));
        LimitCases.check(LimitCases.values(), mutation -> {
            SetCell set = (SetCell) mutation.changes().get(0);
            try (CellWriter cells = format.writer(Files.newOutputStream(file))) {
                cells.write(new Cell(mutation.row(), set.column(), set.timestamp(), set.value()));
            }
            return isTaken(JavaProcess.bt(directory, 1024, "--at", cluster.at(), "import", "limits", "" + file));
        });
    }

    @Test
    void valuesThroughAPipeIntoTheShell(@TempDir Path directory) throws Exception {
        Path lines = directory.resolve("lines");
        LimitCases.check(LimitCases.values(), mutation -> {
            SetCell set = (SetCell) mutation.changes().get(0);
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(lines))) {
                out.write("put limits piped f:large --timestamp=1 ".getBytes(StandardCharsets.UTF_8));
                out.write(set.value().toArray());
                out.write('\n');
            }
            return isTaken(JavaProcess.bt(directory, 1024, lines, "--at", cluster.at(), "shell"));
        });
        ColumnKey column = ColumnKey.of("f", "large");
        assertThat(table.read(Bytes.utf8("piped")).orElseThrow().value(column).orElseThrow())
                .matches(value -> value.length() == Limits.VALUE_BYTES);
    }

    /** A line there has no bound that these come to, as one of an operating system has. */
    @Test
    void manyChangesThroughAPipeIntoTheShell(@TempDir Path directory) throws Exception {
        Path lines = directory.resolve("lines");
        LimitCases.check(LimitCases.many(), mutation -> {
            try (Writer out = Files.newBufferedWriter(lines)) {
                out.write("modify limits " + mutation.row());
                for (Change change : mutation.changes()) {
                    out.write(wordsOfModify(change));
                }
                out.write("\n");
            }
            return isTaken(JavaProcess.bt(directory, 1024, lines, "--at", cluster.at(), "shell"));
        });
        Row many = table.read(Bytes.utf8("many")).orElseThrow();
        assertThat(many.value(ColumnKey.of("f", "q" + (Limits.CHANGES_PER_MUTATION - 1))))
                .hasValue(Bytes.EMPTY);
        assertThat(many.value(ColumnKey.of("f", "q" + Limits.CHANGES_PER_MUTATION)))
                .isEmpty();
    }

    private static String wordsOfModify(Change change) {
        return switch (change.kind()) {
            case SET_CELL -> {
                SetCell set = (SetCell) change;
                yield " --set " + words(set.column()) + " '" + set.value() + "'";
            }
            case INCREMENT -> {
                Change.Increment increment = (Change.Increment) change;
                yield " --increment " + words(increment.column()) + " " + increment.amount();
            }
            case APPEND -> {
                Change.Append append = (Change.Append) change;
                yield " --append " + words(append.column()) + " " + append.value();
            }
            case DELETE_ROW, DELETE_FAMILY, DELETE_COLUMN, DELETE_VERSIONS, DELETE_VERSION ->
                throw new AssertionError(change);
        };
    }

    private static boolean isTaken(JavaProcess command) throws Exception {
        try (command) {
            int code = command.awaitEnd();
            assertThat(code).as(command.output()).isIn(ExitCode.DONE, ExitCode.REJECTED);
            assertThat(command.output().contains("bt: REJECTED: ")).isEqualTo(code == ExitCode.REJECTED);
            return code == ExitCode.DONE;
        }
    }

    @Test
    void aMillionColumnsOfARowAreWrittenAndRead(@TempDir Path directory) throws Exception {
        int columns = 10 * Limits.CHANGES_PER_MUTATION;
        for (int from = 0; from < columns; from += Limits.CHANGES_PER_MUTATION) {
            RowMutation.Builder mutation = RowMutation.of("wide");
            for (int i = from; i < from + Limits.CHANGES_PER_MUTATION; i++) {
                mutation.set(ColumnKey.of("f", sevenDigits(i)), 1, Bytes.EMPTY);
            }
            table.apply(mutation.build());
        }
        assertThat(columnsRead()).isEqualTo(columns);
        cluster.bigtable().admin().compactTable("limits");
        assertThat(columnsRead()).isEqualTo(columns);

        Path file = directory.resolve("wide.csv");
        CommandLines bt = new CommandLines(cluster.at());
        assertThat(bt.run("export", "limits", file.toString(), "--prefix", "wide")
                        .code())
                .isEqualTo(ExitCode.DONE);
        try (Stream<String> lines = Files.lines(file)) {
            assertThat(lines.filter(line -> line.startsWith("wide,"))).hasSize(columns);
        }
        assertThat(bt.run("get", "limits", "wide", "--filter", "skip_first(" + (columns - 1) + ")")
                        .out())
                .isEqualTo(String.format("wide\tf:%07d\t1\t%n", columns - 1));
        assertThat(bt.run("get", "limits", "wide", "f:0500000").out()).isEqualTo("wide\tf:0500000\t1\t\n");
    }

    private static int columnsRead() throws Exception {
        int read = 0;
        try (CellScanner cells = table.cells(Scan.row("wide"))) {
            for (Optional<Cell> cell = cells.next(); cell.isPresent(); cell = cells.next()) {
                assertThat(cell.get().column().qualifier().toUtf8()).isEqualTo(sevenDigits(read));
                read++;
            }
        }
        return read;
    }

    /** As {@code %07d}, which is looked up in a locale each time: of three million that is half of the test. */
    private static String sevenDigits(int number) {
        return Integer.toString(10_000_000 + number).substring(1);
    }

    /** An engine that backtracks would try more ways than there are atoms. */
    @Test
    void aRegularExpressionTakesNoLongerThanItsSteps() throws Exception {
        table.apply(
                RowMutation.of("regex").set("f", "q", "a".repeat(100_000) + "b").build());
        assertThat(Duration.ofNanos(nanosOf("value~'(a+)+c'"))).isLessThan(Duration.ofSeconds(30));
        assertThat(Duration.ofNanos(nanosOf("value~'(a|aa)+c'"))).isLessThan(Duration.ofSeconds(30));
    }

    @Test
    void aFilterNestedTooDeepIsRefusedByWhoeverMakesIt() throws Exception {
        List<Filter> made = new ArrayList<>(List.of(Filter.ALL));
        assertThatThrownBy(() -> {
                    for (int depth = 0; depth < 10_000; depth++) {
                        // A chain in a chain is one chain.
                        Filter chain = new Filter.Chain(List.of(made.get(depth), Filter.ALL));
                        made.add(new Filter.Interleave(List.of(chain, Filter.NONE)));
                    }
                })
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("deeper than " + Limits.FILTER_DEPTH);
        assertThat(made).hasSizeLessThanOrEqualTo(Limits.FILTER_DEPTH);
        String text = "(".repeat(10_000) + "all" + ")".repeat(10_000);
        assertThatThrownBy(() -> FilterText.parse(text)).isInstanceOf(FilterText.Malformed.class);
        Result result = new CommandLines(cluster.at()).run("get", "limits", "r", "--filter", text);
        assertThat(result.code()).isEqualTo(ExitCode.REJECTED);
    }

    @Test
    void aNameThatIsNotPrintableIsNamedByItsBytes() throws Exception {
        String name = "f\u001b[31m\nq";
        String printed = "f\\x1b[31m\\x0aq";
        RowMutation mutation = RowMutation.of("r").set(name, "q", "v").build();
        assertThatThrownBy(() -> table.apply(mutation))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("table limits has no family " + printed + ": it has f");
        assertThatThrownBy(() -> cluster.bigtable().table(name))
                .hasMessageStartingWith("table " + printed + " does not exist");
        assertThatThrownBy(() -> cluster.bigtable().admin().dropTable(name))
                .hasMessageStartingWith("table " + printed + " does not exist");
        CommandLines bt = new CommandLines(cluster.at());
        assertThat(bt.run("put", "limits", "r", name + ":q", "v").err())
                .contains("has no family " + printed)
                .hasLineCount(1);
        assertThat(bt.run("get", "limits", "r", "--" + name).err()).doesNotContain("\u001b");
        assertThat(bt.run("get", name, "r").err()).contains("table " + printed).doesNotContain("\u001b");
    }

    /** One line on a terminal, which does nothing to it. */
    @ParameterizedTest
    @ValueSource(strings = {"f\u0001", "\u001b[31m", "f\n", ""})
    void aFamilyIsNotMadeOfWhatIsNotPrintable(String family, @TempDir Path directory) throws Exception {
        String wrong = "family name \"" + Messages.name(family) + "\": letters, digits";
        Admin admin = cluster.bigtable().admin();
        assertThatThrownBy(() -> admin.createTable(
                        TableSchema.draft("odd").family(family, GcRule.KEEP_ALL).build(), List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(wrong);
        assertThatThrownBy(() -> admin.alterTable(
                        "limits",
                        now -> now.change().addFamily(family, GcRule.KEEP_ALL).build()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(wrong);
        CommandLines bt = new CommandLines(cluster.at());
        Path file = Files.writeString(
                directory.resolve("odd.json"),
                new ObjectMapper()
                        .writeValueAsString(Map.of("table", "odd", "families", List.of(Map.of("family", family)))));
        for (Result refused : List.of(
                bt.run("create", "odd", family),
                bt.run("alter", "limits", "--add", family),
                bt.run("schema", "apply", file.toString(), "--yes"))) {
            assertThat(refused.code()).as(refused.err()).isEqualTo(ExitCode.REJECTED);
            assertThat(refused.out()).isEmpty();
            // A word of a command that is empty is taken for one that was forgotten.
            assertThat(refused.err()).containsAnyOf(wrong, " is empty, ").hasLineCount(1);
            assertThat(refused.err().strip()).matches("\\P{Cntrl}+");
        }
        assertThat(admin.table("odd")).isEmpty();
        assertThat(admin.table("limits").orElseThrow().families()).hasSize(1);
    }

    /** What answers values reads all that it changes: `apply` does not. */
    @Test
    void whatAModificationReadsFillsAHundredFilters() throws Exception {
        int most = columnsOfAHundredFilters();
        Map<Integer, Boolean> taken = new TreeMap<>();
        for (int columns : new int[] {most, most + 1}) {
            RowMutation.Builder counting = RowMutation.of("columns");
            for (int i = 0; i < columns; i++) {
                counting.increment(ColumnKey.of("f", String.format("%0500d", i)), 1);
            }
            taken.put(columns - most, answered(() -> table.modify(counting.build())));
            if (columns > most) {
                assertThat(table.apply(counting.build())).isPositive();
            }
        }
        assertThat(taken).isEqualTo(Map.of(0, true, 1, false));
    }

    private static int columnsOfAHundredFilters() {
        ColumnKey column = ColumnKey.of("f", "0".repeat(500));
        return 100
                * Filter.Columns.portions(Collections.nCopies(1_000, column))
                        .get(0)
                        .size();
    }

    @Test
    void aRefusalNamesTableAndRow() throws Exception {
        table.apply(RowMutation.of("no count").set("f", "q", "five.").build());
        assertThatThrownBy(() -> table.increment(Bytes.utf8("no count"), ColumnKey.of("f", "q"), 1))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("table limits row no count: a value of 5 bytes is no counter");
        assertThatThrownBy(() ->
                        table.apply(RowMutation.of(Bytes.EMPTY).deleteRow().build()))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("table limits: a row key is not empty: give it 1 to 65536 bytes");
        AsyncTable async = cluster.bigtable().asyncTable("limits");
        for (int bytes : new int[] {0, Limits.ROW_BYTES + 1}) {
            Bytes row = Bytes.wrap(new byte[bytes]);
            String refused = "table limits: a row key of " + bytes + " bytes: name one of 1 to 65536 bytes";
            for (Callable<?> read : List.<Callable<?>>of(
                    () -> table.read(row),
                    () -> table.readAll(List.of(Bytes.utf8("r"), row)),
                    () -> first(Scan.of(RowRange.row(row))),
                    () -> table.transact(row, Transaction::read))) {
                assertThatThrownBy(read::call)
                        .isInstanceOf(RejectedException.class)
                        .hasMessage(refused);
            }
            assertThat(async.read(row))
                    .failsWithin(Duration.ofSeconds(60))
                    .withThrowableOfType(ExecutionException.class)
                    .havingCause()
                    .isInstanceOf(RejectedException.class)
                    .withMessage(refused);
        }
        CommandLines bt = new CommandLines(cluster.at());
        assertThat(bt.run("import", "limits", "nosuch.csv").err())
                .contains("nosuch.csv: there is no such file: name a file of cells that can be read");
        assertThat(bt.run("create", "none", "web:versions=0").err()).contains("family web:versions=0: at least one");
    }

    /** A cluster of which nobody answers any more. */
    @Test
    void whatNobodyAnswersSaysWhatToDo() throws Exception {
        MiniBigtable silent = MiniBigtable.start();
        silent.bigtable().admin().createTable(LimitCases.TABLE, List.of());
        ClientOptions impatient = ClientOptions.DEFAULT.operationTimeout(Duration.ofSeconds(3));
        try (Bigtable client = Connect.to(silent.at(), impatient)) {
            Table asked = client.table("limits");
            assertThat(asked.read(Bytes.utf8("r"))).isEmpty();
            silent.close();
            assertThatThrownBy(() -> asked.read(Bytes.utf8("r")))
                    .isInstanceOf(UnavailableException.class)
                    .hasMessageStartingWith("table limits")
                    .hasMessageEndingWith(
                            "): try again later; if it stays so, see which servers live and what is damaged");
            RowMutation late = RowMutation.of("r").set("f", "q", "v").build();
            assertThatThrownBy(() -> asked.apply(late))
                    .isInstanceOf(UnavailableException.class)
                    .hasMessageStartingWith("table limits row r: ")
                    .hasMessageEndingWith(
                            "): try again later; if it stays so, see which servers live and what is damaged");
        }
    }

    private static boolean applied(RowMutation mutation) throws Exception {
        try {
            return table.apply(mutation) >= 0;
        } catch (RejectedException refused) {
            return LimitCases.refused(refused);
        }
    }

    /** As it is typed: a family as it is, for there is no other way to write its name. */
    private static String words(ColumnKey column) {
        return column.family() + ":" + column.qualifier();
    }

    private static long nanosOf(String filter) throws Exception {
        long begun = System.nanoTime();
        assertThat(table.read(Bytes.utf8("regex"), FilterText.parse(filter))).isEmpty();
        return System.nanoTime() - begun;
    }
}
