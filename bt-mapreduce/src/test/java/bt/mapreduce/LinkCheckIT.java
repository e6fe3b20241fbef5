package bt.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.BatchWriter;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.Kept;
import bt.main.MiniBigtable;
import bt.mapreduce.tool.LinksCommand;
import bt.model.ColumnKey;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** {@code bt links} over a real cluster, its job in this process. */
class LinkCheckIT {
    private static final int LENGTH = 200;
    private static final ColumnKey PREVIOUS = ColumnKey.of("f", "previous");

    private static MiniBigtable cluster;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeAll
    static void start() throws BigtableException {
        cluster = MiniBigtable.start();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void aWholeChainThroughThreeTabletsHasNothingMissing() throws Exception {
        lay("whole");
        assertThat(links("whole")).isEqualTo(ExitCode.DONE);
        assertThat(out).hasToString(LENGTH + " rows, " + (LENGTH - 1) + " links, 0 missing\n");
    }

    @Test
    void aRowThatIsDeletedIsFoundAndNamed() throws Exception {
        lay("broken");
        String lost = key(LENGTH / 2);
        cluster.bigtable()
                .table("broken")
                .apply(RowMutation.of(lost).deleteRow().build());
        assertThat(links("broken")).isEqualTo(ExitCode.CORRUPTION);
        assertThat(out).hasToString((LENGTH - 1) + " rows, " + (LENGTH - 2) + " links, 1 missing\n");
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("missing: " + lost + ", named by 1");
    }

    private int links(String table) throws Exception {
        try (Kept kept = new Kept()) {
            Invocation invocation = new Invocation(
                    Map.of("at", cluster.at()),
                    Set.of(),
                    false,
                    new PrintStream(out),
                    new PrintStream(err),
                    Path.of("target"),
                    kept);
            LinksCommand command = new LinksCommand();
            new CommandLine(command).parseArgs(table, PREVIOUS.toString(), "--reducers", "2");
            return command.run(invocation);
        }
    }

    private static void lay(String table) throws BigtableException {
        TableSchema draft =
                TableSchema.draft(table).family("f", GcRule.KEEP_ALL).build();
        cluster.bigtable().admin().createTable(draft, List.of(Bytes.utf8("5"), Bytes.utf8("a")));
        try (BatchWriter batch = cluster.bigtable().table(table).batch()) {
            for (int i = 0; i < LENGTH; i++) {
                String previous = i == 0 ? "" : key(i - 1);
                batch.add(RowMutation.of(key(i))
                        .set(PREVIOUS, Bytes.utf8(previous))
                        .build());
            }
        }
    }

    /** Spread over the key space, never two the same. */
    private static String key(int number) {
        return String.format("%016x", number * 0x9E3779B97F4A7C15L);
    }
}
