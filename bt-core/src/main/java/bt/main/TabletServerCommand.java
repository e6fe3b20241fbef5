package bt.main;

import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code bt tabletserver}: runs until it is told to stop. SIGTERM releases the lock, without a flush, and ends the process. */
@picocli.CommandLine.Command(
        name = "tabletserver",
        description = "Runs a tablet server.",
        footerHeading = Command.EXAMPLES,
        footer = {"  bt tabletserver -D host=worker3"})
public final class TabletServerCommand implements Command {
    private static final Logger log = LoggerFactory.getLogger(TabletServerCommand.class);

    @Override
    public Group group() {
        return Group.SERVERS;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        ServerSettings settings = ServerSettings.read(invocation.configuration());
        try (ServerProcess server = TabletServerProcess.start(settings, new ProcessHalt())) {
            server.abandonAtExit();
            log.info("tablet server of {} at {}", settings.cluster(), server.address());
            server.awaitEnd();
        }
        return ExitCode.DONE;
    }
}
