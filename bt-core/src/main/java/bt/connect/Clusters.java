package bt.connect;

import bt.base.BigtableException;
import bt.base.Clock;
import bt.client.ClusterInfo;
import bt.coord.zookeeper.ZooKeeperLockService;
import java.util.ArrayList;
import java.util.List;

/** The clusters that share a ZooKeeper. */
public final class Clusters {
    private static final int SESSION_MILLIS = 6_000;

    private Clusters() {}

    /**
     * Every cluster that was ever started on the ZooKeeper of this address, by name; the cluster that the address names need
     * not exist. No server is asked. UNAVAILABLE when ZooKeeper does not answer, REJECTED for an address of another form.
     */
    public static List<ClusterInfo> beside(String address) throws BigtableException {
        ClusterAddress at = ClusterAddress.parse(address);
        List<ClusterInfo> clusters = new ArrayList<>();
        try (ZooKeeperLockService zooKeeper = ZooKeeperLockService.connect(at.quorum(), at.cluster(), SESSION_MILLIS)) {
            for (String name : zooKeeper.clusters()) {
                ClusterInfo.read(name, zooKeeper.of(name), Clock.system().micros())
                        .ifPresent(clusters::add);
            }
        }
        return clusters;
    }
}
