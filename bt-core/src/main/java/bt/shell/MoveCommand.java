package bt.shell;

import bt.base.Bytes;
import bt.client.Bigtable;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import picocli.CommandLine.Parameters;

/** {@code bt move}. */
@picocli.CommandLine.Command(
        name = "move",
        description =
                "Moves the tablet that holds a row to another tablet server, and returns when it is served there.",
        footerHeading = Command.EXAMPLES,
        footer = {"  bt move webtable com.cnn.www worker3:4711"})
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
        Bigtable bigtable = Connected.to(invocation);
        bigtable.admin().moveTablet(table, key, server);
        return ExitCode.DONE;
    }
}
