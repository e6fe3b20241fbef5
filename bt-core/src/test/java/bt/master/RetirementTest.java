package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.base.Scheduler.WorkerPool;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.metadata.TabletStates;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.record.Done;
import bt.record.Phase;
import bt.record.TabletLocation;
import bt.testing.MemoryCluster;
import bt.testing.MemoryFileStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tablets of two dropped tables at one server. */
class RetirementTest {
    private static final Member SERVER = new Member("s", new Address("server", 1), 7, "");

    private MemoryCluster cluster;
    private MetadataTable metadata;
    private Workers workers;
    private WorkerPool writers;
    private WorkerPool askers;
    private Retirement retirement;

    @BeforeEach
    void start() throws Exception {
        cluster = new MemoryCluster();
        cluster.listen(
                SERVER.address(),
                (caller, request) -> CompletableFuture.completedFuture(new Answer.Control(new Done())));
        metadata = cluster.metadata.asMaster(1);
        workers = Workers.start(cluster.scheduler);
        writers = cluster.scheduler.pool("rows", RowWrites.WRITERS, RowWrites.MOST_UNDER_WAY);
        askers = cluster.scheduler.pool("homes", Homes.ASKERS, Homes.MOST_ASKED);
        MemoryFileStore files = new MemoryFileStore(cluster.scheduler.clock());
        MasterConfig config = MasterConfig.DEFAULT;
        Hindrances hindrances = new Hindrances();
        TabletOrders orders = new TabletOrders(cluster, config.requestMillis(), 1);
        RowWrites writes = new RowWrites(cluster.scheduler, writers, hindrances::home);
        Graves graves = new Graves(files.process("master"), cluster.scheduler, workers, config.leaseMillis(), () -> {});
        Assigner assigner = new Assigner(
                cluster.scheduler,
                graves,
                new Homes(files.process("master"), cluster.scheduler, askers),
                config,
                orders,
                new AssignmentWrites(metadata, orders, writes, hindrances));
        retirement = new Retirement(metadata, cluster.scheduler, graves, orders, assigner, writes, hindrances);
    }

    @AfterEach
    void stop() {
        askers.close();
        writers.close();
        workers.close();
        cluster.close();
    }

    /** Whoever brings tables back behind each drop, and has other tablets of them each time, would fill the master's memory. */
    @Test
    void whatWasAskedForOfATableThatCameBackIsForgotten() throws Exception {
        Sight sight = Sights.of(Map.of(SERVER, List.of()));
        retirement.begin();
        for (long table : List.of(4L, 5L)) {
            assertThat(retirement.retire(served(table, "m"), sight)).isFalse();
            assertThat(retirement.retire(served(table, "z"), sight)).isFalse();
        }
        assertThat(retirement.asked()).hasSize(4);
        retirement.keepOnlyOf(table -> table != 4);
        assertThat(retirement.asked()).hasSize(2).allMatch(id -> id.tableId() == 5);
    }

    private MetadataRow served(long table, String end) throws Exception {
        TabletId id = new TabletId(table, Optional.of(Bytes.utf8(end)));
        MetadataRow row = metadata.create(id, TabletStates.empty(Optional.empty()), "created");
        TabletLocation location =
                new TabletLocation(Phase.SERVING, SERVER.id(), SERVER.address().toString(), SERVER.epoch());
        return metadata.replace(row, location, row.state(), "serving");
    }
}
