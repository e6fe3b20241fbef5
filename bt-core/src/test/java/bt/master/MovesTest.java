package bt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.AvroBytes;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.metadata.MetadataRow;
import bt.metadata.TabletStates;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.record.Done;
import bt.record.MoveTablet;
import bt.record.Phase;
import bt.record.TabletLocation;
import bt.record.TabletReport;
import bt.testing.MemoryCluster;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.avro.specific.SpecificRecord;
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

    /** Whether it is the same or many: each is kept until it is over, and two servers are at work for it. */
    @Test
    void ofOneHostNoMoreAreTakenThanThereAreLeft() throws Exception {
        Catalogue catalogue = new Catalogue(cluster.locks);
        MoveCommands commands = new MoveCommands(
                cluster.metadata, moves, Drains.load(cluster.locks, cluster.metadata, moves, catalogue, 4));
        MoveTablet message = new MoveTablet(TABLET.tableId(), null, TARGET.id());
        List<CompletableFuture<? extends SpecificRecord>> asked = new ArrayList<>();
        for (int i = 0; i < MoveCommands.MOST_ASKED / 2; i++) {
            asked.add(commands.begin(message, "greedy", sight(null)).orElseThrow());
        }
        assertThatThrownBy(() -> commands.begin(message, "greedy", sight(null)))
                .isInstanceOf(OverloadedException.class);
        asked.add(commands.begin(message, "modest", sight(null)).orElseThrow());
        assertThat(asked).noneMatch(CompletableFuture::isDone);
        // Of what is refused for another reason no place is taken.
        MoveTablet unknown = new MoveTablet(TABLET.tableId(), null, "nobody");
        for (int i = 0; i < MoveCommands.MOST_ASKED; i++) {
            assertThatThrownBy(() -> commands.begin(unknown, "another", sight(null)))
                    .isInstanceOf(RejectedException.class);
        }

        Map<Member, List<TabletReport>> served = new LinkedHashMap<>();
        served.put(SOURCE, List.of());
        served.put(TARGET, List.of(report(Phase.SERVING, null)));
        assertThat(moves.look(Sights.of(served))).isFalse();
        assertThat(asked).allMatch(CompletableFuture::isDone);
        for (int i = 0; i < MoveCommands.MOST_ASKED / 2; i++) {
            assertThat(commands.begin(message, "greedy", sight(null))).isPresent();
        }
    }

    private static Sight sight(@Nullable String failure) {
        Map<Member, List<TabletReport>> reports = new LinkedHashMap<>();
        reports.put(SOURCE, List.of(report(failure == null ? Phase.SERVING : Phase.LOADING, failure)));
        reports.put(TARGET, List.of());
        return Sights.of(reports);
    }

    private static TabletReport report(Phase phase, @Nullable String failure) {
        return TabletReport.newBuilder()
                .setTableId(TABLET.tableId())
                .setEndRow(AvroBytes.buffer(TABLET.endRow()))
                .setPhase(phase)
                .setMemtableBytes(0)
                .setFileBytes(0)
                .setFiles(0)
                .setFailure(failure)
                .build();
    }
}
