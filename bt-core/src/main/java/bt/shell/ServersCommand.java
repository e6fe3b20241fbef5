package bt.shell;

import bt.client.Bigtable;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.record.CacheReport;
import bt.record.ClusterStatus;
import bt.record.ServerLine;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;

/** {@code bt servers}. */
@picocli.CommandLine.Command(
        name = "servers",
        description = "Lists the tablet servers as the master sees them; exit code 1 when something is wrong.",
        footerHeading = Command.EXAMPLES,
        footer = {"  bt servers", "  bt servers --caches"})
public final class ServersCommand implements Command {
    private static final String ROW = "%-22s %-9s %8s %8s %33s  %s%n";
    private static final String CACHE_ROW = "  %-20s %14s %14s %14s %14s%n";

    /** For so long, since its start, a server could not answer reads: its lease had run out, and nobody renewed it. */
    private static final String OUTAGE = "UNAVAILABLE BECAUSE OF ZOOKEEPER";

    @Option(names = "--caches", description = "Of each server also the caches: bytes in them, hits and misses.")
    private boolean caches;

    @Override
    public Group group() {
        return Group.CLUSTER;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        Bigtable bigtable = Connected.to(invocation);
        ClusterStatus status = bigtable.admin().clusterStatus();
        if (!invocation.json()) {
            invocation.out().printf(ROW, "ADDRESS", "STATE", "TABLETS", "PID", OUTAGE, "ID");
        }
        for (ServerLine server : status.getServers()) {
            print(invocation, server);
            if (caches && !invocation.json()) {
                printCaches(invocation.out(), server);
            }
        }
        status.getProblems().forEach(invocation.err()::println);
        return status.getProblems().isEmpty() ? ExitCode.DONE : ExitCode.NOTHING_FOUND;
    }

    private void print(Invocation invocation, ServerLine server) {
        String state = state(server);
        if (invocation.json()) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("address", server.getAddress());
            document.put("state", state);
            document.put("tablets", server.getTablets());
            document.put("pid", server.getPid());
            document.put("unavailableBecauseOfZooKeeperMillis", server.getLockServiceOutageMillis());
            document.put("id", server.getServer());
            if (caches) {
                document.put(
                        "caches",
                        server.getCaches().stream()
                                .map(ServersCommand::document)
                                .toList());
            }
            Json.print(invocation.out(), document);
        } else {
            invocation
                    .out()
                    .printf(
                            ROW,
                            server.getAddress(),
                            state,
                            server.getTablets(),
                            server.getPid(),
                            server.getLockServiceOutageMillis() + " ms",
                            server.getServer());
        }
    }

    private static void printCaches(PrintStream out, ServerLine server) {
        out.printf(CACHE_ROW, "CACHE", "BYTES", "OF AT MOST", "HITS", "MISSES");
        for (CacheReport cache : server.getCaches()) {
            out.printf(
                    CACHE_ROW,
                    cache.getName(),
                    cache.getBytes(),
                    cache.getMaxBytes(),
                    cache.getHits(),
                    cache.getMisses());
        }
    }

    private static Map<String, Object> document(CacheReport cache) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("name", cache.getName());
        document.put("bytes", cache.getBytes());
        document.put("maxBytes", cache.getMaxBytes());
        document.put("hits", cache.getHits());
        document.put("misses", cache.getMisses());
        return document;
    }

    private static String state(ServerLine server) {
        if (!server.getAlive()) {
            return "silent";
        }
        return server.getDraining() ? "draining" : "serving";
    }
}
