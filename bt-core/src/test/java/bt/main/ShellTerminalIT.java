package bt.main;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.client.BatchWriter;
import bt.client.Table;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bt shell} as a process on a pseudo-terminal, and as one that reads a pipe. */
class ShellTerminalIT {
    private static final String PROMPT = "dev> ";
    private static final String QUESTION = "do it? (yes/no) ";
    private static final int MANY = 20_000;

    private static MiniBigtable cluster;

    @TempDir
    private Path home;

    @BeforeAll
    static void start() throws Exception {
        cluster = MiniBigtable.start();
        cluster.bigtable()
                .admin()
                .createTable(
                        TableSchema.draft("webtable")
                                .family("contents", GcRule.KEEP_ALL)
                                .family("anchor", GcRule.KEEP_ALL)
                                .build(),
                        List.of());
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void commandsAreTypedAndAnswered() throws Exception {
        try (PseudoTerminal shell = shell()) {
            enter(shell, "bt put webtable 'a \\x00 b' anchor:q ' !x  \"y\"' --timestamp 7");
            assertThat(enter(shell, "get webtable 'a \\x00 b'")).contains("\na \\x00 b\tanchor:q\t7\t !x  \"y\"\n");
            assertThat(enter(shell, "--json get webtable 'a \\x00 b'")).contains("\"timestamp\":7,\"value\":");
            assertThat(enter(shell, "get nosuch r")).contains("bt: REJECTED: table nosuch does not exist");
            assertThat(enter(shell, "put webtable r nosuch:q v"))
                    .contains("bt: REJECTED: ")
                    .contains("; outcome NOT_APPLIED\n");
            assertThat(enter(shell, "help get")).contains("Usage: bt get", "Examples:");
            assertThat(enter(shell, "shell")).contains("REJECTED");
            shell.type("exit\r");
            assertThat(shell.awaitEnd()).isZero();
        }
    }

    /** What a terminal of another charset sends. */
    @Test
    void bytesThatAreNoUtf8AreRefused() throws Exception {
        try (PseudoTerminal shell = shell()) {
            shell.type("put webtable lost\u00e9 anchor:q v\r".getBytes(StandardCharsets.ISO_8859_1));
            assertThat(shell.await("\n" + PROMPT))
                    .contains("bt: REJECTED: the word \"lost?\" has bytes, shown as ?, that are no UTF-8");
            assertThat(enter(shell, "scan webtable --prefix lost")).doesNotContain("anchor:q");
        }
    }

    @Test
    void aQuoteReachesOverLines() throws Exception {
        try (PseudoTerminal shell = shell()) {
            shell.type("put webtable lines anchor:q 'one\r");
            shell.await("> ");
            shell.type("two' --timestamp 1\r");
            shell.await(PROMPT);
            assertThat(enter(shell, "get webtable lines")).contains("one\\x0atwo");
        }
    }

    @Test
    void tabCompletesCommandsOptionsTablesAndFamilies() throws Exception {
        try (PseudoTerminal shell = shell()) {
            shell.complete("desc", "describe ");
            shell.complete("web", "webtable ");
            shell.complete("--si", "--sizes ");
            shell.type("\u0003");
            shell.await(PROMPT);
            shell.complete("put webtable row an", "anchor:");
            shell.type("\u0003");
            shell.await(PROMPT);
            shell.complete("scan webtable --families co", "contents ");
            shell.type("\u0003");
            shell.await(PROMPT);
            shell.complete("modify webtable row --append an", "anchor:");
            shell.complete("q value --incr", "--increment ");
            shell.type("\u0003");
            shell.await(PROMPT);
            shell.complete("move webtable row 127", "127.0.0.1:");
            shell.type("\u0003");
            shell.await(PROMPT);
            shell.complete("grant ada read web", "webtable ");
            shell.type("\u0003");
            shell.await(PROMPT);
            shell.complete("grant ada read webtable:an", "webtable:anchor ");
        }
    }

    @Test
    void whatIsAskedBackIsTyped() throws Exception {
        Path schema = Files.writeString(
                home.resolve("schema.json"), "{\"table\":\"asked\",\"families\":[{\"family\":\"f\"}]}");
        try (PseudoTerminal shell = shell()) {
            assertThat(enterUpTo(shell, "schema apply " + schema, QUESTION))
                    .contains("create table asked", "add family f");
            assertThat(enter(shell, "no"))
                    .contains("bt: REJECTED: table asked: nobody has said yes to the plan, so nothing was done");
            assertThat(enter(shell, "describe asked")).contains("table asked does not exist");
            assertThat(enterUpTo(shell, "schema apply " + schema, QUESTION))
                    .contains("create table asked", "add family f");
            assertThat(enter(shell, "yes")).contains("table asked has version 1 of its schema");
            // The next line is a line again, and not the answer to a question.
            assertThat(enter(shell, "describe asked")).contains("family\tf");
        }
    }

    @Test
    void whatCannotBeTakenBackIsDoneWhenItIsSaidSo() throws Exception {
        cluster.bigtable()
                .admin()
                .createTable(
                        TableSchema.draft("doomed").family("f", GcRule.KEEP_ALL).build(), List.of());
        try (PseudoTerminal shell = shell()) {
            assertThat(enter(shell, "drop doomed"))
                    .contains("bt: REJECTED: table doomed would be gone with all its data")
                    .contains("say so with --yes");
            assertThat(enter(shell, "truncate doomed")).contains("table doomed would be empty", "say so with --yes");
            assertThat(enter(shell, "tables")).contains("doomed");
            assertThat(enter(shell, "truncate doomed --yes")).contains("table doomed is empty");
            assertThat(enter(shell, "drop doomed --yes")).doesNotContain("bt: ");
            assertThat(enter(shell, "tables")).doesNotContain("doomed");
        }
    }

    /** Who asks a terminal what it can do takes what is typed meanwhile for the answer. */
    @Test
    void whatIsTypedBeforeThePromptIsNotLost() throws Exception {
        try (PseudoTerminal shell = PseudoTerminal.bt(home, "--at", cluster.at(), "shell")) {
            shell.type("tables\r");
            shell.await(PROMPT);
            assertThat(shell.await("\n" + PROMPT)).contains("webtable\tid=");
        }
    }

    @Test
    void theNextSessionRemembersTheLinesOfTheLast() throws Exception {
        try (PseudoTerminal shell = shell()) {
            enter(shell, "put webtable remembered anchor:q 'a  b' --timestamp 3");
            // Ctrl-D, which ends on an empty line.
            shell.type("\u0004");
            shell.awaitEnd();
        }
        Path history = home.resolve(".bt_history");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(history)))
                .isEqualTo("rw-------");
        try (PseudoTerminal shell = shell()) {
            // Ctrl-P, which is the key up.
            shell.type("\u0010");
            shell.await("put webtable remembered anchor:q 'a  b' --timestamp 3");
        }
    }

    @Test
    void controlCEndsTheCommandAndNotTheShell() throws Exception {
        cluster.bigtable()
                .admin()
                .createTable(
                        TableSchema.draft("many").family("f", GcRule.KEEP_ALL).build(), List.of());
        try (BatchWriter batch = cluster.bigtable().table("many").batch()) {
            for (int i = 0; i < MANY; i++) {
                batch.add(
                        RowMutation.of("row" + i).set("f", "q", "x".repeat(200)).build());
            }
        }
        try (PseudoTerminal shell = shell()) {
            shell.type("scan many\r");
            shell.await("row0\t");
            shell.type("\u0003");
            assertThat(shell.await(PROMPT)).doesNotContain("row9999\t");
            assertThat(enter(shell, "tables")).contains("many");
        }
    }

    @Test
    void aPipeIsReadUntilALineFails() throws Exception {
        Path lines = Files.writeString(
                home.resolve("lines"), "# comment\nget webtable absent\ntables\nget nosuch r\nservers\n");
        try (JavaProcess bt = JavaProcess.bt(home, lines, "--at", cluster.at(), "shell")) {
            assertThat(bt.awaitEnd()).isEqualTo(2);
            assertThat(bt.output())
                    .contains("webtable")
                    .contains("table nosuch does not exist")
                    .doesNotContain("ADDRESS");
        }
    }

    @Test
    void aPipeThatEndsInsideAQuoteIsRefusedAndNothingOfItRuns() throws Exception {
        Path lines = Files.writeString(
                home.resolve("open"),
                "put webtable open1 anchor:q v\nput webtable open2 anchor:q it's\nput webtable open3 anchor:q v\n");
        try (JavaProcess bt = JavaProcess.bt(home, lines, "--at", cluster.at(), "shell")) {
            assertThat(bt.awaitEnd()).isEqualTo(2);
            assertThat(bt.output()).contains("bt: REJECTED: line 2: the quote ' that begins here is not closed");
        }
        Table table = cluster.bigtable().table("webtable");
        assertThat(table.exists(Bytes.utf8("open1"))).isTrue();
        assertThat(table.exists(Bytes.utf8("open2"))).isFalse();
        assertThat(table.exists(Bytes.utf8("open3"))).isFalse();
    }

    private PseudoTerminal shell() throws Exception {
        PseudoTerminal shell = PseudoTerminal.bt(home, "--at", cluster.at(), "shell");
        shell.await(PROMPT);
        return shell;
    }

    private static String enter(PseudoTerminal shell, String line) throws Exception {
        return enterUpTo(shell, line, "\n" + PROMPT);
    }

    private static String enterUpTo(PseudoTerminal shell, String line, String end) throws Exception {
        shell.type(line + "\r");
        return shell.await(end);
    }
}
