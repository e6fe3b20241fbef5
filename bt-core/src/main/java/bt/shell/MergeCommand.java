package bt.shell;

import bt.base.Bytes;
import bt.client.Bigtable;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.UsageException;
import picocli.CommandLine.Parameters;

/** {@code bt merge}. */
@picocli.CommandLine.Command(
        name = "merge",
        description =
                "Makes one tablet of all that hold rows from FROM to TO, both included. They are not served while it lasts,"
                        + " less than a second as a rule.",
        footerHeading = Command.EXAMPLES,
        footer = {"  bt merge webtable com.a com.z"})
public final class MergeCommand implements Command {
    @Parameters(index = "0", paramLabel = "TABLE")
    private String table = "";

    @Parameters(index = "1", paramLabel = "FROM")
    private String from = "";

    @Parameters(index = "2", paramLabel = "TO")
    private String to = "";

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
                    "rows from " + first + " to " + last + ": the first comes after the last; exchange them");
        }
        Bigtable bigtable = Connected.to(invocation);
        bigtable.admin().mergeTablets(table, first, last);
        return ExitCode.DONE;
    }
}
