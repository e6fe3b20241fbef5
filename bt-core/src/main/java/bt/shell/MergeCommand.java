package bt.shell;

import bt.base.Bytes;
import bt.client.Admin;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.UsageException;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bt merge}. */
@picocli.CommandLine.Command(
        name = "merge",
        description =
                "Makes one tablet of all that hold rows from FROM to TO, both included. They are not served while it lasts,"
                        + " less than a second as a rule. Says how far it is, and returns when it is done.",
        footerHeading = Command.EXAMPLES,
        footer = {"  bt merge webtable com.a com.z", "  bt merge webtable com.a com.z --no-wait"})
public final class MergeCommand implements Command {
    @Parameters(index = "0", paramLabel = "TABLE")
    private String table = "";

    @Parameters(index = "1", paramLabel = "FROM")
    private String from = "";

    @Parameters(index = "2", paramLabel = "TO")
    private String to = "";

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
        Bytes first = Bytes.parse(from);
        Bytes last = Bytes.parse(to);
        if (first.compareTo(last) > 0) {
            throw new UsageException(
                    "rows from " + first + " to " + last + ": the first comes after the last", "exchange them");
        }
        Admin admin = Connected.to(invocation).admin();
        OperationsCommand.printOrAwait(invocation, admin, admin.startMerge(table, first, last), noWait);
        return ExitCode.DONE;
    }
}
