package bt.client;

import bt.record.ClusterStatus;
import java.util.List;

/**
 * The cluster as its master sees it. Section 5.2 of the paper says what that one keeps track of.
 *
 * @param masterEpoch of the master that answered; each one's is higher than that of the one before
 * @param instance the cluster's id, which it has from its first start on
 * @param unassigned tablets that are not served, or not where they are to be, as far as the master's last pass over METADATA
 *     saw; 1 at least until it has seen all
 * @param servers those that have their lock, in no order that matters; none where the master has not looked yet
 * @param problems what is wrong, each in a line; empty where nothing is
 */
public record MasterView(
        long masterEpoch, String instance, int unassigned, List<ServerInfo> servers, List<String> problems) {
    public MasterView {
        servers = List.copyOf(servers);
        problems = List.copyOf(problems);
    }

    static MasterView of(ClusterStatus status) {
        return new MasterView(
                status.getMasterEpoch(),
                status.getInstance(),
                status.getUnassigned(),
                status.getServers().stream().map(ServerInfo::of).toList(),
                status.getProblems());
    }
}
