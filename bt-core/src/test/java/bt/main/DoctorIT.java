package bt.main;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.client.Bigtable;
import bt.client.TabletInfo;
import bt.command.ExitCode;
import bt.connect.Connect;
import bt.main.CommandLines.Result;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bt doctor} beside a cluster that runs in a process of its own. */
class DoctorIT {
    @TempDir
    private Path directory;

    @Test
    void aFileThatWasDeletedUnderARunningClusterIsNamed() throws Exception {
        Path data = directory.resolve("data");
        try (JavaProcess dev = JavaProcess.bt(directory, "dev", "--port", "0", "--data", data.toString())) {
            String said = dev.awaitOutput("next, in another terminal: ").output();
            String at = said.replaceAll("(?s).*ready after \\S+ s: (zk://\\S+),.*", "$1");
            fill(at);
            CommandLines bt = new CommandLines(at);
            for (String depth : List.of("names", "open", "read")) {
                Result healthy = bt.run("doctor", "--files", depth);
                assertThat(healthy.out()).endsWith(" 1 servers: healthy\n").hasLineCount(1);
                assertThat(healthy.code()).isEqualTo(ExitCode.DONE);
            }

            Path lost = oneFileOf(data.resolve("files/data/1"));
            Files.delete(lost);
            String path = data.resolve("files").relativize(lost).toString();
            Result broken = bt.run("doctor");
            assertThat(broken.code()).isEqualTo(ExitCode.NOTHING_FOUND);
            assertThat(broken.out())
                    .contains("3\ttable t rows [")
                    .contains(path + "\tthe file is missing\n")
                    .endsWith(" 1 broken\n");
            Result document = bt.run("doctor", "--json");
            assertThat(document.code()).isEqualTo(ExitCode.NOTHING_FOUND);
            assertThat(document.out())
                    .startsWith("{\"healthy\":false,")
                    .contains("{\"invariant\":3,", "\"table\":\"t\"", "\"file\":\"" + path + "\"");
        }
    }

    @Test
    void aClusterThatNeverWasIsAMistake() {
        Result nobody = new CommandLines("zk://127.0.0.1:1/dev").run("doctor");
        assertThat(nobody.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(nobody.err()).startsWith("bt: UNAVAILABLE: ").hasLineCount(1);
    }

    /** Two tablets with a file each. */
    private static void fill(String at) throws Exception {
        try (Bigtable bigtable = Connect.to(at)) {
            TableSchema draft =
                    TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
            bigtable.admin().createTable(draft, List.of(Bytes.utf8("m")));
            for (String row : List.of("a", "z")) {
                bigtable.table("t").apply(RowMutation.of(row).set("f", "q", "v").build());
            }
            bigtable.admin().flush("t");
            assertThat(bigtable.table("t").tablets())
                    .extracting(TabletInfo::bytes)
                    .allMatch(bytes -> bytes > 0);
        }
    }

    private static Path oneFileOf(Path table) throws Exception {
        try (Stream<Path> files = Files.walk(table)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> !file.getFileName().toString().startsWith("."))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
