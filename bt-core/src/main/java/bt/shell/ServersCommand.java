package bt.shell;

import bt.client.Bigtable;
import bt.client.MasterView;
import bt.client.ServerInfo;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
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
        MasterView status = bigtable.admin().clusterStatus();
        if (!invocation.json()) {
            invocation.out().printf(ROW, "ADDRESS", "STATE", "TABLETS", "PID", OUTAGE, "ID");
        }
        for (ServerInfo server : status.servers()) {
            print(invocation, server);
            if (caches && !invocation.json()) {
                printCaches(invocation.out(), server);
            }
        }
        status.problems().forEach(invocation.err()::println);
        return status.problems().isEmpty() ? ExitCode.DONE : ExitCode.NOTHING_FOUND;
    }

    private void print(Invocation invocation, ServerInfo server) {
        String state = state(server);
        if (invocation.json()) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("address", server.address());
            document.put("state", state);
            document.put("tablets", server.tablets());
            document.put("pid", server.pid());
            document.put("unavailableBecauseOfZooKeeperMillis", server.lockServiceOutageMillis());
            document.put("id", server.id());
            if (caches) {
                document.put(
                        "caches",
                        server.caches().stream().map(ServersCommand::document).toList());
            }
            Json.print(invocation.out(), document);
        } else {
            invocation
                    .out()
                    .printf(
                            ROW,
                            server.address(),
                            state,
                            server.tablets(),
                            server.pid(),
                            server.lockServiceOutageMillis() + " ms",
                            server.id());
        }
    }

    private static void printCaches(PrintStream out, ServerInfo server) {
        out.printf(CACHE_ROW, "CACHE", "BYTES", "OF AT MOST", "HITS", "MISSES");
        for (ServerInfo.Cache cache : server.caches()) {
            out.printf(CACHE_ROW, cache.name(), cache.bytes(), cache.maxBytes(), cache.hits(), cache.misses());
        }
    }

    private static Map<String, Object> document(ServerInfo.Cache cache) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("name", cache.name());
        document.put("bytes", cache.bytes());
        document.put("maxBytes", cache.maxBytes());
        document.put("hits", cache.hits());
        document.put("misses", cache.misses());
        return document;
    }

    private static String state(ServerInfo server) {
        if (!server.isAlive()) {
            return "silent";
        }
        return server.isDraining() ? "draining" : "serving";
    }
}
