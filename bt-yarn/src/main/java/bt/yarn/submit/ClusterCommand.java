package bt.yarn.submit;

import bt.command.Command;
import bt.command.Invocation;
import bt.command.UsageException;

/** {@code bt cluster}. */
@picocli.CommandLine.Command(
        name = "cluster",
        description = "Starts a cluster on YARN, shows its processes, and stops it.",
        subcommands = {StartCommand.class, StatusCommand.class, StopCommand.class})
public final class ClusterCommand implements Command {
    @Override
    public Group group() {
        return Group.CLUSTER;
    }

    @Override
    public int run(Invocation invocation) throws UsageException {
        throw new UsageException("cluster: say start, status or stop (bt help cluster)");
    }
}
