package bt.yarn.app;

import bt.base.RejectedException;
import bt.base.Scheduler;
import bt.base.ThreadScheduler;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.UsageException;
import bt.connect.Connect;
import bt.coord.LockService;
import bt.yarn.launch.Launch;
import bt.yarn.launch.Staging;
import bt.yarn.spec.ClusterFiles;
import bt.yarn.spec.ClusterSpec;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Option;

/** {@code bt appmaster}, which {@code bt cluster start} has YARN run. */
@picocli.CommandLine.Command(
        name = "appmaster",
        description = "Runs the application master: YARN starts it, for bt cluster start.",
        footerHeading = Command.EXAMPLES,
        footer = {"  bt appmaster --servers 2 --archive hdfs://namenode:8020/bt/bt.tar.gz"})
public final class ApplicationMasterCommand implements Command {
    private static final Logger log = LoggerFactory.getLogger(ApplicationMasterCommand.class);
    private static final int LAUNCHERS = 4;

    @Option(names = "--servers", required = true, paramLabel = "N", description = "How many tablet servers.")
    private int servers;

    @Option(names = "--archive", required = true, paramLabel = "URI", description = "The distribution.")
    private String archive = "";

    @Override
    public Group group() {
        return Group.SERVERS;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        Map<String, String> environment = System.getenv();
        String container = environment.get(Environment.CONTAINER_ID.name());
        if (container == null) {
            throw new UsageException("appmaster runs in a container of YARN", "use bt cluster start");
        }
        ApplicationAttemptId attempt = ContainerId.fromString(container).getApplicationAttemptId();
        String application = attempt.getApplicationId().toString();
        String cluster = invocation.setting("at");
        ClusterSpec spec = ClusterSpec.of(servers, invocation.configuration());
        Configuration hadoop = new YarnConfiguration();
        Staging staging = Staging.on(new Path(archive), hadoop);
        log.info("attempt {} of {}: {} and {} tablet servers", attempt.getAttemptId(), application, cluster, servers);
        try (ThreadScheduler scheduler = new ThreadScheduler();
                LockService locks = Connect.lockService(cluster);
                Yarn yarn = new Yarn(spec, hadoop);
                Scheduler.WorkerPool launchers = scheduler.pool("launch", LAUNCHERS, 2 * ClusterSpec.MAX_SERVERS)) {
            ClusterFiles files = new ClusterFiles(locks);
            Launch launch = Launch.from(staging.files(), new Path(archive), staging.application(application));
            StopWatcher stop = new StopWatcher(files, application, StopWatcher.overNetwork(cluster), scheduler);
            new ApplicationMaster(
                            attempt,
                            spec,
                            new ApplicationMaster.Tools(
                                    yarn,
                                    launch,
                                    files,
                                    stop,
                                    new Obituaries(cluster, scheduler),
                                    new Drainer(Drainer.overNetwork(files, cluster), scheduler)),
                            scheduler,
                            launchers)
                    .run(environment.getOrDefault(Environment.NM_HOST.name(), ""));
            files.forget();
            staging.delete(application);
        } catch (RejectedException superseded) {
            log.error("attempt {} ends: {}", attempt.getAttemptId(), superseded.getMessage());
            throw superseded;
        }
        return ExitCode.DONE;
    }
}
