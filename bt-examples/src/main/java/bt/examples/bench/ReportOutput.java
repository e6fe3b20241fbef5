package bt.examples.bench;

import bt.command.Invocation;
import bt.command.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Parameters;

/**
 * Where the numbers of a bench go: printed as a table; as JSON to a file with {@code --json FILE} or {@code --json=FILE}, as JSON alone with
 * {@code --json}. A mixin of every bench. The option itself is that of all commands, so the file is a word of its own.
 */
public final class ReportOutput {
    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            description = "With --json: where the JSON goes; without a file it is printed in the table's place.")
    private @Nullable Path file;

    /** Before the bench begins, for nobody waits minutes to learn of a wrong word. */
    public void check(Invocation invocation) throws UsageException {
        if (file != null && !invocation.json()) {
            throw new UsageException("bench: " + file, "to write the numbers to a file, say --json " + file);
        }
        if (file != null) {
            checkCanBeWritten(file);
        }
    }

    /** As far as can be told without writing to it. */
    static void checkCanBeWritten(Path file) throws UsageException {
        Path parent = file.toAbsolutePath().getParent();
        boolean can = Files.exists(file)
                ? Files.isRegularFile(file) && Files.isWritable(file)
                : parent != null && Files.isDirectory(parent) && Files.isWritable(parent);
        if (!can) {
            throw new UsageException("bench: " + file + " cannot be written", "name a file in a directory that can be");
        }
    }

    public void write(Report report, Invocation invocation) throws IOException {
        write(report.json(), report.table(), invocation);
    }

    /** One of the two, or both. */
    public void write(String json, String table, Invocation invocation) throws IOException {
        if (invocation.json() && file == null) {
            invocation.out().println(json);
            return;
        }
        invocation.out().println(table);
        if (file != null) {
            Files.writeString(file, json + "\n");
        }
    }
}
