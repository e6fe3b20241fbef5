package bt.examples.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import bt.base.BigtableException.Outcome;
import bt.base.UnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code bin/bt} of the distribution, as a user of the demo's cluster would call it. */
final class BtCommand {
    private static final long MINUTES = 4;

    private final Workspace workspace;
    private final Processes processes;

    BtCommand(Workspace workspace, Processes processes) {
        this.workspace = workspace;
        this.processes = processes;
    }

    /** Runs to the end; its lines, those of standard error among them. UNAVAILABLE when it does not succeed. */
    List<String> run(String name, String... words) throws IOException, InterruptedException {
        Files.deleteIfExists(workspace.log(name));
        Process process = start(name, words);
        boolean ended;
        try {
            ended = process.waitFor(MINUTES, TimeUnit.MINUTES);
        } finally {
            ProcessTree.end(process.toHandle());
        }
        List<String> lines = Files.readAllLines(workspace.log(name), UTF_8);
        if (!ended || process.exitValue() != 0) {
            String last = lines.isEmpty() ? "without a word" : lines.get(lines.size() - 1);
            throw new UnavailableException(
                    "bt " + String.join(" ", words) + " failed: " + last + " (see " + workspace.log(name) + ")",
                    Outcome.UNKNOWN);
        }
        return lines;
    }

    /** Leaves it running. */
    Process start(String name, String... words) throws IOException {
        List<String> command =
                new ArrayList<>(List.of(workspace.home().resolve("bin/bt").toString()));
        command.addAll(List.of(words));
        return processes.start(name, command, workspace.data("tmp"), environment());
    }

    /** What a shell needs to reach the cluster, as words to put before a command. */
    String prefix() {
        Map<String, String> variables = environment();
        return Stream.of("HADOOP_CONF_DIR", "BT_CONF_DIR")
                .map(name -> name + "=" + variables.get(name))
                .collect(Collectors.joining(" "));
    }

    private Map<String, String> environment() {
        String conf = workspace.conf().toString();
        return Map.of(
                "HADOOP_CONF_DIR",
                conf,
                "BT_CONF_DIR",
                conf,
                "BT_OPTS",
                "",
                "JAVA_HOME",
                Path.of(System.getProperty("java.home")).toString());
    }
}
