package bt.main;

import bt.base.RejectedException;
import bt.base.Version;
import bt.command.Invocation;
import java.io.PrintStream;
import java.util.LinkedHashMap;
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

    Invocation invocation(PrintStream out, PrintStream err) throws RejectedException {
        Map<String, String> overridden = new LinkedHashMap<>(overrides);
        if (!at.isEmpty()) {
            overridden.put(Setting.AT.key(), at);
        }
        return new Invocation(Configuration.read(Home.conf(), overridden).values(), json, out, err, Home.directory());
    }
}
