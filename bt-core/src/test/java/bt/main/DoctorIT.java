package bt.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.client.Bigtable;
import bt.client.TabletInfo;
import bt.command.ExitCode;
import bt.connect.ClusterAddress;
import bt.connect.Connect;
import bt.connect.LocalSecret;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.main.CommandLines.Result;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
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
                assertThat(healthy.out()).endsWith(" 1 servers: healthy\n");
                assertThat(healthy.out().lines().filter(line -> line.startsWith("not examined\t")))
                        .as("what it leaves out, and how to ask for it")
                        .hasSize(depth.equals("read") ? 0 : 1)
                        .allMatch(line -> line.contains("--files read"));
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

    /** The doctor needs no secret to see that one file is not as the others. */
    @Test
    void aFileOfALockServiceThatAnybodyMayChangeIsNamed() throws Exception {
        Path secret = Files.writeString(directory.resolve("secret"), "bt:hush\n");
        String knowing = "-D" + LocalSecret.KEY + "=" + secret;
        try (JavaProcess dev = JavaProcess.btWith(
                directory,
                knowing,
                "dev",
                "--port",
                "0",
                "--data",
                directory.resolve("data").toString())) {
            String said = dev.awaitOutput("next, in another terminal: ").output();
            String at = said.replaceAll("(?s).*ready after \\S+ s: (zk://\\S+),.*", "$1");
            fill(at);
            CommandLines bt = new CommandLines(at);
            Result guarded = bt.run("doctor");
            assertThat(guarded.out()).endsWith(" 1 servers: healthy\n");
            try (LockService stranger = Connect.lockService(at)) {
                assertThatThrownBy(() -> stranger.create(Paths.ACCESS, Bytes.EMPTY))
                        .isInstanceOf(RejectedException.class)
                        .hasMessageContaining("the cluster has a secret, which this process does not know")
                        .hasMessageContaining("BT_ZOOKEEPER_SECRET_FILE");
                assertThatThrownBy(() -> stranger.delete(Paths.SUMMARY)).isInstanceOf(RejectedException.class);
            }

            ClusterAddress cluster = ClusterAddress.parse(at);
            ZooKeeper owner = new ZooKeeper(cluster.quorum(), 6_000, event -> {});
            try {
                owner.addAuthInfo("digest", "bt:hush".getBytes(StandardCharsets.UTF_8));
                owner.setACL("/bt/" + cluster.cluster() + "/root", ZooDefs.Ids.OPEN_ACL_UNSAFE, -1);
            } finally {
                owner.close();
            }
            Result open = bt.run("doctor");
            assertThat(open.code()).isEqualTo(ExitCode.NOTHING_FOUND);
            assertThat(open.out())
                    .startsWith("10\troot\tZooKeeper gives world:anyone:cdrwa, not digest:bt:x:cdrwa, world:anyone:r\n")
                    .endsWith(" 1 broken\n");
            assertThat(bt.run("doctor", "--fix").out()).as("without the secret").endsWith(" 1 broken\n");
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
