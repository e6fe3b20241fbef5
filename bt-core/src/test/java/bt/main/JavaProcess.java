package bt.main;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** A {@code bt} command in a JVM of its own. */
public final class JavaProcess implements AutoCloseable {
    private final Process process;
    private final Path output;

    private JavaProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /** Standard output and error go to one file in the directory. */
    public static JavaProcess bt(Path directory, String... words) throws IOException {
        return start(directory, ProcessBuilder.Redirect.PIPE, List.of(), words);
    }

    /** The same with a heap of so many megabytes. */
    static JavaProcess bt(Path directory, int heapMegabytes, String... words) throws IOException {
        return start(directory, ProcessBuilder.Redirect.PIPE, List.of("-Xmx" + heapMegabytes + "m"), words);
    }

    /** The same with an option of Java's. */
    static JavaProcess btWith(Path directory, String option, String... words) throws IOException {
        return start(directory, ProcessBuilder.Redirect.PIPE, List.of(option), words);
    }

    /** The same with a file as standard input. */
    static JavaProcess bt(Path directory, Path input, String... words) throws IOException {
        return start(directory, ProcessBuilder.Redirect.from(input.toFile()), List.of(), words);
    }

    /** Both. */
    static JavaProcess bt(Path directory, int heapMegabytes, Path input, String... words) throws IOException {
        return start(
                directory, ProcessBuilder.Redirect.from(input.toFile()), List.of("-Xmx" + heapMegabytes + "m"), words);
    }

    private static JavaProcess start(
            Path directory, ProcessBuilder.Redirect input, List<String> options, String... words) throws IOException {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                // As bin/bt starts a command: they end before the compiler that optimizes has won anything.
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dbt.conf.dir=" + Path.of("..", "conf").toAbsolutePath(),
                "-cp",
                System.getProperty("java.class.path")));
        line.addAll(options);
        line.add("bt.main.Main");
        line.addAll(List.of(words));
        Path output = Files.createTempFile(directory, "bt", ".out");
        Process process = new ProcessBuilder(line)
                .redirectInput(input)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return new JavaProcess(process, output);
    }

    public String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Waits until it has said this. */
    public JavaProcess awaitOutput(String text) {
        Awaitility.await().atMost(Duration.ofSeconds(90)).until(() -> output().contains(text) || !process.isAlive());
        assertThat(output()).contains(text);
        return this;
    }

    /** Waits for its end: the exit code. */
    int awaitEnd() throws InterruptedException {
        assertThat(process.waitFor(90, TimeUnit.SECONDS)).as(output()).isTrue();
        return process.exitValue();
    }

    long pid() {
        return process.pid();
    }

    /** SIGKILL. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        awaitEnd();
    }

    /** SIGTERM. */
    void terminate() {
        process.destroy();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
