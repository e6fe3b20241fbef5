package bt.shell;

import bt.client.Bigtable;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.connect.Connect;
import bt.record.ClusterStatus;
import bt.record.ServerLine;
import java.util.LinkedHashMap;
import java.util.Map;

/** {@code bt servers}. */
@picocli.CommandLine.Command(
        name = "servers",
        description = "Lists the tablet servers as the master sees them; exit code 1 when something is wrong.")
public final class ServersCommand implements Command {
    private static final String ROW = "%-22s %-9s %8s %8s %14s  %s%n";

    @Override
    public Group group() {
        return Group.CLUSTER;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        try (Bigtable bigtable = Connect.to(invocation.setting("at"))) {
            ClusterStatus status = bigtable.admin().clusterStatus();
            if (!invocation.json()) {
                invocation.out().printf(ROW, "ADDRESS", "STATE", "TABLETS", "PID", "NO LOCKS FOR", "ID");
            }
            for (ServerLine server : status.getServers()) {
                print(invocation, server);
            }
            status.getProblems().forEach(invocation.err()::println);
            return status.getProblems().isEmpty() ? ExitCode.DONE : ExitCode.NOTHING_FOUND;
        }
    }

    private static void print(Invocation invocation, ServerLine server) {
        String state = state(server);
        if (invocation.json()) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("address", server.getAddress());
            document.put("state", state);
            document.put("tablets", server.getTablets());
            document.put("pid", server.getPid());
            document.put("lockServiceOutageMillis", server.getLockServiceOutageMillis());
            document.put("id", server.getServer());
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

    private static String state(ServerLine server) {
        if (!server.getAlive()) {
            return "silent";
        }
        return server.getDraining() ? "draining" : "serving";
    }
}
