package bt.main;

import static org.assertj.core.api.Assertions.assertThat;

import bt.command.ExitCode;
import bt.main.CommandLines.Result;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With {@code --json} what a command prints is one JSON object a line, of whichever command: each one is run here. */
class JsonIT {
    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    /** Run until they are ended, and print no data. */
    private static final Set<String> PROCESSES = Set.of("dev", "master", "shell", "tabletserver");

    /** What the documents of a cluster in which nothing is wrong, and little is asked for, need not have. */
    private static final Map<String, Set<String>> RARE = Map.of(
            "get scan",
            Set.of("cells[].label?"),
            "doctor",
            Set.of(
                    "findings[].invariant?",
                    "findings[].title?",
                    "findings[].table?",
                    "findings[].start?",
                    "findings[].end?",
                    "findings[].file?",
                    "findings[].fact?",
                    "repairs[].table?",
                    "repairs[].start?",
                    "repairs[].end?",
                    "repairs[].file?",
                    "repairs[].done?",
                    "omissions[]?"),
            "clusters",
            Set.of("problems?", "problems[]?", "p99Micros?", "readP99Micros?", "writeP99Micros?", "fact?"),
            "describe",
            Set.of(
                    "families[].purge?",
                    "families[].timestamps?",
                    "families[].purgeMicros?",
                    "families[].waitingMicros?",
                    "families[].deletionMicros?",
                    "quotas.*?",
                    "rights.*?",
                    "tablets[].end?"),
            "compact create drain flush merge move operations truncate undelete",
            Set.of("millisLeft?", "hindrance?", "refusals[].row?", "refusals[].kind?", "refusals[].why?"),
            "recovery",
            Set.of(
                    "recoveries[].server?",
                    "recoveries[].epoch?",
                    "recoveries[].millis?",
                    "recoveries[].logClosed?",
                    "recoveries[].segments?",
                    "recoveries[].sortedSegments?",
                    "recoveries[].bytes?",
                    "recoveries[].sortedBytes?",
                    "recoveries[].tabletsWaiting?",
                    "recoveries[].tabletsServed?",
                    "recoveries[].leftMillis?"),
            "split",
            Set.of("hindrance?", "refusals[].row?", "refusals[].kind?", "refusals[].why?"),
            "schema show",
            Set.of(
                    "rights[].user?",
                    "rights[].rights?",
                    "families[].garbage.*?",
                    "families[].purge?",
                    "families[].timestamps?",
                    "families[].rights[].user?",
                    "families[].rights[].rights?",
                    "quotas.*?"),
            "traces",
            Set.of("failure?"));

    private static DevProcesses cluster;
    private static JsonShapes shapes;
    private static CommandLines bt;

    @TempDir
    private static Path directory;

    @BeforeAll
    static void start() throws Exception {
        cluster = new DevProcesses(directory, "tabletserver.trace.one.of=1");
        bt = new CommandLines(cluster.at());
        shapes = JsonShapes.read();
        // Only where there are two, one can be drained.
        Awaitility.await().untilAsserted(() -> assertThat(servers()).hasSize(2));
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
    }

    @Test
    void everyCommandPrintsDocumentsOrNothing() throws Exception {
        Set<String> run = new TreeSet<>(PROCESSES);
        String file = directory.resolve("cells.csv").toString();
        String schema = Files.writeString(
                        directory.resolve("schema.json"), "{\"table\":\"other\",\"families\":[{\"family\":\"f\"}]}")
                .toString();
        String server = servers().get(0).get("address").asText();

        prints(run, "config");
        silent(run, "create", "web", "f");
        prints(run, "create", "early", "f", "--no-wait");
        silent(run, "put", "web", "r", "f:q", "v");
        prints(run, "get", "web", "r");
        silent(run, "put", "web", "r", "f:bytes", "\\xff");
        prints(run, "get", "web", "r");
        prints(run, "scan", "web");
        prints(run, "count", "web");
        prints(run, "increment", "web", "c", "f:n");
        prints(run, "append", "web", "c", "f:text", "more");
        prints(run, "modify", "web", "c", "--increment", "f:n", "1", "--append", "f:text", "\\xff");
        prints(run, "modify", "web", "c", "--append", "f:more", "text");
        silent(run, "export", "web", file);
        silent(run, "import", "web", file);
        prints(run, "split", "web", "m");
        prints(run, "split", "web", "q", "--no-wait");
        silent(run, "merge", "web", "a", "z");
        prints(run, "merge", "web", "a", "z", "--no-wait");
        silent(run, "operations", "--cancel", "merge/web");
        prints(run, "flush", "web", "--no-wait");
        silent(run, "flush", "web");
        prints(run, "compact", "web", "--no-wait");
        silent(run, "compact", "web", "--undo");
        silent(run, "compact", "web");
        prints(run, "tables");
        prints(run, "describe", "web");
        prints(run, "describe", "web", "--sizes");
        prints(run, "history", "web");
        silent(run, "alter", "web", "--add", "g");
        prints(run, "schema show", "web");
        prints(run, "schema apply", schema, "--yes");
        silent(run, "delete", "web", "r");
        silent(run, "truncate", "web", "--yes");
        prints(run, "truncate", "web", "--yes", "--no-wait");
        silent(run, "put", "web", "r", "f:q", "v");
        silent(run, "drop", "web", "--yes");
        prints(run, "tables", "--dropped");
        silent(run, "undelete", "web");
        silent(run, "drop", "web", "--yes");
        prints(run, "undelete", "web", "--no-wait");
        prints(run, "clusters");
        run.add("servers");
        assertThat(servers("--caches")).isNotEmpty().allSatisfy(each -> shapes.saw("servers", each));
        prints(run, "traces");
        prints(run, "gc", "--now");
        assertThat(documents("gc", "--dry-run", "--no-wait")).hasSize(1).allSatisfy(begun -> {
            assertThat(begun.get("id").asText()).isEqualTo("sweep/dry");
            shapes.saw("operations", begun);
        });
        prints(run, "recovery");
        prints(run, "doctor");
        prints(run, "rights");
        silent(run, "grant", "ada", "all");
        silent(run, "revoke", "ada", "create");
        prints(run, "rights");
        prints(run, "move", "web", "r", server, "--no-wait");
        silent(run, "move", "web", "r", server);
        prints(run, "drain", server, "--no-wait");
        // It may be over.
        run.add("operations");
        assertThat(documents("operations")).allSatisfy(operation -> shapes.saw("operations", operation));
        silent(run, "drain", server, "--undo");

        shapes.check(RARE);
        assertThat(run)
                .containsExactlyElementsOf(
                        new TreeSet<>(ExamplesContract.commands().toList()));
    }

