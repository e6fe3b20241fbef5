package bt.main;

import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code bt master}: runs until it is told to stop. SIGTERM releases the lock and ends the process. */
@picocli.CommandLine.Command(
        name = "master",
        description = "Runs a master; the first to be elected is active.",
        footerHeading = Command.EXAMPLES,
        footer = {"  bt master -D host=master1"})
public final class MasterCommand implements Command {
    private static final Logger log = LoggerFactory.getLogger(MasterCommand.class);

    @Override
    public Group group() {
        return Group.SERVERS;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        ServerSettings settings = ServerSettings.read(invocation.configuration());
        try (ServerProcess master = MasterProcess.start(settings, new ProcessHalt())) {
            master.abandonAtExit();
            log.info("master of {} at {}", settings.cluster(), master.address());
            master.awaitEnd();
        }
        return ExitCode.DONE;
    }
}
