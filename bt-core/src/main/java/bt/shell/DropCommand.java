package bt.shell;

import bt.client.Bigtable;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.UsageException;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bt drop}. */
@picocli.CommandLine.Command(
        name = "drop",
        description = "Drops a table with all its data; for a while bt undelete brings it back.",
        footerHeading = Command.EXAMPLES,
        footer = {"  bt drop webtable --yes"})
public final class DropCommand implements Command {
    @Parameters(paramLabel = "TABLE")
    private String table = "";

    @Option(names = "--yes", description = "Without it nothing is dropped.")
    private boolean yes;

    @Override
    public Group group() {
        return Group.TABLES;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        if (!yes) {
            throw new UsageException(
                    "table " + table + " would be gone with all its data, but for bt undelete for a while",
                    "say so with --yes");
        }
        Bigtable bigtable = Connected.to(invocation);
        bigtable.admin().dropTable(table);
        return ExitCode.DONE;
    }
}
