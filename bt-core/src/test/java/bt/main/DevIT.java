package bt.main;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Bigtable;
import bt.client.Scan;
import bt.client.Scanner;
import bt.client.Table;
import bt.command.ExitCode;
import bt.connect.Connect;
import bt.model.ColumnKey;
import bt.model.GcRule;
import bt.model.Row;
import bt.model.RowMutation;
import bt.model.TableSchema;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bt dev} as a process that is killed, refused, and asked to stop. */
class DevIT {
    private static final Pattern READY = Pattern.compile("ready after ([0-9.]+) s: (zk://\\S+),");
    private static final ColumnKey COLUMN = ColumnKey.of("f", "q");

    @TempDir
    private Path directory;

    @Test
    void whatWasAcknowledgedSurvivesAKillAndAStop() throws Exception {
        Map<String, String> acknowledged = new ConcurrentSkipListMap<>();
        try (JavaProcess dev = dev()) {
            try (Bigtable bigtable = Connect.to(ready(dev, "first start").group(2))) {
                bigtable.admin()
                        .createTable(
                                TableSchema.draft("t")
                                        .family("f", GcRule.KEEP_ALL)
                                        .build(),
                                List.of(Bytes.utf8("row3")));
                Thread writer = new Thread(() -> writeUntilItFails(bigtable, acknowledged));
                writer.start();
                while (acknowledged.size() < 300) {
                    Thread.sleep(1);
                }
                dev.kill();
                writer.interrupt();
                writer.join();
            }
        }
        try (JavaProcess dev = dev()) {
            String at = ready(dev, "start after SIGKILL").group(2);
            assertThat(rows(at)).containsAllEntriesOf(acknowledged);

            try (JavaProcess second = dev()) {
                assertThat(second.awaitEnd()).isEqualTo(ExitCode.REJECTED);
                assertThat(second.output()).contains("process " + dev.pid()).hasLineCount(1);
            }

            long began = System.nanoTime();
            dev.terminate();
            dev.awaitEnd();
            System.out.printf("stopped after SIGTERM in %.1f s%n", (System.nanoTime() - began) / 1e9);
            assertThat(dev.output()).doesNotContain("halted").doesNotContain("ERROR");
        }
        try (JavaProcess dev = dev()) {
            String at = ready(dev, "start after SIGTERM").group(2);
            assertThat(dev.output()).as("what was stopped needs no recovery").doesNotContain("replayed");
            assertThat(rows(at)).containsAllEntriesOf(acknowledged);
        }
    }

    private JavaProcess dev() throws Exception {
        return JavaProcess.bt(
                directory,
                "dev",
                "--port",
                "0",
                "--data",
                directory.resolve("data").toString());
    }

    private static Matcher ready(JavaProcess dev, String what) {
        Matcher line =
                READY.matcher(dev.awaitOutput("next, in another terminal: ").output());
        assertThat(line.find()).isTrue();
        System.out.println("bt dev, " + what + ": ready after " + line.group(1) + " s");
        return line;
    }

    private static void writeUntilItFails(Bigtable bigtable, Map<String, String> acknowledged) {
        try {
            Table table = bigtable.table("t");
            for (int i = 0; ; i++) {
                String row = "row" + i;
                table.apply(
                        RowMutation.of(row).set(COLUMN, Bytes.utf8("value" + i)).build());
                acknowledged.put(row, "value" + i);
            }
        } catch (BigtableException killed) {
            // What failed was not acknowledged.
        }
    }

    private static Map<String, String> rows(String at) throws BigtableException {
        Map<String, String> rows = new TreeMap<>();
        try (Bigtable bigtable = Connect.to(at);
                Scanner scanner = bigtable.table("t").scan(Scan.all())) {
            for (Optional<Row> row = scanner.next(); row.isPresent(); row = scanner.next()) {
                rows.put(
                        row.get().key().toUtf8(),
                        row.get().value(COLUMN).orElseThrow().toUtf8());
            }
        }
        return rows;
    }
}
