package bt.shell;

import bt.client.Bigtable;
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
        footer = {"  bt undelete webtable", "  bt undelete webtable --id 12"})
public final class UndeleteCommand implements Command {
    @Parameters(paramLabel = "DROPPED-TABLE", description = "bt tables --dropped lists those that can come back.")
    private String table = "";

    @Option(
            names = "--id",
            paramLabel = "N",
            description = "The one of this id, of several that were dropped or truncated under the name.")
    private @Nullable Long id;

    @Override
    public Group group() {
        return Group.TABLES;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        Long which = id;
        if (which != null && which < 1) {
            throw new UsageException(
                    "--id " + which + ": bt tables --dropped lists the ids of those that can come back");
        }
        Bigtable bigtable = Connected.to(invocation);
        TableSchema back = which == null
                ? bigtable.admin().undeleteTable(table)
                : bigtable.admin().undeleteTable(table, which);
        invocation.err().println("table " + table + " is back: id " + back.id());
        return ExitCode.DONE;
    }
}
