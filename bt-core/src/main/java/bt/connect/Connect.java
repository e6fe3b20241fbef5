package bt.connect;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.ThreadScheduler;
import bt.base.UnavailableException;
import bt.client.Bigtable;
import bt.client.ClientOptions;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.zookeeper.ZooKeeperLockService;
import bt.rpc.RpcNetwork;
import java.security.SecureRandom;

/**
 * Opens a cluster. REJECTED for an address of another form than {@code zk://host:port[,host:port…]/cluster}, UNAVAILABLE when
 * ZooKeeper does not answer or no cluster of that name was ever started there:
 *
 * <pre>{@code
 * try (Bigtable bigtable = Connect.to("zk://127.0.0.1:2181/main")) {
 *     Table webtable = bigtable.table("webtable");
 *     ...
 * }
 * }</pre>
 */
public final class Connect {
    /** A client holds no locks: this is only how long it waits for ZooKeeper. */
    private static final int SESSION_MILLIS = 6_000;

    private static final int EVENT_LOOPS = 1;

    private Connect() {}

    /**
     * A cluster by its address, {@code zk://host:port[,host:port…]/cluster}, for the life of the process; one is enough
     * for all threads. The user is {@link LocalUser}. REJECTED for an address of another form, UNAVAILABLE when ZooKeeper does
     * not answer or no cluster of that name was ever started there.
     */
    public static Bigtable to(String address) throws BigtableException {
        return to(address, LocalUser.name());
    }

    /** The same as another user: for a process that works for others, one client for each. */
    public static Bigtable to(String address, String user) throws BigtableException {
        return to(address, user, ClientOptions.DEFAULT);
    }

    /** The same with times and bounds of its own. */
    public static Bigtable to(String address, ClientOptions options) throws BigtableException {
        return to(address, LocalUser.name(), options);
    }

    /** The same as another user, with times and bounds of its own. */
    public static Bigtable to(String address, String user, ClientOptions options) throws BigtableException {
        LockService locks = lockService(address);
        boolean found = false;
        try {
            found = locks.read(Paths.INSTANCE).isPresent();
        } finally {
            if (!found) {
                locks.close();
            }
        }
        if (!found) {
            throw unavailable("ZooKeeper knows no cluster " + address);
        }
        ThreadScheduler scheduler = new ThreadScheduler();
        RpcNetwork network = RpcNetwork.open(user, scheduler.clock(), EVENT_LOOPS);
        return Bigtable.over(network, locks, scheduler, new SecureRandom(), options)
                .onClose(() -> {
                    network.close();
                    locks.close();
                    scheduler.close();
                });
    }

    /** The cluster's lock service alone: for what starts a cluster and looks after its processes. The caller closes it. */
    public static LockService lockService(String address) throws BigtableException {
        ClusterAddress cluster = ClusterAddress.parse(address);
        try {
            return ZooKeeperLockService.connect(
                    cluster.quorum(), cluster.cluster(), SESSION_MILLIS, LocalSecret.read());
        } catch (UnavailableException absent) {
            throw unavailable(absent.getMessage()).causedBy(absent);
        }
    }

    private static UnavailableException unavailable(String fact) {
        return new UnavailableException(fact + ": start it, or name the cluster that runs", Outcome.NOT_APPLIED);
    }
}
