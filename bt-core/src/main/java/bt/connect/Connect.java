package bt.connect;

import bt.base.BigtableException;
import bt.base.ThreadScheduler;
import bt.client.Bigtable;
import bt.coord.LockService;
import bt.coord.zookeeper.ZooKeeperLockService;
import bt.rpc.RpcNetwork;

/**
 * Opens a cluster:
 *
 * <pre>{@code
 * try (Bigtable bigtable = Connect.to("zk://127.0.0.1:2181/main")) {
 *     Table webtable = bigtable.table("webtable");
 *     ...
 * }
 * }</pre>
 */
public final class Connect {
    private static final int SESSION_MILLIS = 30_000;
    private static final int EVENT_LOOPS = 1;

    private Connect() {}

    /**
     * A cluster by its address, {@code zk://host:port[,host:port…]/cluster}, for the life of the process; one is enough
     * for all threads. REJECTED for an address of another form, UNAVAILABLE when ZooKeeper does not answer. Whether the
     * cluster runs shows with the first table.
     */
    public static Bigtable to(String address) throws BigtableException {
        LockService locks = lockService(address);
        ThreadScheduler scheduler = new ThreadScheduler();
        RpcNetwork network = RpcNetwork.open(System.getProperty("user.name"), scheduler.clock(), EVENT_LOOPS);
        return Bigtable.over(network, locks, scheduler).onClose(() -> {
            network.close();
            locks.close();
            scheduler.close();
        });
    }

    /** The cluster's lock service alone: for what starts a cluster and looks after its processes. The caller closes it. */
    public static LockService lockService(String address) throws BigtableException {
        ClusterAddress cluster = ClusterAddress.parse(address);
        return ZooKeeperLockService.connect(cluster.quorum(), cluster.cluster(), SESSION_MILLIS);
    }
}
