package bt.client;

import bt.record.ClusterStatus;
import bt.record.ServerLine;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Whether a stop gets on, as one who looks now and then can tell: a server has fewer tablets than it ever had, or has ended. Not how many
 * there are in all: what a server has that was silent comes to be known when it answers, while others hand back what they have. One thread.
 */
final class StopProgress {
    /** By their epochs, of the servers that have answered the master. */
    private final Map<Long, Integer> fewestTablets = new HashMap<>();

    private Set<Long> servers = Set.of();
    private boolean isFirst = true;

    /** Whether something has left since the last look; true of the first. */
    boolean isOn(ClusterStatus status) {
        Set<Long> now = status.getServers().stream().map(ServerLine::getEpoch).collect(Collectors.toSet());
        boolean isOn = isFirst || !now.containsAll(servers);
        for (ServerLine line : status.getServers()) {
            if (line.getAlive()) {
                int before = fewestTablets.getOrDefault(line.getEpoch(), line.getTablets());
                isOn |= line.getTablets() < before;
                fewestTablets.put(line.getEpoch(), Math.min(before, line.getTablets()));
            }
        }
        servers = now;
        isFirst = false;
        return isOn;
    }

    /** Tablets and servers. */
    static int left(ClusterStatus status) {
        return tablets(status) + status.getServers().size();
    }

    /** What is left, of which nothing leaves. */
    static String still(ClusterStatus status) {
        int tablets = tablets(status);
        return tablets > 0
                ? "of " + tablets + " tablets none was handed back"
                : "of " + status.getServers().size() + " tablet servers none has ended";
    }

    private static int tablets(ClusterStatus status) {
        return status.getServers().stream().mapToInt(ServerLine::getTablets).sum();
    }
}