    @Test
    void whatCommandsCountAndNameIsInFields() throws Exception {
        done("create", "fields", "f");
        assertThat(one("increment", "fields", "c", "f:n", "41")).isEqualTo(JSON.readTree("{\"sum\":41}"));
        assertThat(one("append", "fields", "c", "f:text", "abc")).isEqualTo(JSON.readTree("{\"bytes\":3}"));
        assertThat(documents(
                        "modify",
                        "fields",
                        "c",
                        "--append",
                        "f:text",
                        "d",
                        "--increment",
                        "f:n",
                        "-2",
                        "--set",
                        "f:q",
                        ""))
                .containsExactly(
                        JSON.readTree("{\"column\":\"f:n\",\"sum\":39}"),
                        JSON.readTree("{\"column\":\"f:text\",\"value\":\"abcd\"}"));
        assertThat(one("split", "fields", "m\\x00")).isEqualTo(JSON.readTree("{\"end\":\"m\\\\x00\"}"));
        assertThat(one("count", "fields")).isEqualTo(JSON.readTree("{\"rows\":1}"));
        assertThat(documents("config")).hasSameSizeAs(Setting.values()).anySatisfy(setting -> {
            assertThat(setting.get("key").asText()).isEqualTo("at");
            assertThat(setting.get("value").asText()).isEqualTo(cluster.at());
            assertThat(setting.get("explanation").asText()).isNotEmpty();
        });
    }

    @Test
    void rightsAreListedByUser() throws Exception {
        try (MiniBigtable other = MiniBigtable.start()) {
            CommandLines owner = new CommandLines(other.at());
            assertThat(owner.run("rights", "--json").out()).isEqualTo("{\"open\":true,\"users\":{}}\n");
            assertThat(owner.run("grant", "ada", "all").code()).isEqualTo(ExitCode.DONE);
            assertThat(owner.run("grant", "*", "create").code()).isEqualTo(ExitCode.DONE);
            assertThat(owner.run("rights", "--json").out())
                    .isEqualTo("{\"open\":false,\"users\":{\"*\":[\"create\"],\"ada\":[\"admin\",\"create\"]}}\n");
        }
    }

    private static void prints(Set<String> run, String name, String... words) throws Exception {
        run.add(name);
        assertThat(documents(joined(name, words)))
                .as(name)
                .isNotEmpty()
                .allSatisfy(document -> shapes.saw(name, document));
    }

    /** While a tablet of METADATA is on its way, at the start or to the second server, that is a problem, and told as one. */
    private static List<JsonNode> servers(String... words) throws Exception {
        List<JsonNode> told = new ArrayList<>();
        Awaitility.await().untilAsserted(() -> told.addAll(documents(joined("servers", words))));
        return told;
    }

    private static void silent(Set<String> run, String name, String... words) {
        run.add(name);
        assertThat(done(joined(name, words))).isEmpty();
    }

    private static String[] joined(String name, String... words) {
        List<String> line = new ArrayList<>(List.of(name.split(" ", -1)));
        line.addAll(List.of(words));
        return line.toArray(String[]::new);
    }

    private static JsonNode one(String... words) throws Exception {
        List<JsonNode> documents = documents(words);
        assertThat(documents).hasSize(1);
        return documents.get(0);
    }

    private static List<JsonNode> documents(String... words) throws Exception {
        List<JsonNode> documents = new ArrayList<>();
        for (String line : done(words).lines().toList()) {
            JsonNode document = JSON.readTree(line);
            assertThat(document.isObject()).as(line).isTrue();
            documents.add(document);
        }
        return documents;
    }

    private static String done(String... words) {
        Result result = bt.run(joined("--json", words));
        assertThat(result.code()).as("%s: %s", List.of(words), result.err()).isEqualTo(ExitCode.DONE);
        return result.out();
    }
}
