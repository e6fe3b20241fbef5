package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.base.Scheduler.WorkerPool;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.metadata.TabletStates;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Request;
import bt.record.Done;
import bt.record.Phase;
import bt.record.ServerStatus;
import bt.testing.MemoryCluster;
import bt.testing.MemoryCluster.Fate;
import bt.testing.MemoryFileStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One server, and a table of many tablets that nobody serves. */
class AssignerTest {
    /** More than are written at a time. */
    private static final int TABLETS = RowWrites.MOST_UNDER_WAY + 10 * RowWrites.WRITERS;

    private static final Member SERVER = new Member("s", new Address("server", 1), 7, "");

    private MemoryCluster cluster;
    private WorkerPool diggers;
    private WorkerPool writers;
    private WorkerPool askers;
    private final Hindrances hindrances = new Hindrances();
    private Assigner assigner;

    @BeforeEach
    void start() throws Exception {
        cluster = new MemoryCluster();
        cluster.listen(
                SERVER.address(),
                (caller, request) -> CompletableFuture.completedFuture(new Answer.Control(new Done())));
        diggers = cluster.scheduler.pool("burial", 1, 10);
        writers = cluster.scheduler.pool("assign", RowWrites.WRITERS, RowWrites.MOST_UNDER_WAY);
        askers = cluster.scheduler.pool("homes", Homes.ASKERS, Homes.MOST_ASKED);
        MetadataTable metadata = cluster.metadata.asMaster(1);
        MemoryFileStore files = new MemoryFileStore(cluster.scheduler.clock());
        MasterConfig config = MasterConfig.DEFAULT;
        TabletOrders orders = new TabletOrders(cluster, config.requestMillis(), 1);
        assigner = new Assigner(
                cluster.scheduler,
                new Graves(files.process("master"), cluster.scheduler, diggers, config.leaseMillis()),
                new Homes(files.process("master"), cluster.scheduler, askers),
                config,
                orders,
                new AssignmentWrites(
                        metadata, orders, new RowWrites(cluster.scheduler, writers, hindrances::home), hindrances));
        Optional<Bytes> previous = Optional.empty();
        for (int i = 0; i < TABLETS; i++) {
            Optional<Bytes> end = Optional.of(Bytes.utf8(String.format("%04d", i)));
            cluster.metadata.create(new TabletId(4, end), TabletStates.empty(previous), "created");
            previous = end;
        }
    }

    @AfterEach
    void stop() {
        askers.close();
        writers.close();
        diggers.close();
        cluster.close();
    }

    @Test
    void onceMetadataIsAwayNoOtherTabletWaitsForIt() throws Exception {
        Set<Bytes> tried = ConcurrentHashMap.newKeySet();
        cluster.fates((to, request) -> {
            if (request instanceof Request.Mutate change && change.tableId() == TableSchema.METADATA_ID) {
                change.writes().forEach(write -> tried.add(write.mutation().row()));
                return Fate.NO_CONNECTION;
            }
            return Fate.DELIVERED;
        });
        pass();
        assertThat(tried).hasSizeBetween(1, RowWrites.WRITERS);
        assertThat(hindrances.problems()).hasSize(1);
        assertThat(rows()).allMatch(row -> hindrances.concern(row.id()));

        cluster.fates((to, request) -> Fate.DELIVERED);
        pass();
        assertThat(hindrances.problems()).isEmpty();
        assertThat(rows()).hasSize(TABLETS).allMatch(row -> row.location().getPhase() == Phase.LOADING);
    }

    private void pass() throws Exception {
        Sight sight = sight();
        hindrances.begin();
        assigner.begin(sight);
        for (MetadataRow row : rows()) {
            assertThat(assigner.settle(row, sight)).isFalse();
        }
        assigner.finish();
    }

    private List<MetadataRow> rows() throws Exception {
        return cluster.metadata.scan(4, 4);
    }

    private static Sight sight() {
        ServerStatus status = ServerStatus.newBuilder()
                .setServer(SERVER.id())
                .setEpoch(SERVER.epoch())
                .setLockHeld(true)
                .setPid(1)
                .setTablets(List.of())
                .setCaches(List.of())
                .build();
        return new Sight(List.of(SERVER), List.of(), Map.of(SERVER, Poll.Holdings.of(status)), Set.of());
    }
}
