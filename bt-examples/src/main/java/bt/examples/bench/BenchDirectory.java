package bt.examples.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a bench writes its files. */
public final class BenchDirectory {
    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description = "Where the files are written; a new directory in it is used and removed.")
    private @Nullable Path directory;

    /** A new one, for the bench of that name, which removes it. */
    public Path create(String bench) throws IOException {
        Path parent = directory == null ? Path.of(System.getProperty("java.io.tmpdir")) : directory;
        return Files.createTempDirectory(Files.createDirectories(parent), "bt-bench-" + bench);
    }
}
