package bt.main;

import static org.assertj.core.api.Assertions.assertThat;

import bt.command.ExitCode;
import bt.main.CommandLines.Result;
import java.nio.file.Files;
import java.nio.file.Path;
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
        assertThat(done("schema", "apply", file).err()).contains("nothing was done");
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
    void aFileThatIsWrongIsToldByItsName() throws Exception {
        String file = file("{\"table\":\"t\",\"famlies\":[]}");
        assertThat(bt.run("schema", "apply", file).err())
                .isEqualTo("bt: REJECTED: " + file + ": schema: \"famlies\" is not known here\n");
        assertThat(bt.run("schema", "apply", "nowhere.json").err()).contains("nowhere.json: cannot be read");
        assertThat(bt.run("schema").err()).contains("say show or apply");
    }
}
