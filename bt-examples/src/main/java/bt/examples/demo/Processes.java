package bt.examples.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import bt.base.RejectedException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The processes of a run, which it ends in the reverse order of their start. They are written down first, so that the next
 * run can end what a run that was killed itself has left.
 */
final class Processes {
    private static final String DEMO = "demo";

    private final Workspace workspace;
    private final List<Started> started = new ArrayList<>();
    private boolean ended;

    private Processes(Workspace workspace) {
        this.workspace = workspace;
    }

    /** Ends what an earlier run left, wipes its directory, and begins. REJECTED while the earlier run still runs. */
    static Processes begin(Workspace workspace) throws IOException, InterruptedException {
        endLeftOver(workspace);
        workspace.wipe();
        Processes processes = new Processes(workspace);
        processes.write(Started.of(DEMO, ProcessHandle.current()));
        return processes;
    }

    /** Ends what an earlier run left; how many processes that were. REJECTED while that run still runs. */
    static int endLeftOver(Workspace workspace) throws IOException, InterruptedException {
        Path file = workspace.processes();
        if (!Files.exists(file)) {
            return 0;
        }
        int count = 0;
        for (String line : Files.readAllLines(file, UTF_8)) {
            Optional<Started> one = Started.parse(line);
            Optional<ProcessHandle> living = one.flatMap(Started::living);
            if (one.isPresent() && living.isPresent()) {
                if (one.get().name().equals(DEMO)) {
                    throw new RejectedException(
                            "a demo runs in " + workspace.directory() + " as process "
                                    + one.get().pid(),
                            "wait for its end");
                }
                ProcessTree.end(living.get());
                count++;
            }
        }
        Files.delete(file);
        return count;
    }

    /**
     * Starts a process whose output goes to its log, and which Ctrl-C does not reach: the terminal would end the node
     * manager with it, and nobody would know any more what it had started.
     */
    synchronized Process start(String name, List<String> command, Path directory, Map<String, String> environment)
            throws IOException {
        if (ended) {
            throw new IOException(name + " is not started: the demo ends");
        }
        List<String> words = new ArrayList<>(List.of("/bin/sh", "-c", "trap '' INT; exec \"$@\"", "sh"));
        words.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(words)
                .directory(directory.toFile())
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(workspace.log(name).toFile()));
        builder.environment().putAll(environment);
        Process process = builder.start();
        write(Started.of(name, process.toHandle()));
        return process;
    }

    /** A process that YARN has started, to be ended too should YARN not do it. */
    synchronized void watch(String name, long pid) throws IOException {
        Optional<ProcessHandle> process = ProcessHandle.of(pid);
        if (process.isPresent() && !ended) {
            write(Started.of(name, process.get()));
        }
    }

    /** Leaves everything running. */
    synchronized void keep() {
        ended = true;
    }

    /** Ends all of them; nothing starts any more. */
    synchronized void end() throws IOException, InterruptedException {
        if (ended) {
            return;
        }
        ended = true;
        for (int i = started.size() - 1; i >= 0; i--) {
            Optional<ProcessHandle> living = started.get(i).living();
            if (living.isPresent()
                    && living.get().pid() != ProcessHandle.current().pid()) {
                ProcessTree.end(living.get());
            }
        }
        Files.deleteIfExists(workspace.processes());
    }

    private void write(Started process) throws IOException {
        started.add(process);
        Files.writeString(
                workspace.processes(),
                process.line() + "\n",
                UTF_8,
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }
}
