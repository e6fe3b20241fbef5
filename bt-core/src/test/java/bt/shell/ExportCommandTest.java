package bt.shell;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.client.Bigtable;
import bt.client.LongRow;
import bt.client.Scan;
import bt.command.Invocation;
import bt.command.Kept;
import bt.command.UsageException;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.model.GcRule;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.protocol.Service;
import bt.testing.MemoryCluster;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ExportCommandTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final List<Cell> written = new ArrayList<>();

    @Test
    void aRowThatACompactionOvertakesIsExportedToItsEndAndThatIsSaid() throws Exception {
        LongRow row = new LongRow(4);
        assertThat(export(row, row)).isEqualTo(4);
        assertThat(written)
                .extracting(Cell::column)
                .containsExactly(
                        ColumnKey.of("f", "q0"),
                        ColumnKey.of("f", "q1"),
                        ColumnKey.of("f", "q2"),
                        ColumnKey.of("f", "q3"));
        assertThat(said.toString(UTF_8)).hasLineCount(1).startsWith("of two moments");
    }

    @Test
    void whatIsRefusedForAnotherReasonEndsIt() {
        Service refusing = (caller, request) ->
                CompletableFuture.failedFuture(new RejectedException("not with these rights", "ask for another"));
        assertThatThrownBy(() -> export(refusing, new LongRow(1))).isInstanceOf(RejectedException.class);
        assertThat(said.toString(UTF_8)).isEmpty();
    }

    @Test
    void whereItFailsInTheMiddleNothingOfItStays(@TempDir Path directory) throws Exception {
        LongRow row = new LongRow(4);
        AtomicInteger pages = new AtomicInteger();
        Service failing = (caller, request) -> pages.incrementAndGet() < 3
                ? row.handle(caller, request)
                : CompletableFuture.failedFuture(new RejectedException("not with these rights", "ask for another"));
        Path file = directory.resolve("cells.csv");
        assertThatThrownBy(() -> withTable(failing, bigtable -> run(bigtable, file)))
                .isInstanceOf(RejectedException.class);
        assertThat(pages.get()).isGreaterThan(2);
        assertThat(said.toString(UTF_8)).isEqualTo(file + ".part is removed, for it was not finished\n");
        assertThat(directory).isEmptyDirectory();
    }

    /** Two exports to one file would each write over what the other has. */
    @Test
    void whatAnotherExportWritesIsLeftAlone(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("cells.csv");
        Path part = Files.writeString(directory.resolve("cells.csv.part"), "another's");
        assertThatThrownBy(() -> withTable(new LongRow(4), bigtable -> run(bigtable, file)))
                .isInstanceOf(UsageException.class)
                .hasMessage(part + " is there already: another export writes it, or was killed: wait for its end, or"
                        + " remove it, or name another file");
        assertThat(part).hasContent("another's");
        assertThat(file).doesNotExist();
        assertThat(said.toString(UTF_8)).isEmpty();
    }

    @Test
    void anExportThatIsInterruptedSaysOfWhatAndAfterHowMuch() {
        PrintStream err = new PrintStream(said, true, UTF_8);
        Scan scan = Scan.of(RowRange.row(LongRow.ROW));
        try {
            assertThatThrownBy(() -> withTable(
                            new LongRow(4),
                            bigtable -> ExportCommand.copy(
                                    bigtable.table("t"),
                                    scan,
                                    cell -> Thread.currentThread().interrupt(),
                                    err)))
                    .isInstanceOf(UnavailableException.class)
                    .hasMessage("export of table t: interrupted after 1 cells, and part of them is no export: begin it"
                            + " again");
        } finally {
            boolean unused = Thread.interrupted();
        }
    }

    private int run(Bigtable bigtable, Path file) throws Exception {
        ExportCommand command = new ExportCommand();
        CommandLine.ParseResult unused = new CommandLine(command).parseArgs("t", file.toString());
        Kept kept = new Kept();
        Bigtable unusedToo = kept.get(Bigtable.class, "zk://open:1/t", () -> bigtable);
        return command.run(new Invocation(
                Map.of("at", "zk://open:1/t"),
                Set.of(),
                false,
                new PrintStream(said, true, UTF_8),
                new PrintStream(said, true, UTF_8),
                Path.of(""),
                kept));
    }

    /** Does something with a cluster of one server. */
    @FunctionalInterface
    private interface Story<T> {
        T tell(Bigtable bigtable) throws Exception;
    }

    private static <T> T withTable(Service server, Story<T> story) throws Exception {
        try (MemoryCluster cluster = new MemoryCluster()) {
            cluster.table(4, DRAFT, List.of(), 3);
            cluster.listen(MemoryCluster.address(3), server);
            try (Bigtable bigtable = Bigtable.over(cluster, cluster.locks, cluster.scheduler)) {
                return story.tell(bigtable);
            }
        }
    }

    private long export(Service server, LongRow row) throws Exception {
        return withTable(
                server,
                bigtable -> ExportCommand.copy(
                        bigtable.table("t"),
                        Scan.of(RowRange.row(LongRow.ROW)),
                        cell -> {
                            written.add(cell);
                            row.overtake();
                        },
                        new PrintStream(said, true, UTF_8)));
    }
}
