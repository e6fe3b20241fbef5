package bt.examples.cluster;

import bt.base.BigtableException.Outcome;
import bt.base.UnavailableException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A JVM with the class path of this one, that lives no longer than this one; its log is a file. Any thread. */
public final class JavaProcess {
    private static final long END_SECONDS = 20;

    private final String name;
    private final Path log;
    private final Process process;

    private JavaProcess(String name, Path log, Process process) {
        this.name = name;
        this.log = log;
        this.process = process;
    }

    /**
     * Starts a main class. {@code conf} goes before the class path, {@code options} are the JVM's. Standard error goes to the
     * log, standard output too unless it is a pipe.
     */
    public static JavaProcess start(
            String name, Workplace at, List<String> options, ProcessBuilder.Redirect output, List<String> mainAndWords)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-cp", at.conf() + File.pathSeparator + System.getProperty("java.class.path")));
        command.addAll(mainAndWords);
        Path log = at.log(name);
        Process process = new ProcessBuilder(command)
                .directory(at.directory().toFile())
                .redirectOutput(output)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly, "end " + name));
        return new JavaProcess(name, log, process);
    }

    /** What it was started as. */
    public String name() {
        return name;
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** The last line of its log: of one that has halted, why. */
    public String lastWords() throws IOException {
        List<String> lines =
                Files.readAllLines(log).stream().filter(line -> !line.isBlank()).toList();
        return lines.isEmpty() ? "" : lines.get(lines.size() - 1);
    }

    /** Whether a line of its log has these words. */
    public boolean hasSaid(String words) throws IOException {
        try (Stream<String> lines = Files.lines(log)) {
            return lines.anyMatch(line -> line.contains(words));
        }
    }

    /** With its streams; those that are no pipe are empty. */
    public Process process() {
        return process;
    }

    /** SIGKILL; returns when the process has ended. */
    public void kill() throws InterruptedException, UnavailableException {
        process.destroyForcibly();
        if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
            throw new UnavailableException(
                    name + ": process " + pid() + " outlives SIGKILL by " + END_SECONDS + " s", Outcome.UNKNOWN);
        }
    }

    /** SIGSTOP: from now on it does nothing at all, and knows nothing of it. */
    public void pause() throws IOException, InterruptedException {
        signal("STOP");
    }

    /** SIGCONT, after {@link #pause}. */
    public void resume() throws IOException, InterruptedException {
        signal("CONT");
    }

    /** What a JVM can send by itself ends a process. */
    private void signal(String signal) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(pid()))
                .redirectErrorStream(true)
                .start();
        if (!kill.waitFor(END_SECONDS, TimeUnit.SECONDS) || (kill.exitValue() != 0 && isAlive())) {
            throw new UnavailableException(name + ": SIG" + signal + " to " + pid() + " failed", Outcome.UNKNOWN);
        }
    }

    /** For whoever needs it and finds it gone. */
    public void checkAlive() throws UnavailableException {
        if (!isAlive()) {
            throw new UnavailableException(
                    name + " ended with " + process.exitValue() + ": see " + log, Outcome.NOT_APPLIED);
        }
    }
}
