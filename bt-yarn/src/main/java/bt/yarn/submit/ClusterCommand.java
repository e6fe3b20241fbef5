package bt.yarn.submit;

import bt.command.Command;
import bt.command.Invocation;
import bt.command.UsageException;

/** {@code bt cluster}. */
@picocli.CommandLine.Command(
        name = "cluster",
        description = "Starts a cluster on YARN, shows its processes, and stops it.",
        subcommands = {StartCommand.class, StatusCommand.class, StopCommand.class},
        footerHeading = Command.EXAMPLES,
        footer = {
            "  bt cluster start --servers 2 --root hdfs://namenode:8020/bt/web --at zk://zookeeper:2181/web",
            "  bt cluster status --at zk://zookeeper:2181/web"
        })
public final class ClusterCommand implements Command {
    @Override
    public Group group() {
        return Group.CLUSTER;
    }

    @Override
    public int run(Invocation invocation) throws UsageException {
        throw new UsageException("cluster", "say start, status or stop (bt help cluster)");
    }
}
