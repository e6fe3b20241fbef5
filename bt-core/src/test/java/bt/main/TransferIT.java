package bt.main;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.client.BatchWriter;
import bt.client.Scan;
import bt.client.Scanner;
import bt.command.ExitCode;
import bt.main.CommandLines.Result;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.model.GcRule;
import bt.model.Row;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.shell.transfer.CellFormat;
import bt.shell.transfer.CellWriter;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code bt export}, {@code bt import} and {@code bt count} at a whole cluster. */
class TransferIT {
    private static final int ROWS = 300;

    private static MiniBigtable cluster;
    private static CommandLines bt;

    @TempDir
    private Path directory;

    @BeforeAll
    static void start() throws Exception {
        cluster = MiniBigtable.start();
        bt = new CommandLines(cluster.at());
        create("source");
        Random random = new Random(5);
        try (BatchWriter batch = cluster.bigtable().table("source").batch()) {
            for (int row = 0; row < ROWS; row++) {
                batch.add(mutation(bytes(random, 1 + random.nextInt(20)), random));
            }
        }
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void aRowThatIsLargerThanMemoryIsExported() throws Exception {
        create("large");
        Bytes value = Bytes.wrap(new byte[1 << 20]);
        for (int i = 0; i < 80; i++) {
            cluster.bigtable()
                    .table("large")
                    .apply(RowMutation.of("r")
                            .set(ColumnKey.of("f", "q" + i), value)
                            .build());
        }
        Path file = directory.resolve("large.avro");
        try (JavaProcess export = JavaProcess.bt(directory, 64, "--at", cluster.at(), "export", "large", "" + file)) {
            assertThat(export.awaitEnd()).as(export.output()).isEqualTo(ExitCode.DONE);
            assertThat(export.output()).contains("80 cells of table large");
        }
    }

    /** Of zeros, each of which is four characters: it takes a while. */
    @Test
    void anExportThatIsToldToEndLeavesNothing() throws Exception {
        create("ended");
        Bytes value = Bytes.wrap(new byte[1 << 20]);
        for (int i = 0; i < 60; i++) {
            cluster.bigtable()
                    .table("ended")
                    .apply(RowMutation.of("r" + i)
                            .set(ColumnKey.of("f", ""), value)
                            .build());
        }
        Path file = directory.resolve("ended.csv");
        Path part = directory.resolve("ended.csv.part");
        try (JavaProcess export = JavaProcess.bt(directory, "--at", cluster.at(), "export", "ended", "" + file)) {
            Awaitility.await()
                    .pollInterval(Duration.ofMillis(2))
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> Files.exists(part));
            export.terminate();
            export.awaitEnd();
            assertThat(export.output()).contains(part + " is removed, for it was not finished");
        }
        assertThat(part).doesNotExist();
        assertThat(file).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"csv", "avro"})
    void whatIsExportedAndImportedIsTheSameToTheByte(String format) throws Exception {
        String file = directory.resolve("cells." + format).toString();
        create("target-" + format);
        assertThat(bt.run("export", "source", file).code()).isZero();
        assertThat(bt.run("import", "target-" + format, file).code()).isZero();
        assertThat(rows("target-" + format)).isEqualTo(rows("source")).hasSize(ROWS);
        // Again: a cell with its timestamp is the same cell.
        assertThat(bt.run("import", "target-" + format, file).code()).isZero();
        assertThat(rows("target-" + format)).isEqualTo(rows("source"));
        assertThat(directory).isDirectoryNotContaining("glob:**.part");
    }

    @Test
    void whatAFilterLetsPassIsExportedAsOfATime() throws Exception {
        create("filtered");
        cluster.bigtable()
                .table("filtered")
                .apply(RowMutation.of("r")
                        .set(ColumnKey.of("f", "a"), 5, Bytes.utf8("v5"))
                        .set(ColumnKey.of("f", "a"), 4, Bytes.utf8("v4"))
                        .set(ColumnKey.of("f", "a"), 3, Bytes.utf8("v3"))
                        .set(ColumnKey.of("f", "b"), 4, Bytes.utf8("w4"))
                        .build());
        String names = "row,family,qualifier,timestamp,value\n";
        assertThat(exported("--filter", "qualifier=a")).isEqualTo(names + "r,f,a,5,v5\nr,f,a,4,v4\nr,f,a,3,v3\n");
        assertThat(exported("--as-of", "4")).isEqualTo(names + "r,f,a,4,v4\nr,f,b,4,w4\n");
        assertThat(exported("--as-of", "4", "--versions", "2", "--filter", "value~'v.*'"))
                .isEqualTo(names + "r,f,a,4,v4\nr,f,a,3,v3\n");
        Result wrong = bt.run("export", "filtered", directory + "/wrong.csv", "--filter", "qualifier~'(a'");
        assertThat(wrong.code()).isEqualTo(ExitCode.REJECTED);
        assertThat(wrong.err()).contains("qualifier~'(a'\n           ^\n");
        assertThat(directory.resolve("wrong.csv")).doesNotExist();
    }

    private String exported(String... options) throws Exception {
        Path file = directory.resolve("filtered.csv");
        List<String> words = new ArrayList<>(List.of("export", "filtered", file.toString()));
        words.addAll(List.of(options));
        assertThat(bt.run(words.toArray(String[]::new)).code()).isZero();
        return Files.readString(file).replace("\r\n", "\n");
    }

    @Test
    void serversGiveTheTimestampsOfAnImportThatAsksForThat() throws Exception {
        assertThat(bt.run("create", "stamped", "f:timestamps=server").code()).isEqualTo(ExitCode.DONE);
        Path file = Files.writeString(
                directory.resolve("cells.csv"),
                "row,family,qualifier,timestamp,value\na,f,q,2,new\na,f,q,1,old\na,f,r,5,x\nb,f,q,7,y\n");
        assertThat(bt.run("import", "stamped", file.toString()).code()).isEqualTo(ExitCode.REJECTED);
        assertThat(bt.run("import", "stamped", file.toString(), "--server-time").err())
                .contains("3 cells of ");
        List<Row> rows = rows("stamped");
        assertThat(rows)
                .flatExtracting(Row::cells)
                .extracting(cell -> cell.row() + " " + cell.column() + " " + cell.value())
                .containsExactly("a f:q new", "a f:r x", "b f:q y");
        assertThat(rows).flatExtracting(Row::cells).allMatch(cell -> cell.timestamp() > 1_000_000_000_000_000L);
    }

    @Test
    void aBadLineEndsTheImportWithItsPlaceAndWhatStandsBeforeIsWritten() throws Exception {
        create("stopped");
        Path file = Files.writeString(
                directory.resolve("cells.csv"), "row,family,qualifier,value\na,f,q,1\nb,nosuch,q,2\nc,f,q,3\n");
        Result result = bt.run("import", "stopped", file.toString());
        assertThat(result.code()).isEqualTo(ExitCode.REJECTED);
        assertThat(result.err()).contains(file + ", line 3: table stopped has no family nosuch");
        assertThat(bt.run("count", "stopped").out()).isEqualTo("1\n");
    }

    @Test
    void badLinesAreSetAsideAndCanBeImportedOnceCorrected() throws Exception {
        create("aside");
        Path file = Files.writeString(
                directory.resolve("cells.csv"),
                "row,family,qualifier,timestamp,value\na,f,q,1,x\nb,f,q,soon,2\nc,f,q\nd,f,q,4,\\xZZ\ne,f,q,5,x\n");
        Path bad = directory.resolve("bad.csv");
        Result result = bt.run("import", "aside", file.toString(), "--bad", bad.toString());
        assertThat(result.code()).isEqualTo(ExitCode.NOTHING_FOUND);
        assertThat(result.err())
                .contains(
                        "line 3: column timestamp: \"soon\" is no whole number",
                        "line 4: 3 fields",
                        "line 5: column value: a backslash begins \\\\ or \\xNN, not so at character 1",
                        "3 lines are");
        assertThat(Files.readAllLines(bad))
                .containsExactly("row,family,qualifier,timestamp,value", "b,f,q,soon,2", "c,f,q", "d,f,q,4,\\xZZ");
        Files.writeString(bad, "row,family,qualifier,timestamp,value\nb,f,q,2,2\nc,f,q,3,3\nd,f,q,4,\\xff\n");
        assertThat(bt.run("import", "aside", bad.toString()).code()).isZero();
        assertThat(bt.run("--json", "count", "aside").out()).isEqualTo("{\"rows\":5}\n");
    }

    @Test
    void aFileOfAnybodysColumnsIsImported() throws Exception {
        create("people");
        Path file = Files.writeString(
                directory.resolve("people.csv"),
                String.join(
                        "\r\n",
                        "\uFEFFage,name,\"note, or path\",id,unused",
                        "41,\"Ada \"\"A.\"\" L\",C:\\temp\\new,k1,x",
                        "7,Zo\u00e9,\"two",
                        "lines, all of one field\",k\\2,",
                        ",,\"\",k3,",
                        ",,,k4,\"\""));
        String columns = "name=f:name,age=g:,note\\x2c or path=f:note";
        Result result = bt.run("import", "people", "" + file, "--key", "id", "--columns", columns, "--raw");
        assertThat(result.code()).as(result.err()).isEqualTo(ExitCode.DONE);
        assertThat(result.err()).isEqualTo("7 cells of " + file + " are in table people\n");
        assertThat(cells("people"))
                .containsExactly(
                        "k1 f:name Ada \"A.\" L",
                        "k1 f:note C:\\temp\\new",
                        "k1 g: 41",
                        "k3 f:note ",
                        "k\\2 f:name Zo\u00e9",
                        "k\\2 f:note two\r\nlines, all of one field",
                        "k\\2 g: 7");
    }

    @Test
    void withoutRawBackslashesAreEscapesAndTimestampsHaveAColumn() throws Exception {
        create("stamped-rows");
        Path file = Files.writeString(
                directory.resolve("rows.csv"),
                "id,v,at\na\\x00,\\\\,7\na\\x00,\\xff,8\nb,w,\n",
                StandardCharsets.UTF_8);
        String[] words = {"import", "stamped-rows", "" + file, "--key", "id", "--columns", "v=f:q", "--timestamp", "at"
        };
        assertThat(bt.run(words).code()).isEqualTo(ExitCode.DONE);
        assertThat(bt.run("get", "stamped-rows", "a\\x00", "--versions", "9").out())
                .isEqualTo("a\\x00\tf:q\t8\t\\xff\na\\x00\tf:q\t7\t\\\\\n");
        assertThat(rows("stamped-rows").get(1).cells().get(0).timestamp()).isGreaterThan(1_000_000_000_000_000L);
    }

    @Test
    void anExportWithFieldsOverLinesIsImportedToo() throws Exception {
        create("lines");
        Path file = Files.writeString(
                directory.resolve("lines.csv"),
                "\uFEFFrow,family,qualifier,timestamp,value\na,f,q,1,\"one\nand two\"\nb,f,\\,2,\\x41\n");
        assertThat(bt.run("import", "lines", "" + file).err())
                .contains(file + ", line 4: column qualifier: a backslash begins");
        assertThat(bt.run("import", "lines", "" + file, "--raw").code()).isEqualTo(ExitCode.DONE);
        assertThat(cells("lines")).containsExactly("a f:q one\nand two", "b f:\\ \\x41");
    }

    /** File, line and column. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a,1,C:\\temp|line 2: column name: a backslash begins \\\\ or \\xNN, not so at character 3; --raw takes",
                "a,1,\"x!\\y\"|lines 2 to 3: column name: a backslash begins",
                "a,1,\"x!y\",z|lines 2 to 3: 4 fields, the first line names 3",
                "\"a!b\",1,\"x\"y|lines 2 to 3: line 3, character 9: a comma or the line's end comes",
                "a,1,\"x!y!b,2,z|lines 2 to 4: line 2, character 5: the quote that begins here is not closed",
                "a,1,x\"|line 2: character 6: a field with a quote stands in quotes",
                "a,1,x!,2,y|line 3: column id: the row key is empty",
                "a,soon,x|line 2: column at: \"soon\" is no whole number",
                "a,-9223372036854775808,x|line 2: column at: ",
            })
    void whatIsWrongInAFileIsNamedByLineAndColumn(String records, String said) throws Exception {
        create("wrong");
        try {
            Path file = Files.writeString(directory.resolve("wrong.csv"), "id,at,name\n" + records.replace('!', '\n'));
            Result result =
                    bt.run("import", "wrong", "" + file, "--key", "id", "--columns", "name=f:q", "--timestamp", "at");
            assertThat(result.code()).isEqualTo(ExitCode.REJECTED);
            assertThat(result.err())
                    .startsWith("bt: REJECTED: " + file + ", " + said)
                    .hasLineCount(1);
        } finally {
            cluster.bigtable().admin().dropTable("wrong");
        }
    }

    @Test
    void aRecordOfSeveralColumnsIsSetAsideWhole() throws Exception {
        create("whole");
        Path file =
                Files.writeString(directory.resolve("whole.csv"), "id,a,b\r\nk1,1,2\r\nk2,3,\"\\\r\n4\"\r\nk3,5,6\r\n");
        Path bad = directory.resolve("aside.csv");
        String[] words = {"import", "whole", "" + file, "--key", "id", "--columns", "a=f:a,b=g:b", "--bad", "" + bad};
        Result result = bt.run(words);
        assertThat(result.code()).isEqualTo(ExitCode.NOTHING_FOUND);
        assertThat(result.err()).contains("lines 3 to 4: column b: a backslash begins");
        assertThat(cells("whole")).containsExactly("k1 f:a 1", "k1 g:b 2", "k3 f:a 5", "k3 g:b 6");
        assertThat(Files.readString(bad)).isEqualTo("id,a,b\nk2,3,\"\\\r\n4\"\n");
        words[2] = "" + bad;
        words[words.length - 2] = "--raw";
        assertThat(bt.run(Arrays.copyOf(words, words.length - 1)).code()).isEqualTo(ExitCode.DONE);
        assertThat(cells("whole")).contains("k2 f:a 3", "k2 g:b \\\r\n4").hasSize(6);
    }

    /** A log of somebody's, say: each line of a key is a version, the last the newest. */
    @Test
    void linesOfOneKeyThatServersGiveTimestampsAreVersions() throws Exception {
        create("again");
        Path file = Files.writeString(directory.resolve("again.csv"), "id,a,b\nk,1,x\nk,2,\nk,3,y\nm,4,z\n");
        Result result = bt.run("import", "again", "" + file, "--key", "id", "--columns", "a=f:a,b=g:b");
        assertThat(result.code()).isEqualTo(ExitCode.DONE);
        assertThat(cells("again"))
                .containsExactly("k f:a 3", "k f:a 2", "k f:a 1", "k g:b y", "k g:b x", "m f:a 4", "m g:b z");
    }

    /** With a column of timestamps and without, with one column of the table and with two. */
    @ParameterizedTest
    @ValueSource(strings = {"--columns a=f:a", "--columns a=f:a --timestamp at", "--columns at=f:at,a=f:a"})
    void theyStayVersionsWhereServersAreToGiveTheTimestamps(String options) throws Exception {
        create("stay");
        try {
            Path file = Files.writeString(directory.resolve("stay.csv"), "id,at,a\nk,9,1\nk,8,2\nk,7,3\nm,6,4\n");
            List<String> words = new ArrayList<>(List.of("import", "stay", "" + file, "--key", "id", "--server-time"));
            words.addAll(List.of(options.split(" ", -1)));
            Result result = bt.run(words.toArray(String[]::new));
            assertThat(result.code()).as(result.err()).isEqualTo(ExitCode.DONE);
            assertThat(cells("stay").stream().filter(cell -> cell.contains(" f:a ")))
                    .containsExactly("k f:a 3", "k f:a 2", "k f:a 1", "m f:a 4");
        } finally {
            cluster.bigtable().admin().dropTable("stay");
        }
    }

    /** There is nothing else that could have been meant: no timestamp says which is the newest. */
    @Test
    void linesOfAnExportWithoutTimestampsAreVersionsToo() throws Exception {
        create("untimed");
        Path file = Files.writeString(
                directory.resolve("untimed.csv"),
                "row,family,qualifier,timestamp,value\nk,f,a,,1\nk,f,a,,2\nk,f,b,7,3\nk,f,b,6,4\n");
        assertThat(bt.run("import", "untimed", "" + file, "--server-time").code())
                .isEqualTo(ExitCode.DONE);
        assertThat(cells("untimed")).containsExactly("k f:a 2", "k f:a 1", "k f:b 3");
    }

    @Test
    void wordsThatDoNotFitTheFileOrTheTableAreRefused() throws Exception {
        Path file = Files.writeString(directory.resolve("fit.csv"), "id,a,a,b\nk,1,2,3\n");
        Path avro = Files.writeString(directory.resolve("fit.avro"), "");
        assertThat(refused("" + file, "--key", "id")).contains("--key and --columns go together");
        assertThat(refused("" + file, "--columns", "b=f:q")).contains("--key and --columns go together");
        assertThat(refused("" + file, "--timestamp", "b")).contains("--key and --columns go together");
        assertThat(refused("" + avro, "--raw")).contains("are of CSV: leave them out for AVRO");
        assertThat(refused("" + file, "--key", "id", "--columns", "b=f")).contains("\"f\" is not family:qualifier");
        assertThat(refused("" + file, "--key", "id", "--columns", "f:q")).contains("is not name=family:qualifier");
        assertThat(refused("" + file, "--key", "id", "--columns", "id=f:q,b=f:q"))
                .contains("f:q is given the values of two columns");
        assertThat(refused("" + file, "--key", "id", "--columns", "b=nosuch:q"))
                .contains("--columns: table source has no family nosuch: add it");
        assertThat(refused("" + file, "--key", "id", "--columns", "c=f:q"))
                .contains(file + ", line 1 has no column c: it names id,a,a,b");
        assertThat(refused("" + file, "--key", "id", "--columns", "a=f:q"))
                .contains(file + ", line 1 has several columns a: it names id,a,a,b");
        assertThat(refused("" + file)).contains("say what others are with --key and --columns");
    }

    @Test
    void bytesThatAreNoUtf8AreNamedByTheirLine() throws Exception {
        Path file = Files.write(
                directory.resolve("latin.csv"), new byte[] {'i', 'd', ',', 'a', '\n', 'k', ',', (byte) 0xe9});
        assertThat(refused("" + file, "--key", "id", "--columns", "a=f:q"))
                .contains(file + ", line 2: bytes that are no UTF-8", "what stands before it is written");
    }

    @Test
    void aLineWithBytesThatAreNoUtf8IsSetAsideAsItStands() throws Exception {
        create("latins");
        byte[] cells = "row,family,qualifier,value\na,f,q,1\nb,f,q,\u00e9\nc,f,q,3\n".getBytes(ISO_8859_1);
        Path file = Files.write(directory.resolve("latin.csv"), cells);
        Path bad = directory.resolve("bad-latin.csv");
        Result result = bt.run("import", "latins", "" + file, "--bad", "" + bad);
        assertThat(result.code()).isEqualTo(ExitCode.NOTHING_FOUND);
        assertThat(result.err()).contains(file + ", line 3: bytes that are no UTF-8", "1 line is no cells");
        assertThat(Files.readAllLines(bad, ISO_8859_1)).containsExactly("row,family,qualifier,value", "b,f,q,\u00e9");
        assertThat(bt.run("count", "latins").out()).isEqualTo("2\n");
    }

    /** It is cut off, as by a full disk. */
    @Test
    void aFileThatCannotBeReadToItsEndIsToldWithThePlaceAndWhatStandsBeforeIsWritten() throws Exception {
        create("cut");
        Path file = directory.resolve("cut.avro");
        try (CellWriter cells = CellFormat.AVRO.writer(Files.newOutputStream(file))) {
            for (int i = 0; i < 3_000; i++) {
                byte[] value = new byte[100];
                new Random(i).nextBytes(value);
                cells.write(new Cell(Bytes.utf8("r" + i), ColumnKey.of("f", "q"), 1, Bytes.wrap(value)));
            }
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(channel.size() / 2);
        }
        Result result = bt.run("import", "cut", "" + file);
        assertThat(result.code()).isEqualTo(ExitCode.REJECTED);
        assertThat(result.err())
                .containsPattern("cut.avro, record [1-9]\\d\\d+: ")
                .contains("; what stands before it is written: correct the file and import it again");
        int record = Integer.parseInt(result.err().replaceAll("(?s).*record (\\d+).*", "$1"));
        assertThat(bt.run("count", "cut").out()).isEqualTo((record - 1) + "\n");
    }

    private static String refused(String... words) {
        Result result = bt.run(
                Stream.concat(Stream.of("import", "source"), Stream.of(words)).toArray(String[]::new));
        assertThat(result.code()).isEqualTo(ExitCode.REJECTED);
        assertThat(result.err()).startsWith("bt: REJECTED: ").hasLineCount(1);
        return result.err();
    }

    private static List<String> cells(String table) throws Exception {
        return rows(table).stream()
                .flatMap(row -> row.cells().stream())
                .map(cell -> cell.row().toUtf8() + " " + cell.column().family() + ":"
                        + cell.column().qualifier().toUtf8() + " "
                        + cell.value().toUtf8())
                .toList();
    }

    @Test
    void foreignFilesAreRefusedInOneLine() throws Exception {
        Path noCells = Files.writeString(directory.resolve("notes.csv"), "name,colour\nx,red\n");
        Path noAvro = Files.writeString(directory.resolve("notes.avro"), "no Avro");
        for (Path file : List.of(noCells, noAvro, directory.resolve("absent.csv"), directory.resolve("notes.txt"))) {
            Result result = bt.run("import", "source", file.toString());
            assertThat(result.code()).isEqualTo(ExitCode.REJECTED);
            assertThat(result.err()).startsWith("bt: REJECTED: " + file).hasLineCount(1);
        }
    }

    @Test
    void countsRowsInARangeAndThroughAFilter() throws Exception {
        create("counted");
        for (String row : List.of("a1", "a2", "b1")) {
            bt.run("put", "counted", row, "f:q", row);
            bt.run("put", "counted", row, "g:q", row);
        }
        assertThat(bt.run("count", "counted").out()).isEqualTo("3\n");
        assertThat(bt.run("count", "counted", "--prefix", "a").out()).isEqualTo("2\n");
        assertThat(bt.run("count", "counted", "--filter", "value=b1").out()).isEqualTo("1\n");
    }

    private static RowMutation mutation(Bytes row, Random random) {
        RowMutation.Builder mutation = RowMutation.of(row);
        for (int cell = 0; cell < 6; cell++) {
            ColumnKey column = new ColumnKey(random.nextBoolean() ? "f" : "g", bytes(random, random.nextInt(3)));
            mutation.set(column, 1 + random.nextInt(1 << 20), bytes(random, random.nextInt(300)));
        }
        return mutation.build();
    }

    private static Bytes bytes(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return Bytes.wrap(bytes);
    }

    private static void create(String table) throws Exception {
        cluster.bigtable()
                .admin()
                .createTable(
                        TableSchema.draft(table)
                                .family("f", GcRule.KEEP_ALL)
                                .family("g", GcRule.KEEP_ALL)
                                .build(),
                        List.of());
    }

    private static List<Row> rows(String table) throws Exception {
        List<Row> rows = new ArrayList<>();
        try (Scanner scanner = cluster.bigtable().table(table).scan(Scan.all())) {
            for (Optional<Row> row = scanner.next(); row.isPresent(); row = scanner.next()) {
                rows.add(row.get());
            }
        }
        return rows;
    }
}
