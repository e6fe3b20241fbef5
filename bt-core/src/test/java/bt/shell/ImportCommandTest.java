package bt.shell;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.RejectedException;
import bt.client.Bigtable;
import bt.command.Invocation;
import bt.command.Kept;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.protocol.Service;
import bt.testing.MemoryCluster;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What is told of cells that servers do not take. */
class ImportCommandTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();

    @TempDir
    private Path directory;

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    /** Of a file whose cells a server refuses all. */
    private BigtableException failure(String lines, Outcome outcome) throws Exception {
        Service refusing = (caller, request) ->
                CompletableFuture.failedFuture(new RejectedException("over its quota", "delete something", outcome));
        Path file = Files.writeString(directory.resolve("cells.csv"), "row,family,qualifier,value\n" + lines);
        try (MemoryCluster cluster = new MemoryCluster()) {
            cluster.table(4, DRAFT, List.of(), 3);
            cluster.listen(MemoryCluster.address(3), refusing);
            try (Bigtable bigtable = Bigtable.over(cluster, cluster.locks, cluster.scheduler)) {
                return catchThrowableOfType(BigtableException.class, () -> run(bigtable, file));
            }
        }
    }

    private int run(Bigtable bigtable, Path file) throws Exception {
        ImportCommand command = new ImportCommand();
        CommandLine.ParseResult unused = new CommandLine(command).parseArgs("t", file.toString());
        Kept kept = new Kept();
        Bigtable unusedToo = kept.get(Bigtable.class, "zk://open:1/t", () -> bigtable);
        PrintStream out = new PrintStream(said, true, UTF_8);
        return command.run(new Invocation(Map.of("at", "zk://open:1/t"), Set.of(), false, out, out, directory, kept));
    }

    @Test
    void whatAServerRefusesIsToldWithItsRowAndHowFarTheFileWasRead() throws Exception {
        BigtableException failure = failure("a,f,q,1\nb,f,q,2\n", Outcome.NOT_APPLIED);
        assertThat(failure)
                .isInstanceOf(RejectedException.class)
                .hasMessageStartingWith(directory.resolve("cells.csv") + ", up to line 3: ")
                .hasMessageMatching(".*; row [ab]: NOT_APPLIED: over its quota: delete something");
        assertThat(failure.outcome()).isEqualTo(Outcome.NOT_APPLIED);
    }

    /** Else nobody is told where the file is wrong, or who is believes that all before is written. */
    @Test
    void aLineThatIsNoCellIsToldAlsoWhereThoseBeforeItCouldNotBeWritten() throws Exception {
        for (Outcome outcome : Outcome.values()) {
            BigtableException failure = failure("a,f,q,1\nb,nosuch,q,2\nc,f,q,3\n", outcome);
            assertThat(failure)
                    .isInstanceOf(RejectedException.class)
                    .hasMessageStartingWith(directory.resolve("cells.csv") + ", line 3: table t has no family nosuch")
                    .hasMessageContaining("of what stands before it not all is written: up to line 3: ")
                    .hasMessageContaining("over its quota")
                    .hasMessageEndingWith("set such lines aside with --bad FILE");
            assertThat(failure.outcome()).isEqualTo(outcome);
        }
    }
}
