package bt.yarn.submit;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Deadline;
import bt.base.ThreadScheduler;
import bt.base.UnavailableException;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.connect.ClusterAddress;
import bt.connect.Connect;
import bt.coord.LockService;
import bt.yarn.spec.ClusterFiles;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * {@code bt cluster stop}: leaves the wish in the lock service and waits for as long as the application is at it. The application
 * master carries it out, this one or its next attempt, also when this command is interrupted.
 */
@picocli.CommandLine.Command(
        name = "stop",
        description = "Stops a cluster on YARN; its data stays.",
        footerHeading = Command.EXAMPLES,
        footer = {"  bt cluster stop"})
public final class StopCommand implements Command {
    /** An hour for each level of tablets, as long as some are handed back, and what the rest takes. */
    private static final long TIMEOUT_MILLIS = 4 * 3_600_000;

    private static final long TELL_MILLIS = 60_000;
    private static final long PAUSE_MILLIS = 200;

    @Override
    public Group group() {
        return Group.CLUSTER;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        ClusterAddress cluster = ClusterAddress.parse(invocation.setting("at"));
        Configuration hadoop = new YarnConfiguration();
        try (LockService locks = Connect.lockService(cluster.toString())) {
            ClusterFiles files = new ClusterFiles(locks);
            Optional<ClusterFiles.Known> known = files.read();
            if (known.isEmpty()) {
                invocation.err().println("no application of YARN runs " + cluster);
                return ExitCode.NOTHING_FOUND;
            }
            String id = known.get().application().id();
            try (ResourceManager yarn = ResourceManager.connect(hadoop);
                    ThreadScheduler scheduler = new ThreadScheduler()) {
                if (yarn.isOver(id)) {
                    files.forget();
                    invocation.err().println(id + " had ended by itself; its data stays");
                    return ExitCode.DONE;
                }
                files.askToStop(id);
                invocation.err().println("stopping " + cluster.cluster() + ", " + id);
                await(yarn, scheduler, id, invocation);
                invocation.err().println("stopped; the data stays, and bt cluster start serves it again");
            }
        }
        return ExitCode.DONE;
    }

    private static void await(ResourceManager yarn, ThreadScheduler scheduler, String id, Invocation invocation)
            throws BigtableException, InterruptedException {
        Deadline deadline = Deadline.after(scheduler.clock(), TIMEOUT_MILLIS);
        Deadline tell = Deadline.after(scheduler.clock(), TELL_MILLIS);
        while (true) {
            Optional<ApplicationReport> report = yarn.report(id);
            if (report.isEmpty() || ResourceManager.isOver(report.get())) {
                return;
            }
            if (deadline.isOver()) {
                throw new UnavailableException(
                        id + " is " + report.get().getYarnApplicationState() + " after " + TIMEOUT_MILLIS / 1_000
                                + " s and still asked to stop: look at its log, or end it by yarn application -kill "
                                + id,
                        Outcome.UNKNOWN);
            }
            if (tell.isOver()) {
                tell = Deadline.after(scheduler.clock(), TELL_MILLIS);
                invocation
                        .err()
                        .println("stopping for " + (TIMEOUT_MILLIS - deadline.leftMillis()) / 1_000
                                + " s: it goes on for as long as tablets are handed back, also without this command");
            }
            scheduler.pause(PAUSE_MILLIS);
        }
    }
}
