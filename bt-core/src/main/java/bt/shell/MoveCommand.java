package bt.shell;

import bt.base.Bytes;
import bt.client.Admin;
import bt.client.Operation;
import bt.client.Operation.Refusal;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.UsageException;
import java.util.Optional;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bt move}. */
@picocli.CommandLine.Command(
        name = "move",
        description =
                "Moves the tablet that holds a row to another tablet server. Says how far it is, and returns when it is served there.",
        footerHeading = Command.EXAMPLES,
        footer = {"  bt move webtable com.cnn.www worker3:4711", "  bt move webtable com.cnn.www worker3:4711 --no-wait"
        })
public final class MoveCommand implements Command {
    @Parameters(index = "0", paramLabel = "TABLE", description = "METADATA is one too.")
    private String table = "";

    @Parameters(index = "1", paramLabel = "ROW", description = "Any row of the tablet.")
    private String row = "";

    @Parameters(index = "2", paramLabel = "SERVER", description = "A living server's host:port, or its id.")
    private String server = "";

    @Option(
            names = "--no-wait",
            description = "Returns when it has begun, with its id, which bt operations --wait waits for.")
    private boolean noWait;

    @Override
    public Group group() {
        return Group.CLUSTER;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        Bytes key = Bytes.parse(row);
        Admin admin = Connected.to(invocation).admin();
        if (!table.equals(Admin.METADATA)) {
            move(invocation, admin, key);
        } else if (noWait) {
            throw new UsageException("METADATA's tablets are moved without an operation", "leave --no-wait out");
        } else {
            admin.moveTablet(table, key, server);
        }
        return ExitCode.DONE;
    }

    private void move(Invocation invocation, Admin admin, Bytes key) throws Exception {
        Operation begun = admin.startMove(table, key, server);
        if (noWait) {
            OperationsCommand.printBegun(invocation, begun);
            return;
        }
        Operation over = OperationsCommand.await(invocation, admin, begun);
        Optional<Refusal> refusal =
                over.refusals().stream().filter(each -> each.row().equals(key)).findFirst();
        if (refusal.isPresent()) {
            throw refusal.get().failure("table " + table + " row " + key.brief());
        }
    }
}
