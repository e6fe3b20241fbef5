package bt.examples.bench;

import bt.command.Command;
import bt.command.Invocation;
import bt.command.UsageException;

/** {@code bt bench}. */
@picocli.CommandLine.Command(
        name = "bench",
        description = "Measures parts of bt on this machine, some of them beside what people would use instead.",
        subcommands = {
            PaperCommand.class,
            RpcCommand.class,
            EngineCommand.class,
            CodecsCommand.class,
            RecoveryCommand.class,
            TabletsCommand.class
        },
        footerHeading = Command.EXAMPLES,
        footer = {"  bt bench rpc", "  bt bench recovery"})
public final class BenchCommand implements Command {
    @Override
    public Group group() {
        return Group.DEVELOPMENT;
    }

    @Override
    public int run(Invocation invocation) throws UsageException {
        throw new UsageException("bench", "say which (bt help bench)");
    }
}
