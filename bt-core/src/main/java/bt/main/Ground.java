package bt.main;

import bt.base.BigtableException;
import bt.base.Clock;
import bt.base.Halt;
import bt.base.Retry;
import bt.base.Seldom;
import bt.base.ThreadScheduler;
import bt.base.UnavailableException;
import bt.connect.LocalSecret;
import bt.connect.LocalUser;
import bt.coord.LockService;
import bt.coord.zookeeper.ZooKeeperLockService;
import bt.fs.FileStore;
import bt.fs.LocalBlocks;
import bt.protocol.Address;
import bt.protocol.Network;
import bt.rpc.RpcLimits;
import bt.rpc.RpcNetwork;
import bt.rpc.RpcServer;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a server process stands on: threads, a port, the network, the lock service and the file store, each its own. */
final class Ground implements AutoCloseable {
    /** How many milliseconds the wall clock of this process is ahead of the machine's: for tests of clocks that are wrong. */
    private static final String CLOCK_AHEAD = "bt.clock.ahead.millis";

    private static final Logger log = LoggerFactory.getLogger(Ground.class);

    private static final long FILES_MILLIS = 120_000;

    private final Opened opened;
    private final Doorway doorway = new Doorway();
    private final ThreadScheduler scheduler;
    private final RpcServer listening;
    private final Address address;
    private final Network network;
    private final LockService locks;
    private final FileStore files;

    private Ground(Opened opened, ServerSettings settings, Berth berth, Halt onBug) throws BigtableException {
        this.opened = opened;
        Clock clock = Clock.system().ahead(Long.getLong(CLOCK_AHEAD, 0) * 1_000);
        scheduler = opened.add(new ThreadScheduler(clock, onBug));
        // First what fails at once, with the port that is taken.
        ClusterHosts hosts = new ClusterHosts();
        listening = opened.add(
                RpcServer.start(settings.host(), berth.port(), doorway, scheduler.clock(), RpcLimits.DEFAULT, hosts));
        address = berth.reachedAt(listening.address(), NodeHost.ofProcess());
        network = opened.add(RpcNetwork.open(LocalUser.name(), scheduler.clock(), RpcLimits.DEFAULT.eventLoops()));
        locks = locks(settings);
        opened.add(scheduler.start("cluster-hosts", () -> hosts.follow(locks, scheduler))::interrupt);
        files = files(settings.root());
    }

    /** It may only be starting, or be between two NameNodes: whoever started us would start us again and again. */
    private FileStore files(String root) throws BigtableException {
        Seldom said = new Seldom(scheduler.clock(), 1);
        try {
            return new Retry(scheduler, new Random(), FILES_MILLIS).run("start", deadline -> {
                try {
                    return FileStores.open(root, scheduler);
                } catch (UnavailableException notYet) {
                    said.remark().ifPresent(rest -> log.warn("waits for its files: {}{}", notYet.getMessage(), rest));
                    throw notYet;
                }
            });
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new UnavailableException(root + ": stopped while waiting for it");
        }
    }

    static Ground open(ServerSettings settings, Berth berth, Halt onBug) throws BigtableException {
        Opened opened = new Opened();
        try {
            return new Ground(opened, settings, berth, onBug);
        } catch (BigtableException failed) {
            opened.close();
            throw failed;
        }
    }

    /** Another session with the lock service: for a lease that nothing else may keep waiting. */
    LockService locks(ServerSettings settings) throws BigtableException {
        return opened.add(ZooKeeperLockService.connect(
                settings.cluster().quorum(),
                settings.cluster().cluster(),
                settings.sessionMillis(),
                LocalSecret.read()));
    }

    /** By which others reach what comes in here, once the doorway is open. */
    Address address() {
        return address;
    }

    /** Completes when every event loop that brings requests had a turn. */
    CompletableFuture<Void> turns() {
        return listening.turns();
    }

    Doorway doorway() {
        return doorway;
    }

    ThreadScheduler scheduler() {
        return scheduler;
    }

    Network network() {
        return network;
    }

    LockService locks() {
        return locks;
    }

    /** Copies of its blocks, closed with it. */
    LocalBlocks localBlocks(ServerSettings settings) {
        return settings.localCache().open(settings.root(), opened);
    }

    FileStore files() {
        return files;
    }

    @Override
    public void close() {
        opened.close();
    }
}
