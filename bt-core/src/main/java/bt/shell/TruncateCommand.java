package bt.shell;

import bt.client.Bigtable;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.UsageException;
import bt.model.TableSchema;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bt truncate}. */
@picocli.CommandLine.Command(
        name = "truncate",
        description =
                "Empties a table, and keeps its schema, its rights and where its tablets end. An empty table takes its name; for"
                        + " a while bt undelete brings the one with the data back, by its id.",
        footerHeading = Command.EXAMPLES,
        footer = {"  bt truncate webtable --yes", "  bt truncate webtable --yes --no-wait"})
public final class TruncateCommand implements Command {
    @Parameters(paramLabel = "TABLE")
    private String table = "";

    @Option(names = "--yes", description = "Without it nothing is emptied.")
    private boolean yes;

    @Option(
            names = "--no-wait",
            description =
                    "Returns when the empty table is there, prints the id of the operation, and does not wait until its"
                            + " tablets are served.")
    private boolean noWait;

    @Override
    public Group group() {
        return Group.TABLES;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        if (!yes) {
            throw new UsageException(
                    "table " + table + " would be empty, but for bt undelete for a while", "say so with --yes");
        }
        Bigtable bigtable = Connected.to(invocation);
        if (noWait) {
            OperationsCommand.printBegun(invocation, bigtable.admin().startTruncation(table));
            return ExitCode.DONE;
        }
        TableSchema empty = bigtable.admin().truncateTable(table);
        invocation.err().println("table " + table + " is empty: id " + empty.id());
        return ExitCode.DONE;
    }
}
