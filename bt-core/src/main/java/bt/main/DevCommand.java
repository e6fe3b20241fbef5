package bt.main;

import bt.base.Clock;
import bt.base.ThreadScheduler;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.UsageException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Option;

/** {@code bt dev}: runs until it is interrupted, then writes all to files and ends. */
@picocli.CommandLine.Command(
        name = "dev",
        description = "Runs a whole cluster in one process over a directory: for trying things out.",
        footerHeading = Command.EXAMPLES,
        footer = {"  bt dev", "  bt dev --data /tmp/bt --port 0"})
public final class DevCommand implements Command {
    /** The port in the default of the key {@code at}: what commands talk to when nothing is said. */
    static final int DEFAULT_PORT = 29181;

    private static final long LOOK_MILLIS = 100;

    @Option(names = "--data", paramLabel = "DIRECTORY", description = "Where the data is kept (default: bt-data).")
    private Path data = Path.of("bt-data");

    @Option(names = "--port", paramLabel = "PORT", description = "Of ZooKeeper (default: 29181; 0 takes a free one).")
    private int port = DEFAULT_PORT;

    @Override
    public Group group() {
        return Group.DEVELOPMENT;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        if (port < 0 || port > 65_535) {
            throw new UsageException("--port " + port, "a port lies between 0 and 65535: write one of those");
        }
        long began = Clock.system().nanos();
        ServerSettings settings = ServerSettings.read(invocation.configuration());
        try (LocalCluster cluster = LocalCluster.start(data, settings, port, new ProcessHalt())) {
            ThreadScheduler.atExit("stop", cluster::close);
            long millis = TimeUnit.NANOSECONDS.toMillis(Clock.system().nanos() - began);
            invocation.out().printf("ready after %.1f s: %s, data in %s%n", millis / 1000.0, cluster.address(), data);
            invocation.out().println("next, in another terminal: " + next(cluster));
            invocation.out().flush();
            while (!cluster.hasEnded()) {
                cluster.scheduler().pause(LOOK_MILLIS);
            }
        }
        return ExitCode.DONE;
    }

    private static String next(LocalCluster cluster) {
        String at = cluster.address().toString();
        return at.equals(Setting.AT.defaultValue())
                ? "bt create web contents anchor"
                : "bt --at " + at + " create web contents anchor";
    }
}
