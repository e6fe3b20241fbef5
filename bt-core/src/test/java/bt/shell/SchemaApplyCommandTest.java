package bt.shell;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.Bytes;
import bt.client.Bigtable;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.Kept;
import bt.coord.Paths;
import bt.metadata.Schemas;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Request;
import bt.record.CreateTable;
import bt.record.MasterFile;
import bt.record.TableCreated;
import bt.record.WorkReport;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class SchemaApplyCommandTest {
    private static final Address MASTER = new Address("master", 1);
    private static final String SCHEMA = "{\"table\":\"webtable\",\"families\":[{\"family\":\"anchor\"}]}";

    @TempDir
    private Path directory;

    /** Rows that end a tablet. */
    private final List<Bytes> asked = new ArrayList<>();

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private MemoryCluster cluster;
    private Bigtable bigtable;

    @BeforeEach
    void start() throws Exception {
        cluster = new MemoryCluster();
        cluster.locks.create(Paths.MASTER, AvroBytes.encode(new MasterFile(MASTER.toString(), "nonce")));
        cluster.listen(MASTER, (caller, request) -> answer(((Request.Control) request).message()));
        bigtable = Bigtable.over(cluster, cluster.locks, cluster.scheduler);
    }

    @AfterEach
    void stop() {
        bigtable.close();
        cluster.close();
    }

    /** A master's, which is asked to create a table, and then that its creation be listed no more. */
    private CompletableFuture<Answer> answer(Object message) {
        if (!(message instanceof CreateTable wanted)) {
            return CompletableFuture.completedFuture(new Answer.Control(new WorkReport(List.of())));
        }
        try {
            List<Bytes> ends = wanted.getSplitRows().stream()
                    .map(AvroBytes::bytes)
                    .sorted()
                    .toList();
            asked.addAll(ends);
            cluster.table(4, Schemas.decode(wanted.getTable()), ends, 3);
            return CompletableFuture.completedFuture(new Answer.Control(new TableCreated(4L)));
        } catch (Exception failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    private int apply(String... words) throws Exception {
        SchemaApplyCommand command = new SchemaApplyCommand();
        Path file = Files.writeString(directory.resolve("webtable.json"), SCHEMA);
        String[] all = Stream.concat(Stream.of(file.toString(), "--yes"), Stream.of(words))
                .toArray(String[]::new);
        CommandLine.ParseResult unused = new CommandLine(command).parseArgs(all);
        Kept kept = new Kept();
        Bigtable unusedToo = kept.get(Bigtable.class, "zk://open:1/t", () -> bigtable);
        PrintStream out = new PrintStream(said, true, UTF_8);
        return command.run(new Invocation(Map.of("at", "zk://open:1/t"), Set.of(), false, out, out, directory, kept));
    }

    @Test
    void aTableIsCreatedWithAsManyTabletsAsAreWanted() throws Exception {
        assertThat(apply("--split", "com.t", "--split", "com.\\x6d")).isEqualTo(ExitCode.DONE);
        assertThat(asked).containsExactly(Bytes.utf8("com.m"), Bytes.utf8("com.t"));
        assertThat(bigtable.table("webtable").tablets()).hasSize(3);
        assertThat(apply("--split", "com.x")).isEqualTo(ExitCode.DONE);
        assertThat(said.toString(UTF_8)).contains("table webtable is as ");
        assertThat(bigtable.table("webtable").tablets()).hasSize(3);
    }
}
