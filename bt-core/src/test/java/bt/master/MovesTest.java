package bt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.AvroBytes;
import bt.base.UnavailableException;
import bt.metadata.MetadataRow;
import bt.metadata.TabletStates;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.record.Done;
import bt.record.Phase;
import bt.record.TabletLocation;
import bt.record.TabletReport;
import bt.testing.MemoryCluster;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A tablet of which METADATA says that one server serves it, and another server. */
class MovesTest {
    private static final Member SOURCE = new Member("source", new Address("host", 1), 7, "");
    private static final Member TARGET = new Member("target", new Address("host", 2), 8, "");
    private static final TabletId TABLET = new TabletId(4, Optional.empty());

    private final AtomicInteger asked = new AtomicInteger();
    private MemoryCluster cluster;
    private Moves moves;
    private MetadataRow row;

    @BeforeEach
    void start() throws Exception {
        cluster = new MemoryCluster();
        cluster.listen(SOURCE.address(), (caller, request) -> {
            asked.incrementAndGet();
            return CompletableFuture.completedFuture(new Answer.Control(new Done()));
        });
        cluster.listen(
                TARGET.address(),
                (caller, request) -> CompletableFuture.completedFuture(new Answer.Control(new Done())));
        row = cluster.metadata.create(TABLET, TabletStates.empty(Optional.empty()), "created");
        TabletLocation location =
                new TabletLocation(Phase.SERVING, SOURCE.id(), SOURCE.address().toString(), SOURCE.epoch());
        row = cluster.metadata.replace(row, location, row.state(), "serving");
        moves = new Moves(
                cluster.metadata,
                cluster.scheduler,
                new TabletOrders(cluster, 5_000, 1),
                row -> false,
                new Catalogue(cluster.locks),
                () -> {});
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    /** It would forget that, and when it is asked for the tablet next take it for one that it has served and lost, and end. */
    @Test
    void aServerThatCouldNotLoadATabletIsNotAskedToGiveItUp() {
        assertThatThrownBy(() -> moves.begin(row, TARGET, sight("a block is damaged")))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("its server could not load it: a block is damaged");
        assertThat(asked).hasValue(0);
        assertThat(moves.size()).isZero();
    }

    @Test
    void aServerThatServesItIs() throws Exception {
        CompletableFuture<Void> unused = moves.begin(row, TARGET, sight(null));
        assertThat(asked).hasValue(1);
        assertThat(moves.isUnderWay(TABLET)).isTrue();
    }

    private static Sight sight(@Nullable String failure) {
        Map<Member, List<TabletReport>> reports = new LinkedHashMap<>();
        reports.put(
                SOURCE,
                List.of(TabletReport.newBuilder()
                        .setTableId(TABLET.tableId())
                        .setEndRow(AvroBytes.buffer(TABLET.endRow()))
                        .setPhase(failure == null ? Phase.SERVING : Phase.LOADING)
                        .setMemtableBytes(0)
                        .setFileBytes(0)
                        .setFiles(0)
                        .setFailure(failure)
                        .build()));
        reports.put(TARGET, List.of());
        return Sights.of(reports);
    }
}
