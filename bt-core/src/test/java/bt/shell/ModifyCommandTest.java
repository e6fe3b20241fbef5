package bt.shell;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Bytes;
import bt.client.Bigtable;
import bt.client.Table;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.Kept;
import bt.command.UsageException;
import bt.model.Cell;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.testing.MemoryCluster;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class ModifyCommandTest {
    private static final TableSchema WEBTABLE =
            TableSchema.draft("webtable").family("anchor", GcRule.KEEP_ALL).build();
    private static final Bytes ROW = Bytes.utf8("com.cnn.www");

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private MemoryCluster cluster;
    private Bigtable bigtable;
    private Table table;

    @BeforeEach
    void start() throws Exception {
        cluster = new MemoryCluster();
        cluster.table(4, WEBTABLE, List.of(), 3);
        bigtable = Bigtable.over(cluster, cluster.locks, cluster.scheduler);
        table = bigtable.table("webtable");
        long unused = table.apply(RowMutation.of(ROW)
                .set("anchor", "www.abc.com", "ABC")
                .set("anchor", "cnnsi.com", "CNN")
                .build());
    }

    @AfterEach
    void stop() {
        bigtable.close();
        cluster.close();
    }

    private int modify(String... words) throws Exception {
        ModifyCommand command = new ModifyCommand();
        String[] all = Stream.concat(Stream.of("webtable", ROW.toString()), Stream.of(words))
                .toArray(String[]::new);
        CommandLine.ParseResult unused = new CommandLine(command).parseArgs(all);
        Kept kept = new Kept();
        Bigtable unusedToo = kept.get(Bigtable.class, "zk://open:1/t", () -> bigtable);
        PrintStream out = new PrintStream(said, true, UTF_8);
        return command.run(new Invocation(Map.of("at", "zk://open:1/t"), Set.of(), false, out, out, Path.of(""), kept));
    }

    private List<String> cells() throws Exception {
        return table.read(ROW).orElseThrow().cells().stream()
                .map((Cell cell) -> cell.column() + "=" + cell.value())
                .toList();
    }

    @Test
    void figure2OfThePaperCanBeTyped() throws Exception {
        assertThat(modify("--set", "anchor:www.c-span.org", "CNN", "--delete", "anchor:www.abc.com"))
                .isEqualTo(ExitCode.DONE);
        assertThat(cells()).containsExactly("anchor:cnnsi.com=CNN", "anchor:www.c-span.org=CNN");
        assertThat(said.toString(UTF_8)).isEmpty();
    }

    /** Whatever the order of the words. */
    @Test
    void aColumnIsDeletedBeforeItIsWritten() throws Exception {
        assertThat(modify("--set", "anchor:cnnsi.com", "new", "--delete", "anchor:cnnsi.com"))
                .isEqualTo(ExitCode.DONE);
        assertThat(cells()).containsExactly("anchor:cnnsi.com=new", "anchor:www.abc.com=ABC");
    }

    @Test
    void whatIsAddedIsPrintedBesideADeletion() throws Exception {
        assertThat(modify("--delete", "anchor:cnnsi.com", "--increment", "anchor:visits", "3"))
                .isEqualTo(ExitCode.DONE);
        assertThat(said.toString(UTF_8)).isEqualTo("anchor:visits\t3\n");
        assertThat(cells()).hasSize(2);
    }

    @Test
    void whereNothingIsToBeDoneThatIsAMistake() {
        assertThatThrownBy(this::modify)
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("nothing is to be modified: say --increment, --append, --set or --delete");
    }
}
