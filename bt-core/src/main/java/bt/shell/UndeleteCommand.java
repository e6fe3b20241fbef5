package bt.shell;

import bt.client.Bigtable;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.model.TableSchema;
import picocli.CommandLine.Parameters;

/** {@code bt undelete}. */
@picocli.CommandLine.Command(
        name = "undelete",
        description = "Brings back the table that was dropped last under this name, with all its data.",
        footerHeading = Command.EXAMPLES,
        footer = {"  bt undelete webtable"})
public final class UndeleteCommand implements Command {
    @Parameters(paramLabel = "DROPPED-TABLE", description = "bt tables --dropped lists those that can come back.")
    private String table = "";

    @Override
    public Group group() {
        return Group.TABLES;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        Bigtable bigtable = Connected.to(invocation);
        TableSchema back = bigtable.admin().undeleteTable(table);
        invocation.err().println("table " + table + " is back: id " + back.id());
        return ExitCode.DONE;
    }
}
