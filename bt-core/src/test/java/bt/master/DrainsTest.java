package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.metadata.MetadataRow;
import bt.metadata.TabletStates;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Request;
import bt.record.Phase;
import bt.record.TabletLocation;
import bt.record.TabletReport;
import bt.record.UnloadTablet;
import bt.testing.MemoryCluster;
import bt.testing.SimScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A server that drains, and two that take its tablets, of which one has few and large ones. */
class DrainsTest {
    private static final Member DRAINED = new Member("drained", new Address("host-1", 1), 7, "");
    private static final Member BUSY = new Member("busy", new Address("host-2", 1), 8, "");
    private static final Member IDLE = new Member("idle", new Address("host-3", 1), 9, "");
    private static final TabletId TABLET = new TabletId(4, Optional.empty());
    private static final long MEGABYTE = 1 << 20;

    private final SimScheduler scheduler = new SimScheduler(1);
    private final List<TabletLocation> targets = new ArrayList<>();

    @Test
    void whatLeavesGoesToTheServerThatHasLeastToDo() throws Exception {
        try (MemoryCluster cluster = new MemoryCluster()) {
            cluster.listen(DRAINED.address(), (caller, request) -> {
                if (request instanceof Request.Control control && control.message() instanceof UnloadTablet unload) {
                    targets.add(Objects.requireNonNull(unload.getTarget()));
                }
                return new CompletableFuture<Answer>();
            });
            cluster.metadata.create(TABLET, TabletStates.empty(Optional.empty()), "created");
            MetadataRow row = cluster.metadata.read(TABLET).orElseThrow();
            MetadataRow unused = cluster.metadata.replace(
                    row,
                    new TabletLocation(
                            Phase.SERVING, DRAINED.id(), DRAINED.address().toString(), DRAINED.epoch()),
                    row.state(),
                    "serving");
            Catalogue catalogue = new Catalogue(cluster.locks);
            Moves moves = new Moves(
                    cluster.metadata,
                    scheduler,
                    new TabletOrders(cluster, 5_000, 1),
                    asked -> false,
                    catalogue,
                    () -> {});
            Drains drains = Drains.load(cluster.locks, cluster.metadata, moves, catalogue);
            scheduler.run(Duration.ofMinutes(1), () -> {
                try {
                    Sight sight = sight();
                    assertThat(drains.begin(DRAINED, sight).getTablets()).isEqualTo(1);
                    drains.look(sight);
                } catch (BigtableException failed) {
                    throw new AssertionError(failed);
                }
            });
            assertThat(targets)
                    .singleElement()
                    .extracting(TabletLocation::getServer)
                    .isEqualTo(IDLE.id());
        }
    }

    private static Sight sight() {
        Map<Member, List<TabletReport>> reports = new LinkedHashMap<>();
        reports.put(DRAINED, List.of(report(TABLET, 10)));
        reports.put(BUSY, List.of(report(new TabletId(5, Optional.of(Bytes.utf8("a"))), 4_000)));
        reports.put(
                IDLE,
                List.of(
                        report(new TabletId(5, Optional.of(Bytes.utf8("b"))), 1),
                        report(new TabletId(5, Optional.empty()), 1)));
        Sight sight = Sights.of(reports);
        return new Sight(sight.living(), sight.unlocked(), sight.answered(), Set.of(DRAINED.id()));
    }

    private static TabletReport report(TabletId id, long megabytes) {
        return TabletReport.newBuilder()
                .setTableId(id.tableId())
                .setEndRow(AvroBytes.buffer(id.endRow()))
                .setPhase(Phase.SERVING)
                .setMemtableBytes(0)
                .setFileBytes(megabytes * MEGABYTE)
                .setFiles(1)
                .build();
    }
}
