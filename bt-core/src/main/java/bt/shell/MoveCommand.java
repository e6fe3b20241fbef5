package bt.shell;

import bt.base.Bytes;
import bt.client.Bigtable;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.connect.Connect;
import picocli.CommandLine.Parameters;

/** {@code bt move}. */
@picocli.CommandLine.Command(
        name = "move",
        description =
                "Moves the tablet that holds a row to another tablet server, and returns when it is served there.")
public final class MoveCommand implements Command {
    @Parameters(index = "0", paramLabel = "TABLE", description = "METADATA is one too.")
    private String table = "";

    @Parameters(index = "1", paramLabel = "ROW", description = "Any row of the tablet.")
    private String row = "";

    @Parameters(index = "2", paramLabel = "SERVER", description = "A living server's host:port, or its id.")
    private String server = "";

    @Override
    public Group group() {
        return Group.CLUSTER;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        Bytes key = Bytes.parse(row);
        try (Bigtable bigtable = Connect.to(invocation.setting("at"))) {
            bigtable.admin().moveTablet(table, key, server);
        }
        return ExitCode.DONE;
    }
}
