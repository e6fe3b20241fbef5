package bt.main;

import static org.assertj.core.api.Assertions.assertThat;

import bt.client.Bigtable;
import bt.command.ExitCode;
import bt.connect.Connect;
import bt.main.CommandLines.Result;
import bt.model.TableAccess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bt schema} against a whole cluster. */
class SchemaCommandIT {
    private static MiniBigtable cluster;
    private static CommandLines bt;

    @TempDir
    private Path directory;

    @BeforeAll
    static void start() throws Exception {
        cluster = MiniBigtable.start();
        bt = CommandLines.over(cluster.bigtable());
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private String file(String json) throws Exception {
        return Files.writeString(directory.resolve("schema.json"), json).toString();
    }

    private static Result done(String... words) {
        Result result = bt.run(words);
        assertThat(result.code()).as(result.err()).isEqualTo(ExitCode.DONE);
        return result;
    }

    @Test
    void aFileMakesATableAndAppliedAgainDoesNothing() throws Exception {
        String file = file("{\"table\":\"made\",\"families\":[{\"family\":\"f\",\"garbage\":{\"versions\":2}}]}");
        Result unconfirmed = bt.run("schema", "apply", file);
        assertThat(unconfirmed.code()).isEqualTo(ExitCode.REJECTED);
        assertThat(unconfirmed.out()).startsWith("create table made\n");
        assertThat(unconfirmed.err()).contains("nobody has said yes to the plan, so nothing was done: --yes does it");
        assertThat(bt.run("describe", "made").code()).isEqualTo(ExitCode.REJECTED);

        assertThat(done("schema", "apply", file, "--yes").out()).startsWith("create table made\n");
        done("put", "made", "r", "f:q", "v");
        String shown = done("schema", "show", "made").out();
        Result again = done("schema", "apply", file(shown), "--yes");
        assertThat(again.out()).isEmpty();
        assertThat(again.err()).contains("table made is as ");
        assertThat(done("describe", "made", "--json").out()).contains("\"version\":1,");
    }

    @Test
    void aFamilyIsDroppedOnlyWhereThatIsAllowed() throws Exception {
        done("create", "lessened", "kept", "dropped");
        done("put", "lessened", "r", "kept:q", "v");
        String file = file("{\"table\":\"lessened\",\"families\":[{\"family\":\"kept\"}]}");
        Result refused = bt.run("schema", "apply", file, "--yes");
        assertThat(refused.code()).isEqualTo(ExitCode.REJECTED);
        assertThat(refused.out()).isEqualTo("DROP FAMILY dropped WITH ALL ITS CELLS, FOR GOOD\n");
        assertThat(refused.err()).contains("say so with --allow-drops");
        assertThat(done("describe", "lessened").out()).contains("family\tdropped");

        done("--json", "schema", "apply", file, "--yes", "--allow-drops");
        assertThat(done("describe", "lessened").out()).doesNotContain("family\tdropped");
        assertThat(done("get", "lessened", "r").out()).contains("kept:q");
    }

    @Test
    void aFamilyGetsAStricterRuleOnlyWhereThatIsAllowed() throws Exception {
        done("create", "stricter", "f:versions=2");
        done("put", "stricter", "r", "f:q", "old", "--timestamp", "1");
        done("put", "stricter", "r", "f:q", "new", "--timestamp", "2");
        String shown = done("schema", "show", "stricter").out();
        String file = file(shown.replaceFirst("\"versions\" ?: ?2", "\"versions\":1"));
        Result refused = bt.run("schema", "apply", file, "--yes");
        assertThat(refused.code()).isEqualTo(ExitCode.REJECTED);
        assertThat(refused.out())
                .isEqualTo("DROP WHAT A STRICTER RULE CALLS GARBAGE, FOR GOOD, change family f:"
                        + " versions=2,group=default -> versions=1,group=default\n");
        assertThat(refused.err()).contains("nothing was done: say so with --allow-drops");
        assertThat(done("get", "stricter", "r", "--versions", "9").out()).contains("old", "new");

        done("schema", "apply", file, "--yes", "--allow-drops");
        assertThat(done("get", "stricter", "r", "--versions", "9").out()).doesNotContain("old");
        done("schema", "apply", file(shown), "--yes");
    }

    @Test
    void listsOfRightsComeBackWithTheirTable() throws Exception {
        try (MiniBigtable guarded = MiniBigtable.start();
                Bigtable ofAda = Connect.to(guarded.at(), "ada");
                Bigtable ofBob = Connect.to(guarded.at(), "bob")) {
            CommandLines ada = CommandLines.over(ofAda);
            CommandLines bob = CommandLines.over(ofBob);
            String rights = "\"rights\":[{\"user\":\"alice\",\"rights\":\"read,write\"}]";
            String file =
                    file("{\"table\":\"kept\",\"families\":[{\"family\":\"f\"},{\"family\":\"g\"," + rights + "}]}");
            Result early = ada.run("schema", "apply", file, "--yes");
            assertThat(early.code()).isEqualTo(ExitCode.REJECTED);
            assertThat(early.err()).contains("first grant ada the right admin of the cluster");
            assertThat(ada.run("tables").out()).isEmpty();

            for (String[] line : new String[][] {
                {"grant", "ada", "all"},
                {"create", "kept", "f", "g"},
                {"revoke", "ada", "all", "kept"},
                {"grant", "alice", "read,write", "kept:g"},
                {"grant", "*", "read", "kept"}
            }) {
                assertThat(ada.run(line).code()).as(List.of(line).toString()).isEqualTo(ExitCode.DONE);
            }
            String shown = ada.run("schema", "show", "kept").out();
            Optional<TableAccess> lists = ofAda.table("kept").schema().access();
            assertThat(lists.orElseThrow().table().users()).containsOnlyKeys("*");

            String less = file(shown.replace("alice", "bob"));
            assertThat(bob.run("schema", "apply", less, "--yes").err()).contains("user bob has not the right admin");
            assertThat(ofAda.table("kept").schema().access()).isEqualTo(lists);

            assertThat(ada.run("drop", "kept", "--yes").code()).isEqualTo(ExitCode.DONE);
            Result again = ada.run("schema", "apply", file(shown), "--yes");
            assertThat(again.code()).as(again.err()).isEqualTo(ExitCode.DONE);
            assertThat(again.out())
                    .contains("rights of the table: everybody -> * read\n")
                    .contains("rights of family g: nobody -> alice read,write\n");
            assertThat(ofAda.table("kept").schema().access()).isEqualTo(lists);
            assertThat(ada.run("schema", "apply", file(shown), "--yes").err()).contains("table kept is as ");
        }
    }

    @Test
    void aFileThatIsWrongIsToldByItsName() throws Exception {
        String file = file("{\"table\":\"t\",\"famlies\":[]}");
        assertThat(bt.run("schema", "apply", file).err())
                .isEqualTo("bt: REJECTED: " + file
                        + ": schema: \"famlies\" is not known here: leave it out, or correct its name\n");
        assertThat(bt.run("schema", "apply", "nowhere.json").err()).contains("nowhere.json: there is no such file");
        assertThat(bt.run("schema").err()).contains("say show or apply");
    }
}
