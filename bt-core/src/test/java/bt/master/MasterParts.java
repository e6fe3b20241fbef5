package bt.master;

import bt.base.Scheduler.WorkerPool;
import bt.metadata.MetadataTable;
import bt.testing.FileOperation;
import bt.testing.MemoryCluster;
import bt.testing.MemoryFileStore;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** An assigner, and what it works with. Of its files it is told whose hosts were asked for. */
final class MasterParts implements AutoCloseable {
    final MemoryCluster cluster = new MemoryCluster();
    final MetadataTable metadata = cluster.metadata.asMaster(1);
    final Hindrances hindrances = new Hindrances();
    final Set<String> hostsAsked = ConcurrentHashMap.newKeySet();
    final MemoryFileStore files = new MemoryFileStore(cluster.scheduler.clock(), (process, operation, path) -> {
        if (operation == FileOperation.HOSTS) {
            hostsAsked.add(path);
        }
    });
    final TabletOrders orders = new TabletOrders(cluster, MasterConfig.DEFAULT.requestMillis(), 1);
    final RowWrites writes;
    final Graves graves;
    final Assigner assigner;
    private final Workers workers = Workers.start(cluster.scheduler);
    private final WorkerPool writers = cluster.scheduler.pool("assign", RowWrites.WRITERS, RowWrites.MOST_UNDER_WAY);
    private final WorkerPool askers = cluster.scheduler.pool("homes", Homes.ASKERS, Homes.MOST_ASKED);

    MasterParts() throws Exception {
        writes = new RowWrites(cluster.scheduler, writers, hindrances::home);
        graves = new Graves(
                files.process("master"), cluster.scheduler, workers, MasterConfig.DEFAULT.leaseMillis(), () -> {});
        assigner = new Assigner(
                cluster.scheduler,
                graves,
                new Homes(files.process("master"), cluster.scheduler, askers),
                MasterConfig.DEFAULT,
                orders,
                new AssignmentWrites(metadata, orders, writes, hindrances));
    }

    @Override
    public void close() {
        askers.close();
        writers.close();
        workers.close();
        cluster.close();
    }
}
