package bt.shell;

import bt.client.ClusterInfo;
import bt.client.ClusterInfo.Health;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.connect.Clusters;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** {@code bt clusters}. */
@picocli.CommandLine.Command(
        name = "clusters",
        description = "Lists every cluster on the ZooKeeper of --at, stopped ones too; exit code 1 when there is none.",
        footerHeading = Command.EXAMPLES,
        footer = {"  bt clusters", "  bt clusters --at zk://zookeeper:2181/web --json"})
public final class ClustersCommand implements Command {
    private static final String ROW = "%-16s %-8s %-10s %7s %6s %7s %15s %10s %12s %9s  %s%n";

    @Override
    public Group group() {
        return Group.CLUSTER;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        List<ClusterInfo> clusters = Clusters.beside(invocation.setting("at"));
        if (!invocation.json()) {
            invocation
                    .out()
                    .printf(
                            ROW,
                            "NAME",
                            "VERSION",
                            "HEALTH",
                            "SERVERS",
                            "TABLES",
                            "TABLETS",
                            "BYTES",
                            "REQUESTS/S",
                            "BYTES/S",
                            "P99 MS",
                            "");
        }
        for (ClusterInfo cluster : clusters) {
            if (invocation.json()) {
                Json.print(invocation.out(), document(cluster));
            } else {
                invocation.out().printf(ROW, cells(cluster));
            }
        }
        return clusters.isEmpty() ? ExitCode.NOTHING_FOUND : ExitCode.DONE;
    }

    /** What a cluster without a master did once is not what it does. */
    private static boolean isMastered(ClusterInfo cluster) {
        return cluster.health() == Health.HEALTHY || cluster.health() == Health.DEGRADED;
    }

    private static Object[] cells(ClusterInfo cluster) {
        Optional<ClusterInfo.Summary> summary = cluster.summary();
        Optional<ClusterInfo.Requests> live =
                summary.filter(known -> isMastered(cluster)).map(ClusterInfo.Summary::requests);
        return new Object[] {
            cluster.name(),
            text(summary.map(ClusterInfo.Summary::version)),
            health(cluster),
            cluster.servers(),
            text(summary.map(ClusterInfo.Summary::tables)),
            text(summary.map(ClusterInfo.Summary::tablets)),
            text(summary.map(ClusterInfo.Summary::bytes)),
            text(live.map(known -> Math.round(known.requestsPerSecond()))),
            text(live.map(known -> Math.round(known.bytesPerSecond()))),
            text(live.map(ClusterInfo.Requests::p99Micros)
                    .filter(OptionalLong::isPresent)
                    .map(micros -> String.format(Locale.ROOT, "%.3f", micros.getAsLong() / 1e3))),
            fact(cluster)
        };
    }

    private static String text(Optional<?> value) {
        return value.map(Object::toString).orElse("-");
    }

    private static String health(ClusterInfo cluster) {
        return cluster.health().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static String fact(ClusterInfo cluster) {
        return switch (cluster.health()) {
            case NO_MASTER, SILENT ->
                "no sign of a master for " + cluster.silentMillis() / 1_000 + " s: start one, or see its log";
            case HEALTHY, DEGRADED, UNREADABLE -> cluster.fact();
        };
    }

    private static Map<String, Object> document(ClusterInfo cluster) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("name", cluster.name());
        document.put("health", health(cluster));
        document.put("silentMillis", cluster.silentMillis());
        document.put("servers", cluster.servers());
        cluster.summary().ifPresent(summary -> {
            document.put("version", summary.version());
            document.put("tables", summary.tables());
            document.put("tablets", summary.tablets());
            document.put("bytes", summary.bytes());
            document.put("unsettled", summary.unsettled());
            document.put("problems", summary.problems());
        });
        cluster.summary().filter(known -> isMastered(cluster)).ifPresent(summary -> {
            ClusterInfo.Requests requests = summary.requests();
            document.put("requestsPerSecond", requests.requestsPerSecond());
            document.put("bytesPerSecond", requests.bytesPerSecond());
            requests.p99Micros().ifPresent(micros -> document.put("p99Micros", micros));
            requests.readP99Micros().ifPresent(micros -> document.put("readP99Micros", micros));
            requests.writeP99Micros().ifPresent(micros -> document.put("writeP99Micros", micros));
        });
        if (!fact(cluster).isEmpty()) {
            document.put("fact", fact(cluster));
        }
        return document;
    }
}
