package bt.shell;

import bt.client.Admin;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bt flush}. */
@picocli.CommandLine.Command(
        name = "flush",
        description =
                "Has all tablets of a table write to files what they hold in memory. Says how far it is, and returns when it"
                        + " is done, or somebody has taken it back, or the table is dropped.",
        footerHeading = Command.EXAMPLES,
        footer = {"  bt flush webtable", "  bt flush webtable --no-wait"})
public final class FlushCommand implements Command {
    @Parameters(paramLabel = "TABLE")
    private String table = "";

    @Option(
            names = "--no-wait",
            description = "Returns when it has begun, with its id, which bt operations --wait waits for.")
    private boolean noWait;

    @Override
    public Group group() {
        return Group.TABLES;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        Admin admin = Connected.to(invocation).admin();
        OperationsCommand.printOrAwait(invocation, admin, admin.startFlush(table), noWait);
        return ExitCode.DONE;
    }
}
