package bt.main;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.CorruptionException;
import bt.base.Deadline;
import bt.base.Halt;
import bt.base.Scheduler;
import bt.base.ThreadScheduler;
import bt.base.UnavailableException;
import bt.client.Bigtable;
import bt.client.TabletInfo;
import bt.connect.ClusterAddress;
import bt.connect.Connect;
import bt.coord.zookeeper.EmbeddedZooKeeper;
import bt.metadata.MetadataSchema;
import bt.metadata.TabletStates;
import bt.model.TableSchema;
import bt.record.RootRow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A whole cluster in this JVM: ZooKeeper, a master and one tablet server, over one directory that it holds alone. */
final class LocalCluster implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LocalCluster.class);

    /**
     * A tablet server of a process that died is gone with it, and its directory is ours alone: only this long may one
     * last read be on its way.
     */
    private static final long LEASE_MILLIS = 1_000;

    private static final long READY_MILLIS = 60_000;
    private static final long STOP_MILLIS = 30_000;
    private static final long LOOK_MILLIS = 5;

    private final Opened opened;
    private final ClusterAddress address;
    private final MasterProcess master;
    private final TabletServerProcess tabletServer;
    private final Bigtable bigtable;
    private final AtomicBoolean closing = new AtomicBoolean();

    private LocalCluster(Opened opened, Path directory, ServerSettings base, int port, Halt halt)
            throws BigtableException, InterruptedException {
        this.opened = opened;
        Path data = opened.add(DataDirectory.hold(directory)).path();
        opened.add(new ThreadScheduler()).start("prepare", LocalCluster::prepare);
        EmbeddedZooKeeper zooKeeper = opened.add(EmbeddedZooKeeper.start(data.resolve("zookeeper"), base.host(), port));
        address = new ClusterAddress(zooKeeper.quorum(), "dev");
        ServerSettings settings =
                base.locatedAt(address, data.resolve("files").toString()).leased(LEASE_MILLIS);
        master = opened.add(MasterProcess.start(settings, halt));
        tabletServer = opened.add(TabletServerProcess.start(settings, halt));
        bigtable = connect();
    }

    /**
     * Starts, and waits until every tablet is served. REJECTED when another process holds the directory, when it holds
     * another cluster's data, or when the port of ZooKeeper is taken; 0 takes a free one.
     */
    static LocalCluster start(Path directory, ServerSettings base, int port, Halt halt)
            throws BigtableException, InterruptedException {
        Opened opened = new Opened();
        boolean started = false;
        try {
            LocalCluster cluster = new LocalCluster(opened, directory, base, port, halt);
            started = true;
            return cluster;
        } finally {
            if (!started) {
                opened.close();
            }
        }
    }

    /** What {@link Connect#to} wants. */
    ClusterAddress address() {
        return address;
    }

    /** An open client; closed with the cluster. */
    Bigtable bigtable() {
        return bigtable;
    }

    /**
     * The tablet server writes all to files and hands its tablets back; then everything ends. Any thread; one of them does
     * it, the others do not wait.
     */
    @Override
    public void close() {
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        try {
            stop();
        } catch (BigtableException failed) {
            log.warn("stop: {}; the commit log keeps what is not in files", failed.getMessage());
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        opened.close();
    }

    /** Whether it was stopped from elsewhere. */
    boolean hasEnded() {
        return master.hasEnded();
    }

    Scheduler scheduler() {
        return master.scheduler();
    }

    /**
     * Has Java load what all of them need of Avro, which takes it as long as to start ZooKeeper: one core does the one
     * meanwhile, another the other.
     */
    private static void prepare() {
        RootRow row = new RootRow(TabletStates.unassigned(), TabletStates.empty(Optional.empty()), 0L, List.of());
        try {
            AvroBytes.decode("root tablet", AvroBytes.encode(row), RootRow.class);
        } catch (CorruptionException impossible) {
            throw new AssertionError("what was encoded is decoded", impossible);
        }
    }

    /** A client, once it sees every tablet served. */
    private Bigtable connect() throws BigtableException, InterruptedException {
        Deadline deadline = Deadline.after(scheduler().clock(), READY_MILLIS);
        // The client's own attempts are ever further apart: it begins when the first of them will do.
        while (!tabletServer.servesRoot()) {
            checkNotOver(deadline);
            scheduler().pause(LOOK_MILLIS);
        }
        while (true) {
            try {
                Bigtable open = opened.add(Connect.to(address.toString()));
                while (!isServed(open)) {
                    checkNotOver(deadline);
                    scheduler().pause(LOOK_MILLIS);
                }
                return open;
            } catch (UnavailableException early) {
                checkNotOver(deadline);
                scheduler().pause(LOOK_MILLIS);
            }
        }
    }

    /** Served by the server of now: METADATA may still name one that died. */
    private boolean isServed(Bigtable open) throws BigtableException {
        Optional<String> server = Optional.of(tabletServer.address().toString());
        List<TableSchema> tables = new ArrayList<>(List.of(MetadataSchema.SCHEMA));
        tables.addAll(open.admin().tables());
        for (TableSchema table : tables) {
            List<TabletInfo> tablets = open.table(table.name()).tablets();
            // METADATA has none before the master's first look.
            if (tablets.isEmpty()
                    || !tablets.stream().allMatch(tablet -> tablet.server().equals(server))) {
                return false;
            }
        }
        return true;
    }

    private static void checkNotOver(Deadline deadline) throws UnavailableException {
        if (deadline.isOver()) {
            throw new UnavailableException(
                    "not every tablet is served after " + READY_MILLIS + " ms: the log above says why");
        }
    }

    private void stop() throws BigtableException, InterruptedException {
        Scheduler scheduler = scheduler();
        if (!master.hasEnded()) {
            bigtable.admin().stopCluster();
        }
        Deadline deadline = Deadline.after(scheduler.clock(), STOP_MILLIS);
        while (!(master.hasEnded() && tabletServer.hasEnded()) && !deadline.isOver()) {
            scheduler.pause(LOOK_MILLIS);
        }
    }
}
