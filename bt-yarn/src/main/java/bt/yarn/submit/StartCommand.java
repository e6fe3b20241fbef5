package bt.yarn.submit;

import bt.base.BigtableException;
import bt.base.RejectedException;
import bt.base.ThreadScheduler;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.connect.ClusterAddress;
import bt.connect.Connect;
import bt.coord.LockService;
import bt.yarn.launch.Distribution;
import bt.yarn.launch.Staging;
import bt.yarn.spec.ClusterFiles;
import bt.yarn.spec.ClusterSpec;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import picocli.CommandLine.Option;

/** {@code bt cluster start}. */
@picocli.CommandLine.Command(
        name = "start",
        description = "Starts a cluster on YARN; returns when it serves.",
        footerHeading = Command.EXAMPLES,
        footer = {"  bt cluster start --servers 2 --root hdfs://namenode:8020/bt/web --at zk://zookeeper:2181/web"})
public final class StartCommand implements Command {
    private static final String HOST = "host";

    @Option(names = "--servers", paramLabel = "N", defaultValue = "2", description = "Tablet servers (default: 2).")
    private int servers;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            defaultValue = "",
            description = "The cluster's name, in place of the one in --at.")
    private String name = "";

    @Option(
            names = "--root",
            paramLabel = "hdfs://HOST:PORT/PATH",
            defaultValue = "",
            description = "Where its files lie (default: key root, else /bt/NAME of Hadoop's default file system).")
    private String root = "";

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            defaultValue = "180",
            description = "Gives up when it does not serve by then (default: 180).")
    private int waitSeconds;

    @Override
    public Group group() {
        return Group.CLUSTER;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        ClusterAddress cluster = cluster(invocation.setting("at"));
        ClusterSpec spec = ClusterSpec.of(servers, invocation.configuration());
        Configuration hadoop = new YarnConfiguration(new HdfsConfiguration());
        Path files = root(invocation, hadoop, cluster);
        Distribution distribution = Distribution.in(invocation.home());

        Map<String, String> settings = new HashMap<>(invocation.configuration());
        settings.put("at", cluster.toString());
        settings.put("root", files.toString());
        if (!invocation.given().contains(HOST)) {
            // All containers read the same file: each listens on its own node's.
            settings.remove(HOST);
        }
        PrintStream talk = invocation.err();
        try (ResourceManager yarn = ResourceManager.connect(hadoop);
                LockService locks = Connect.lockService(cluster.toString());
                ThreadScheduler scheduler = new ThreadScheduler()) {
            yarn.check(spec, invocation.setting("yarn.queue"));
            ClusterFiles known = new ClusterFiles(locks);
            Staging staging = Refusals.translated(
                    "file system of " + files, () -> Staging.on(files, ResourceManager.impatient(hadoop)));
            talk.println("the distribution has " + distribution.bytes() / 1_000_000 + " MB, in " + invocation.home());
            String id = new Submission(yarn, hadoop, staging, known)
                    .submit(cluster.cluster(), spec, settings, distribution);
            new ReadyWait(yarn, known, scheduler, talk).await(cluster.toString(), id, spec, 1_000L * waitSeconds);
            talk.println("cluster " + cluster.cluster() + " serves as " + id + ", its files lie in " + files);
            talk.println("next: bt --at " + cluster + " create TABLE, and bt --at " + cluster + " cluster status");
        }
        return ExitCode.DONE;
    }

    private ClusterAddress cluster(String at) throws BigtableException {
        ClusterAddress given = ClusterAddress.parse(at);
        return name.isEmpty() ? given : ClusterAddress.parse("zk://" + given.quorum() + "/" + name);
    }

    private Path root(Invocation invocation, Configuration hadoop, ClusterAddress cluster) throws RejectedException {
        String said = root.isEmpty() ? invocation.setting("root") : root;
        Path path = said.isEmpty() ? new Path(hadoop.get("fs.defaultFS"), "/bt/" + cluster.cluster()) : absolute(said);
        String scheme = path.toUri().getScheme();
        if (scheme == null || scheme.equals("file")) {
            throw new RejectedException(
                    path + " lies on one machine only",
                    "give --root hdfs://host:port/path," + " or name Hadoop's configuration by HADOOP_CONF_DIR");
        }
        return path;
    }

    private static Path absolute(String text) throws RejectedException {
        try {
            return new Path(text);
        } catch (IllegalArgumentException malformed) {
            throw RejectedException.of("root " + text, malformed, "write hdfs://host:port/path");
        }
    }
}
