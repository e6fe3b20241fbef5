package bt.shell;

import bt.client.Bigtable;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.UsageException;
import bt.connect.Connect;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bt drop}. */
@picocli.CommandLine.Command(
        name = "drop",
        description = "Drops a table with all its data; for a while bt undelete brings it back.")
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
            throw new UsageException("table " + table
                    + " would be gone with all its data, but for bt undelete for a while: say so with --yes");
        }
        try (Bigtable bigtable = Connect.to(invocation.setting("at"))) {
            bigtable.admin().dropTable(table);
        }
        return ExitCode.DONE;
    }
}
