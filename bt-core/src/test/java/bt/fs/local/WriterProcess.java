package bt.fs.local;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.fs.FileStore.Placement;
import bt.fs.FileWriter;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A process of its own that writes the file {@code a} and prints, after each sync, how many bytes are safe. */
final class WriterProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader printed;

    private WriterProcess(Process process) {
        this.process = process;
        this.printed = process.inputReader();
    }

    static WriterProcess start(Path root) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return new WriterProcess(new ProcessBuilder(
                        java,
                        "-cp",
                        System.getProperty("java.class.path"),
                        WriterProcess.class.getName(),
                        root.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    void awaitSyncs(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            assertThat(printed.readLine()).isNotNull();
        }
    }

    void kill() {
        // By its handle: the process itself would close the pipe that we still read.
        process.toHandle().destroyForcibly();
    }

    /** What it printed last; it has ended then. */
    long lastSynced() throws IOException {
        return printed.lines().mapToLong(Long::parseLong).max().orElse(0);
    }

    int exitCode() throws InterruptedException {
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    @Override
    public void close() {
        kill();
    }

    public static void main(String[] args) throws BigtableException {
        FileWriter writer = LocalFileStore.open(Path.of(args[0])).create("a", Placement.LOG);
        byte[] bytes = new byte[100];
        try {
            while (true) {
                writer.append(bytes, 0, bytes.length);
                writer.sync();
                System.out.println(writer.position());
            }
        } catch (BigtableException e) {
            System.exit(e.kind().number());
        }
    }
}
