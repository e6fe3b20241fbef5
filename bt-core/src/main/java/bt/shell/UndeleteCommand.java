package bt.shell;

import bt.client.Admin;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.UsageException;
import bt.model.TableSchema;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bt undelete}. */
@picocli.CommandLine.Command(
        name = "undelete",
        description = "Brings back the table that was dropped last under this name, with all its data.",
        footerHeading = Command.EXAMPLES,
        footer = {"  bt undelete webtable", "  bt undelete webtable --id 12", "  bt undelete webtable --no-wait"})
public final class UndeleteCommand implements Command {
    @Parameters(paramLabel = "DROPPED-TABLE", description = "bt tables --dropped lists those that can come back.")
    private String table = "";

    @Option(
            names = "--id",
            paramLabel = "N",
            description = "The one of this id, of several that were dropped or truncated under the name.")
    private @Nullable Long id;

    @Option(
            names = "--no-wait",
            description = "Returns when the table is back, prints the id of the operation, and does not wait until its"
                    + " tablets are served.")
    private boolean noWait;

    @Override
    public Group group() {
        return Group.TABLES;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        Long which = id;
        if (which != null && which < 1) {
            throw new UsageException("--id " + which, "bt tables --dropped lists the ids of those that can come back");
        }
        Admin admin = Connected.to(invocation).admin();
        if (noWait) {
            OperationsCommand.printBegun(
                    invocation, which == null ? admin.startUndeletion(table) : admin.startUndeletion(table, which));
            return ExitCode.DONE;
        }
        TableSchema back = which == null ? admin.undeleteTable(table) : admin.undeleteTable(table, which);
        invocation.err().println("table " + table + " is back: id " + back.id());
        return ExitCode.DONE;
    }
}
