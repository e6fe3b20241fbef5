package bt.main;

import bt.base.RejectedException;
import bt.base.Version;
import bt.command.Invocation;
import bt.command.Kept;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The words that every command understands. */
@Command(
        name = "bt",
        description = "An open Bigtable on Hadoop.",
        mixinStandardHelpOptions = true,
        version = "bt " + Version.TEXT,
        scope = ScopeType.INHERIT,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = picocli.CommandLine.HelpCommand.class)
final class RootCommand {
    @Option(
            names = "--at",
            paramLabel = "zk://HOST:PORT/NAME",
            scope = ScopeType.INHERIT,
            description = "The cluster to talk to (default: key at of the configuration).")
    private String at = "";

    @Option(names = "--json", scope = ScopeType.INHERIT, description = "Print data as JSON.")
    private boolean json;

    @Option(names = "--trace", scope = ScopeType.INHERIT, description = "Show the stack trace of an error.")
    private boolean trace;

    @Option(
            names = "-D",
            paramLabel = "KEY=VALUE",
            scope = ScopeType.INHERIT,
            description = "Overrides a key of the configuration.")
    private Map<String, String> overrides = new LinkedHashMap<>();

    boolean trace() {
        return trace;
    }

    boolean json() {
        return json;
    }

    /** A line of a session that began with these words: what it does not say itself, it was told with them. */
    String[] complete(List<String> line) {
        List<String> words = new ArrayList<>();
        if (!at.isEmpty() && line.stream().noneMatch(word -> word.equals("--at") || word.startsWith("--at="))) {
            words.addAll(List.of("--at", at));
        }
        if (json && !line.contains("--json")) {
            words.add("--json");
        }
        if (trace && !line.contains("--trace")) {
            words.add("--trace");
        }
        overrides.forEach((key, value) -> words.add("-D" + key + "=" + value));
        words.addAll(line);
        return words.toArray(new String[0]);
    }

    Invocation invocation(PrintStream out, PrintStream err, Kept kept) throws RejectedException {
        Map<String, String> overridden = new LinkedHashMap<>(overrides);
        if (!at.isEmpty()) {
            overridden.put(Setting.AT.key(), at);
        }
        Configuration configuration = Configuration.read(Home.conf(), overridden);
        return new Invocation(configuration.values(), configuration.given(), json, out, err, Home.directory(), kept);
    }
}
