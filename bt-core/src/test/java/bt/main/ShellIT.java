package bt.main;

import static java.util.Comparator.comparingLong;
import static org.assertj.core.api.Assertions.assertThat;

import bt.client.Bigtable;
import bt.client.Table;
import bt.client.TabletInfo;
import bt.command.ExitCode;
import bt.connect.Connect;
import bt.main.CommandLines.Result;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The commands for tables, run as command lines against a whole cluster. */
class ShellIT {
    private static MiniBigtable cluster;
    private static CommandLines bt;

    @BeforeAll
    static void start() throws Exception {
        cluster = MiniBigtable.start(Map.of("tabletserver.trace.one.of", "1"));
        bt = new CommandLines(cluster.at());
        done(
                "create",
                "web",
                "contents",
                "anchor:versions=3",
                "news:versions=3,ttl=7d",
                "--split",
                "com.m",
                "--split",
                "com.t");
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void whatIsPutIsGot() {
        done("put", "web", "com.cnn", "anchor:cnnsi.com", "CNN", "--timestamp", "7");
        assertThat(done("get", "web", "com.cnn")).isEqualTo("com.cnn\tanchor:cnnsi.com\t7\tCNN\n");
    }

    @Test
    void rowsQualifiersAndValuesMayBeAnyBytes() {
        done("put", "web", "\\x00\\xff", "anchor:\\x09ü", "@\\\\\\x0a", "--timestamp", "1");
        String line = "\\x00\\xff\tanchor:\\x09\\xc3\\xbc\t1\t@\\\\\\x0a\n";
        assertThat(done("get", "web", "\\x00\\xff")).isEqualTo(line);
        assertThat(done("scan", "web", "--prefix", "\\x00")).isEqualTo(line);
    }

    @Test
    void wordsAfterTwoDashesMayBeginWithOne() {
        done("put", "--timestamp", "1", "web", "dash", "anchor:q", "--", "--json");
        assertThat(done("get", "web", "dash")).isEqualTo("dash\tanchor:q\t1\t--json\n");
    }

    @Test
    void getReadsFamiliesAndColumnsAndVersions() {
        done("put", "web", "columns", "contents:", "page", "--timestamp", "1");
        done("put", "web", "columns", "anchor:a", "old", "--timestamp", "1");
        done("put", "web", "columns", "anchor:a", "new", "--timestamp", "2");
        done("put", "web", "columns", "anchor:b", "other", "--timestamp", "1");
        assertThat(values("get", "web", "columns")).containsExactly("page", "new", "other");
        assertThat(values("get", "web", "columns", "anchor")).containsExactly("new", "other");
        assertThat(values("get", "web", "columns", "anchor:a", "--versions", "2"))
                .containsExactly("new", "old");
        assertThat(values("get", "web", "columns", "contents", "anchor:b")).containsExactly("page", "other");
    }

    @Test
    void filtersChooseCells() {
        done("put", "web", "filtered", "contents:", "page", "--timestamp", "1");
        done("put", "web", "filtered", "anchor:cnnsi.com", "old", "--timestamp", "1");
        done("put", "web", "filtered", "anchor:cnnsi.com", "new", "--timestamp", "2");
        done("put", "web", "filtered", "anchor:my.look.ca", "other", "--timestamp", "1");
        String row = "row=filtered & ";
        assertThat(values("scan", "web", "--filter", row + "family=anchor & qualifier~'.*cnn.*' & latest(1)"))
                .containsExactly("new");
        assertThat(values("get", "web", "filtered", "anchor", "--filter", "value~'o.*'"))
                .containsExactly("old", "other");
        assertThat(values("get", "web", "filtered", "--filter", "value~'o.*' | time=2", "--versions", "1"))
                .containsExactly("new", "other");
        assertThat(done("get", "web", "filtered", "--filter", "if(value=page, first(1) & keys & label(p), none)"))
                .isEqualTo("filtered\tcontents:\t1\t\tp\n");
        assertThat(done("--json", "get", "web", "filtered", "--filter", "value=page & label(p)"))
                .contains("\"value\":\"page\",\"label\":\"p\"");
    }

    @Test
    void whatIsWrongInAFilterIsPointedAt() {
        Result wrong = bt.run("scan", "web", "--filter", "family=anchor & lates(1)");
        assertThat(wrong.code()).isEqualTo(ExitCode.REJECTED);
        assertThat(wrong.out()).isEmpty();
        assertThat(wrong.err().lines().toList())
                .startsWith("family=anchor & lates(1)", " ".repeat(16) + "^")
                .last()
                .asString()
                .startsWith(
                        "bt: REJECTED: filter, character 17: no filter is called lates: not FILTER, all, none, keys, ");
    }

    /** On standard error is one document and nothing beside it. */
    @Test
    void whatIsWrongInAFilterIsANumberInADocument() throws Exception {
        for (String[] words : List.of(
                new String[] {"--json", "scan", "web", "--filter", "family=anchor & lates(1)"},
                new String[] {"--json", "get", "web", "r", "--filter", "family=anchor & lates(1)"},
                new String[] {"--json", "put", "web", "r", "anchor:", "v", "--if", "family=anchor & lates(1)"})) {
            Result wrong = bt.run(words);
            assertThat(wrong.code()).isEqualTo(ExitCode.REJECTED);
            assertThat(wrong.err()).hasLineCount(1);
            JsonNode document = new ObjectMapper().readTree(wrong.err());
            assertThat(document.path("failure").asText()).isEqualTo("REJECTED");
            assertThat(document.path("message").asText()).startsWith("filter, character 17: ");
            assertThat(document.path("at").asInt()).isEqualTo(17);
        }
    }

    @Test
    void tracesShowWhereTheSlowestRequestsSpentTheirTime() throws Exception {
        String page = "<html>".repeat(50_000);
        done("put", "web", "com.traced", "contents:", page);
        cluster.bigtable().admin().flush("web");
        assertThat(done("get", "web", "com.traced")).contains(page);
        List<JsonNode> traces = traces("--count", "1000");
        JsonNode write = of(traces("--kind", "write", "--count", "1000"), "com.traced");
        assertThat(write.get("logMicros").asLong()).isPositive();
        assertThat(write.get("totalMicros").asLong())
                .isGreaterThanOrEqualTo(write.get("queueMicros").asLong()
                        + write.get("logMicros").asLong());
        // It enters the memtable while the log has it.
        assertThat(write.get("memtableMicros").asLong())
                .isBetween(0L, write.get("logMicros").asLong());
        assertThat(write.get("bytes").asLong()).isGreaterThan(page.length());
        JsonNode get = of(traces("--kind", "get", "--count", "1000"), "com.traced");
        assertThat(get.get("blocksRead").asInt()).isPositive();
        assertThat(get.get("bytesRead").asLong()).isPositive();
        assertThat(get.get("diskMicros").asLong()).isPositive();
        assertThat(get.get("rows").asInt()).isEqualTo(1);
        assertThat(get.get("table").asText()).isEqualTo("web");
        assertThat(traces)
                .isSortedAccordingTo(comparingLong(
                                (JsonNode trace) -> trace.get("totalMicros").asLong())
                        .reversed());
        String server = get.get("server").asText();
        assertThat(traces("--server", server, "--count", "2")).hasSize(2);
        assertThat(done("traces").lines().skip(1)).hasSize(20).allMatch(line -> line.contains(server));
        assertThat(bt.run("traces", "--server", "nobody:1").code()).isEqualTo(ExitCode.REJECTED);
        assertThat(bt.run("traces", "--kind", "drop").code()).isEqualTo(ExitCode.REJECTED);
        assertThat(bt.run("traces", "--count", "0").code()).isEqualTo(ExitCode.REJECTED);
    }

    private static List<JsonNode> traces(String... options) throws Exception {
        List<JsonNode> traces = new ArrayList<>();
        String[] words =
                Stream.concat(Stream.of("traces", "--json"), Stream.of(options)).toArray(String[]::new);
        for (String line : done(words).lines().toList()) {
            traces.add(new ObjectMapper().readTree(line));
        }
        return traces;
    }

    private static JsonNode of(List<JsonNode> traces, String row) {
        return traces.stream()
                .filter(trace -> trace.get("row").asText().equals(row))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void nothingFoundIsExitCodeOneAndSaysNothing() {
        Result absent = new Result(ExitCode.NOTHING_FOUND, "", "");
        assertThat(bt.run("get", "web", "no such row")).isEqualTo(absent);
        assertThat(bt.run("scan", "web", "--prefix", "no such row")).isEqualTo(absent);
    }

    @Test
    void scansReadARangeInOrderUpToALimit() {
        for (String row : List.of("s1", "s2", "s3", "s4")) {
            done("put", "web", row, "contents:", row);
        }
        assertThat(values("scan", "web", "--prefix", "s")).containsExactly("s1", "s2", "s3", "s4");
        assertThat(values("scan", "web", "--from", "s2", "--to", "s4")).containsExactly("s2", "s3");
        assertThat(values("scan", "web", "--from", "s2", "--prefix", "s", "--limit", "2"))
                .containsExactly("s2", "s3");
        assertThat(values("scan", "web", "--prefix", "s", "--reverse", "--limit", "3"))
                .containsExactly("s4", "s3", "s2");
        assertThat(values("scan", "web", "--prefix", "s", "--limit-cells", "1")).containsExactly("s1");
        assertThat(values("scan", "web", "--row", "s4", "--row", "s1", "--row", "s9"))
                .containsExactly("s1", "s4");
        assertThat(bt.run("scan", "web", "--prefix", "s", "--families", "anchor")
                        .code())
                .isEqualTo(ExitCode.NOTHING_FOUND);
    }

    @Test
    void aFamilySaysWhoGivesTimestamps() {
        done("create", "stamps", "f:timestamps=server");
        assertThat(done("describe", "stamps")).contains("timestamps=server");
        done("put", "stamps", "r", "f:q", "v");
        assertThat(bt.run("put", "stamps", "r", "f:q", "v", "--timestamp", "1").err())
                .contains("write the cell without one");
        done("alter", "stamps", "--change", "f:timestamps=client");
        done("put", "stamps", "r", "f:q", "v", "--timestamp", "1");
        assertThat(bt.run("put", "stamps", "r", "f:q", "v").err()).contains("write the cell with one");
    }

    @Test
    void jsonIsADocumentARow() throws Exception {
        done("put", "web", "json\\x00", "contents:\\x01", "ü\"", "--timestamp", "1");
        done("put", "web", "json\\x00", "anchor:q", "\\xff", "--timestamp", "2");
        assertThat(done("--json", "get", "web", "json\\x00"))
                .isEqualTo("{\"row\":\"json\\\\x00\",\"cells\":["
                        + "{\"column\":\"contents:\\\\x01\",\"timestamp\":1,\"value\":\"ü\\\"\"},"
                        + "{\"column\":\"anchor:q\",\"timestamp\":2,\"base64\":\"/w==\"}]}\n");
        long id = cluster.bigtable().admin().table("web").orElseThrow().id();
        assertThat(done("tables", "--json")).contains("{\"table\":\"web\",\"id\":" + id + "}\n");
        assertThat(done("tables").lines()).contains("web\tid=" + id);
    }

    @Test
    void deleteTakesAColumnThenAFamilyThenTheRow() {
        done("put", "web", "d", "anchor:a", "1");
        done("put", "web", "d", "anchor:b", "2");
        done("put", "web", "d", "contents:", "3");
        done("put", "web", "d", "contents:x", "4");
        done("delete", "web", "d", "anchor:a");
        assertThat(values("get", "web", "d")).containsExactly("3", "4", "2");
        done("delete", "web", "d", "contents");
        assertThat(values("get", "web", "d")).containsExactly("2");
        done("delete", "web", "d");
        assertThat(bt.run("get", "web", "d").code()).isEqualTo(ExitCode.NOTHING_FOUND);
    }

    @Test
    void sizesTellMemoryAndFilesByFamilyAndGroup() throws Exception {
        done("create", "sized", "a", "b:group=big,purge=30m", "--group", "big:codec=none");
        done("put", "sized", "r", "a:q", "12345");
        done("put", "sized", "r", "b:q", "1234567890");
        assertThat(done("describe", "sized", "--sizes").lines())
                .anyMatch(
                        line -> line.matches("family\ta\tmemory\t1 cells\t[1-9]\\d* bytes\tfiles\t0 cells\t0 bytes.*"))
                .anyMatch(
                        line -> line.matches("group\tbig\tmemory\t[1-9]\\d* bytes\tfiles\t0\t0 bytes.*\t0 deletions"));

        assertThat(bytes(false)).isZero();
        assertThat(bytes(true)).isPositive();

        flush("sized");
        assertThat(bytes(false)).isPositive();
        done("delete", "sized", "r", "b:q");
        flush("sized");
        assertThat(done("describe", "sized", "--sizes").lines())
                .anyMatch(
                        line -> line.matches("family\ta\tmemory\t0 cells\t0 bytes\tfiles\t1 cells\t[1-9]\\d* bytes.*"))
                .anyMatch(line ->
                        line.matches("group\tbig\tmemory\t0 bytes\tfiles\t2\t[1-9]\\d* bytes on disk\t1 deletions"))
                .anyMatch(line -> line.startsWith("family\ta\t")
                        && line.endsWith("\tpurge\tnot promised\toldest deletion none\twaiting none"))
                .anyMatch(line ->
                        line.matches("family\tb\t.*\tpurge\twithin 30m\toldest deletion \\d+s old\twaiting \\d+s"))
                .noneMatch(line -> line.startsWith("earlier grouping"));
        assertThat(done("describe", "sized").lines()).anyMatch(line -> line.matches("family\tb\t.*\tpurge=30m"));
        assertThat(done("describe", "sized", "--sizes", "--json"))
                .startsWith("{\"table\":\"sized\",\"families\":[{\"family\":\"a\",\"memoryCells\":0,")
                .contains("{\"group\":\"big\",\"memoryBytes\":0,\"files\":2,");
    }

    private static long bytes(boolean withMemory) throws Exception {
        try (Bigtable bigtable = Connect.to(cluster.at())) {
            Table table = bigtable.table("sized");
            List<TabletInfo> tablets = withMemory ? table.weighedTablets() : table.tablets();
            return tablets.get(0).bytes();
        }
    }

    private static void flush(String table) throws Exception {
        try (Bigtable bigtable = Connect.to(cluster.at())) {
            bigtable.admin().flush(table);
        }
    }

    @Test
    void describeTellsFamiliesAndTablets() {
        assertThat(done("describe", "web").lines())
                .contains("family\tnews\tversions=3,ttl=7d\tgroup=default", "family\tcontents\tall\tgroup=default")
                .anyMatch(line ->
                        line.matches("tablet\t\\[com\\.m\\\\x00, com\\.t\\\\x00\\)\t127.0.0.1:\\d+\t\\d+ bytes"));
        assertThat(done("describe", "web", "--json")).contains("{\"start\":\"\",\"end\":\"com.m\\\\x00\",\"server\":");
    }

    @Test
    void aDroppedTableIsGone() {
        done("create", "short", "f");
        assertThat(done("tables").lines()).anyMatch(line -> line.startsWith("short\t"));
        assertThat(bt.run("drop", "short").code()).isEqualTo(ExitCode.REJECTED);
        done("drop", "short", "--yes");
        assertThat(done("tables").lines()).noneMatch(line -> line.startsWith("short\t"));
    }

    @Test
    void aTableIsAlteredWhileItIsServed() {
        done("create", "altered", "a", "b:versions=1");
        done("put", "altered", "r", "a:q", "old", "--timestamp", "1");
        done("put", "altered", "r", "a:q", "new", "--timestamp", "2");
        done("put", "altered", "r", "b:q", "gone");
        done(
                "alter",
                "altered",
                "--add",
                "c:ttl=7d,group=big",
                "--change",
                "a:versions=1",
                "--group",
                "big:codec=zstd",
                "--yes");
        done("put", "altered", "r", "c:q", "at once");
        assertThat(values("get", "altered", "r", "a", "--versions", "9")).containsExactly("new");
        assertThat(done("describe", "altered").lines())
                .contains("family\ta\tversions=1\tgroup=default", "family\tc\tttl=7d\tgroup=big")
                .anyMatch(line -> line.startsWith("group\tbig\tcodec=zstd,"))
                .anyMatch(line -> line.matches("table\taltered\tid=\\d+\tversion=2\tdurability=SYNC"));

        assertThat(bt.run("alter", "altered", "--drop", "b").err()).contains("--yes");
        done("alter", "altered", "--drop", "b", "--durability", "flush", "--yes");
        assertThat(bt.run("get", "altered", "r", "b").err()).contains("has no family b");
        done("alter", "altered", "--add", "b", "--change", "c:group=default", "--drop-group", "big");
        assertThat(bt.run("get", "altered", "r", "b").code()).isEqualTo(ExitCode.NOTHING_FOUND);
        assertThat(values("get", "altered", "r")).containsExactly("new", "at once");
        assertThat(done("describe", "altered"))
                .contains("version=4\tdurability=FLUSH")
                .doesNotContain("group\tbig");
    }

    @Test
    void cachesAreListedOfEachServer() {
        assertThat(done("servers", "--caches").lines())
                .anyMatch(line -> line.matches(" +blocks +\\d+ +\\d+ +\\d+ +\\d+"))
                .anyMatch(line -> line.matches(" +metadata-blocks +\\d+ +\\d+ +\\d+ +\\d+"));
        assertThat(done("servers", "--caches", "--json")).contains("\"caches\":[{\"name\":\"blocks\",\"bytes\":");
    }

    @Test
    void whatAnOutageOfZooKeeperCostIsListedOfEachServer() {
        assertThat(done("servers"))
                .contains(" UNAVAILABLE BECAUSE OF ZOOKEEPER ")
                .contains(" 0 ms ");
        assertThat(done("servers", "--json")).contains("\"unavailableBecauseOfZooKeeperMillis\":0");
    }

    @Test
    void ofAClusterWithoutADeadServerNothingIsRecovered() {
        assertThat(done("recovery")).isEqualTo("nothing is being recovered\n");
        assertThat(done("recovery", "--json")).contains("\"recoveries\":[]");
    }

    @Test
    void aDroppedTableComesBack() {
        done("create", "lost", "f");
        done("put", "lost", "r", "f:q", "found");
        done("drop", "lost", "--yes");
        assertThat(bt.run("get", "lost", "r").err()).contains("table lost does not exist");
        assertThat(done("tables", "--dropped").lines()).anyMatch(line -> line.matches("lost\tid=\\d+\tdropped=2.*Z"));
        assertThat(done("tables", "--dropped", "--json")).contains("{\"table\":\"lost\",\"id\":");
        done("create", "lost", "f");
        assertThat(bt.run("undelete", "lost").err()).contains("another table bears the name lost");
        assertThat(bt.run("get", "lost", "r").code()).isEqualTo(ExitCode.NOTHING_FOUND);
        done("alter", "lost", "--add", "g");
        done("drop", "lost", "--yes");
        done("undelete", "lost");
        assertThat(done("describe", "lost")).contains("family\tg");
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                mistake("table nope does not exist", "get", "nope", "r"),
                mistake("table nope does not exist", "put", "nope", "r", "f:q", "v"),
                mistake("table nope does not exist", "describe", "nope"),
                mistake("table nope does not exist", "drop", "nope", "--yes"),
                mistake("has no family f", "put", "web", "r", "f:q", "v"),
                mistake("has no family f", "get", "web", "r", "f"),
                mistake("has no family f", "scan", "web", "--families", "f"),
                mistake("has no family f", "delete", "web", "r", "f:q"),
                mistake("from z to a", "scan", "web", "--from", "z", "--to", "a"),
                mistake("--limit 0", "scan", "web", "--limit", "0"),
                mistake("--rows nowhere", "scan", "web", "--rows", "nowhere"),
                mistake("--versions 0", "get", "web", "r", "--versions", "0"),
                mistake("no script engine groovy", "scan", "web", "-e", "true"),
                mistake("--script nowhere", "scan", "web", "--script", "nowhere"),
                mistake("\"q\" is not family:qualifier", "put", "web", "r", "q", "v"),
                mistake("a backslash begins", "put", "web", "\\x0", "contents:", "v"),
                mistake("ROW is empty", "put", "web", "", "contents:", "v"),
                mistake(
                        "FAMILY[:QUALIFIER] is empty, as of a variable that is not set: say it, or",
                        "delete",
                        "web",
                        "r",
                        ""),
                mistake("ROW is empty", "delete", "web", ""),
                mistake("ROW is empty", "split", "web", ""),
                mistake("ROW is empty", "history", "web", ""),
                mistake("FAMILY[:QUALIFIER] is empty", "get", "web", "r", "contents", ""),
                mistake("TABLE[:FAMILY] is empty", "grant", "alice", "admin", ""),
                mistake("TABLE[:FAMILY] is empty", "revoke", "alice", "admin", ""),
                mistake("--wait is empty", "operations", "--wait", ""),
                mistake("--to is empty", "scan", "web", "--to="),
                mistake("--prefix is empty", "export", "web", "nowhere.csv", "--prefix", ""),
                mistake("--row is empty", "count", "web", "--row", ""),
                mistake("--families is empty", "scan", "web", "--families", "anchor,,contents"),
                mistake("--if is empty", "delete", "web", "r", "--if", ""),
                mistake("--from is empty", "compact", "web", "--from", ""),
                mistake("TO is empty", "merge", "web", "a", ""),
                mistake("--split is empty", "create", "t", "f", "--split", ""),
                mistake("'soon'", "put", "web", "r", "contents:", "v", "--timestamp", "soon"),
                mistake("web", "create", "web", "f"),
                mistake("table name \"a/b\"", "create", "a/b", "f"),
                mistake("\"f:versions=x\" is no family", "create", "t", "f:versions=x"),
                mistake("\"7y\" is no age", "create", "t", "f:ttl=7y"),
                mistake("family f twice", "create", "t", "f", "f"),
                mistake("FAMILY", "create", "t"),
                mistake("--yes", "drop", "web"),
                mistake("table nope does not exist", "alter", "nope", "--add", "f"),
                mistake("family anchor twice", "alter", "web", "--add", "anchor"),
                mistake("web has no family f", "alter", "web", "--change", "f:versions=1"),
                mistake("web has no family f", "alter", "web", "--drop", "f", "--yes"),
                mistake("locality group default, which is not there", "alter", "web", "--drop-group", "default"),
                mistake("names the locality group big", "alter", "web", "--add", "f:group=big"),
                mistake("codec \"zst\" of locality group big", "alter", "web", "--group", "big:codec=zst"),
                mistake("codec \"zst\" of locality group big", "create", "t", "f", "--group", "big:codec=zst"),
                mistake("no dropped table web2 can come back", "undelete", "web2"),
                mistake("does not exist", "split", "nope", "r"),
                mistake("the root tablet never splits", "split", "METADATA", "\\x00".repeat(9) + "m"),
                mistake("does not exist", "merge", "nope", "a", "b"),
                mistake("does not exist", "compact", "nope"),
                mistake("does not exist", "compact", "METADATA"),
                mistake("from z to a: exchange", "compact", "web", "--from", "z", "--to", "a"),
                mistake("leave the other options out", "compact", "web", "--undo", "--no-wait"),
                mistake("from z to a", "merge", "web", "z", "a"),
                mistake("not merged", "merge", "METADATA", "a", "b"),
                mistake("does not exist", "history", "nope"),
                mistake("--last 0", "history", "web", "--last", "0"),
                mistake("a split row of 70000 bytes", "split", "web", "x".repeat(70_000)),
                mistake("nearest known one is \"lease.millis\"", "-D", "lease.milis=1", "tables"),
                mistake("lease.millis is \"long\": write a whole number", "-D", "lease.millis=long", "tables"),
                mistake("--colour", "tables", "--colour"),
                mistake("tabels", "tabels"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void aMistakeIsOneLineThatSaysWhatIsWrong(String fact, List<String> words) {
        Result result = bt.run(words.toArray(String[]::new));
        assertThat(result.code()).isEqualTo(ExitCode.REJECTED);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).startsWith("bt: REJECTED: ").contains(fact).hasLineCount(1);
    }

    /** Each is what a longer line would do if the word were not looked at. */
    @Test
    void anEmptyWordDestroysNothing() {
        done("put", "web", "kept", "anchor:a", "v");
        done("put", "web", "kept", "contents:", "");
        Result refused = bt.run("delete", "web", "kept", "");
        assertThat(refused.code()).isEqualTo(ExitCode.REJECTED);
        assertThat(values("get", "web", "kept")).containsExactly("", "v");
        int tablets = describe("web").size();
        assertThat(bt.run("split", "web", "").code()).isEqualTo(ExitCode.REJECTED);
        assertThat(describe("web")).hasSize(tablets);
        assertThat(bt.run("grant", "somebody", "all", "").code()).isEqualTo(ExitCode.REJECTED);
        assertThat(bt.run("rights").err()).contains("everybody may do everything");
    }

    private static List<String> describe(String table) {
        return done("describe", table)
                .lines()
                .filter(line -> line.startsWith("tablet"))
                .toList();
    }

    @Test
    void aClusterIsNamedByAnAddress() {
        Result result = new CommandLines("web").run("tables");
        assertThat(result.code()).isEqualTo(ExitCode.REJECTED);
        assertThat(result.err()).contains("zk://host:port").hasLineCount(1);
        Result unsaid = new CommandLines("").run("drop", "web", "--yes");
        assertThat(unsaid.code()).isEqualTo(ExitCode.REJECTED);
        assertThat(unsaid.err()).contains("--at is empty").hasLineCount(1);
    }

    /** What was refused stays listed for a minute. */
    @Test
    void whoWaitsForWhatWasRefusedIsToldSo() {
        done("create", "single", "f");
        done("put", "single", "r", "f:", "v");
        String id = done("split", "single", "--no-wait").strip();
        for (int times = 0; times < 2; times++) {
            Result waited = bt.run("operations", "--wait", id);
            assertThat(waited.code()).as(waited.err()).isEqualTo(ExitCode.REJECTED);
            assertThat(waited.err().lines().toList()).last().asString().startsWith("bt: REJECTED: table single");
        }
    }

    @Test
    void aTabletIsSplitBehindARowAndInTheMiddleOfItsBytes() {
        done("create", "cut", "f", "--group", "default:block=1024");
        assertThat(bt.run("split", "cut").err()).contains("bt: REJECTED: table cut has no tablet", "name a row");
        for (int i = 0; i < 40; i++) {
            done("put", "cut", "r" + (10 + i), "f:", "v".repeat(500));
        }
        assertThat(done("split", "cut", "r19")).isEqualTo("r19\n");
        assertThat(done("split", "cut", "r19")).isEqualTo("r19\n");
        assertThat(done("split", "cut").lines().toList()).hasSize(2).allMatch(row -> row.startsWith("r"));
        done("merge", "cut", "r10", "r25");
        assertThat(values("scan", "cut")).hasSize(40);
        assertThat(done("history", "cut", "r25")).contains("serving on ", "took the rows of ");
        assertThat(done("history", "cut")).contains("created", "split: rows up to r19 left", "gone: merged");
        assertThat(done("history", "cut").lines())
                .allSatisfy(line -> assertThat(line.split("\t", -1)[1]).startsWith("cut/"))
                .anySatisfy(line -> assertThat(line).contains("\tcut/r19\t"))
                .anySatisfy(line -> assertThat(line).contains("took the rows of the tablet that ends with row r19"));
        assertThat(done("history", "cut", "--last", "2")).hasLineCount(2);
        assertThat(done("history", "cut")).endsWith(done("history", "cut", "--last", "2"));
        assertThat(done("--json", "history", "cut")).contains("\"event\":\"created\"");
    }

    @Test
    void aTableIsTruncatedAndWhatItHeldComesBackByItsId() {
        done("create", "emptied", "f:versions=2", "--split", "m");
        done("put", "emptied", "a", "f:q", "v");
        done("flush", "emptied");
        assertThat(done("describe", "emptied", "--sizes")).isNotEmpty();
        assertThat(bt.run("truncate", "emptied").err()).contains("say so with --yes");
        assertThat(values("scan", "emptied")).containsExactly("v");
        done("truncate", "emptied", "--yes");
        assertThat(bt.run("scan", "emptied").code()).isEqualTo(ExitCode.NOTHING_FOUND);
        assertThat(describe("emptied")).hasSize(2);
        assertThat(done("describe", "emptied")).contains("versions=2");
        String dropped = done("tables", "--dropped")
                .lines()
                .filter(line -> line.startsWith("emptied\t"))
                .findFirst()
                .orElseThrow();
        String id = dropped.split("\t", -1)[1].replace("id=", "");
        done("drop", "emptied", "--yes");
        assertThat(bt.run("undelete", "emptied", "--id", "1000000").code()).isEqualTo(ExitCode.REJECTED);
        done("undelete", "emptied", "--id", id);
        assertThat(values("scan", "emptied")).containsExactly("v");
    }

    @Test
    void anAgedCellIsGarbage() {
        done("put", "web", "aged", "news:", "old", "--timestamp", "1");
        assertThat(bt.run("get", "web", "aged").code()).isEqualTo(ExitCode.NOTHING_FOUND);
    }

    @Test
    void whatCannotBeReachedIsUnavailable() {
        Result nobody = new CommandLines("zk://127.0.0.1:1/dev").run("tables");
        Result unknown = new CommandLines(cluster.at() + "2").run("tables");
        for (Result result : List.of(nobody, unknown)) {
            assertThat(result.code()).isEqualTo(ExitCode.UNAVAILABLE);
            assertThat(result.err()).startsWith("bt: UNAVAILABLE: ").hasLineCount(1);
        }
        assertThat(nobody.err()).contains("127.0.0.1:1");
        assertThat(unknown.err()).contains("knows no cluster " + cluster.at() + "2");
    }

    @Test
    void ofAWriteThatFailedItIsSaidWhetherItMayHaveBeenApplied() throws Exception {
        CommandLines nobody = new CommandLines("zk://127.0.0.1:1/dev");
        assertThat(nobody.run("put", "web", "r", "anchor:q", "v").err())
                .startsWith("bt: UNAVAILABLE: ")
                .endsWith("; outcome NOT_APPLIED\n")
                .hasLineCount(1);
        assertThat(bt.run("increment", "web", "r", "nosuch:q").err()).endsWith("; outcome NOT_APPLIED\n");
        assertThat(bt.run("put", "web", "r".repeat(70_000), "anchor:q", "v").err())
                .endsWith("; outcome NOT_APPLIED\n");
        JsonNode told = new ObjectMapper()
                .readTree(
                        bt.run("--json", "append", "web", "r", "nosuch:q", "v").err());
        assertThat(told.get("failure").asText()).isEqualTo("REJECTED");
        assertThat(told.get("outcome").asText()).isEqualTo("NOT_APPLIED");
        assertThat(told.get("message").asText()).contains("has no family nosuch");
        assertThat(bt.run("get", "web", "r", "nosuch").err()).doesNotContain("outcome");
    }

    @Test
    void aStackTraceIsShownToWhoAsksForIt() {
        assertThat(bt.run("get", "nope", "r", "--trace").err()).contains("\tat bt.");
    }

    private static Arguments mistake(String fact, String... words) {
        return Arguments.of(fact, List.of(words));
    }

    private static String done(String... words) {
        Result result = bt.run(words);
        assertThat(result.code()).as("%s: %s", List.of(words), result.err()).isEqualTo(ExitCode.DONE);
        return result.out();
    }

    private static List<String> values(String... words) {
        return done(words)
                .lines()
                .map(line -> line.substring(line.lastIndexOf('\t') + 1))
                .toList();
    }
}
