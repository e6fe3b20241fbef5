package bt.shell;

import bt.client.Bigtable;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.UsageException;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bt drain}. */
@picocli.CommandLine.Command(
        name = "drain",
        description =
                "Moves all tablets that a tablet server serves to others, and returns when it serves none; it is given no more.",
        footerHeading = Command.EXAMPLES,
        footer = {"  bt drain worker3:4711", "  bt drain worker3:4711 --no-wait", "  bt drain worker3:4711 --undo"})
public final class DrainCommand implements Command {
    @Parameters(paramLabel = "SERVER", description = "A living server's host:port, or its id.")
    private String server = "";

    @Option(names = "--undo", description = "It may be given tablets again.")
    private boolean undo;

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
        if (undo && noWait) {
            throw new UsageException("--undo waits for nothing", "leave --no-wait out");
        }
        Bigtable bigtable = Connected.to(invocation);
        if (undo) {
            bigtable.admin().undrainServer(server);
        } else if (noWait) {
            OperationsCommand.printBegun(invocation, bigtable.admin().startDrain(server));
        } else {
            int failed = bigtable.admin().drainServer(server);
            if (failed > 0) {
                invocation
                        .err()
                        .printf(
                                "%s: %d of its tablets neither it nor another has loaded: bt servers says why%n",
                                server, failed);
            }
        }
        return ExitCode.DONE;
    }
}
