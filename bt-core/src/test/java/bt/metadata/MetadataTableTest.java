package bt.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.FencedException;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.model.RowRange;
import bt.model.RowSet;
import bt.model.TabletId;
import bt.protocol.Request;
import bt.record.Phase;
import bt.record.RootEvent;
import bt.record.TabletLocation;
import bt.record.TabletState;
import bt.testing.CountedLocks;
import bt.testing.MemoryCluster;
import bt.testing.MemoryCluster.Fate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MetadataTableTest {
    private static final TabletId ID = new TabletId(4, Optional.of(Bytes.utf8("m")));
    private static final TabletLocation LOADING = new TabletLocation(Phase.LOADING, "host3_1_n", "host3:1", 33L);
    private static final TabletLocation SERVING = new TabletLocation(Phase.SERVING, "host3_1_n", "host3:1", 33L);

    private MemoryCluster cluster;
    private MetadataTable metadata;

    @BeforeEach
    void start() throws Exception {
        cluster = new MemoryCluster();
        metadata = cluster.metadata;
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private MetadataRow created() throws Exception {
        return metadata.create(ID, TabletStates.empty(Optional.empty()), "created");
    }

    @Test
    void everyChangeRaisesTheGeneration() throws Exception {
        MetadataRow created = created();
        MetadataRow loading = metadata.replace(created, LOADING, created.state(), "loading");
        assertThat(created.generation()).isZero();
        assertThat(loading.generation()).isEqualTo(1);
        assertThat(metadata.read(ID)).contains(loading);
    }

    @Test
    void aChangeDecidedOnAnOlderGenerationIsRejectedAlsoWhenTheRowCameBack() throws Exception {
        MetadataRow created = created();
        MetadataRow loading = metadata.replace(created, LOADING, created.state(), "loading");
        MetadataRow back = metadata.replace(loading, created.location(), created.state(), "back");
        assertThatThrownBy(() -> metadata.replace(created, SERVING, created.state(), "late"))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("generation is 2, expected 0");
        assertThat(metadata.read(ID)).contains(back);
    }

    /** Of whichever kind the newest event is. */
    @Test
    void whenARowWasChangedLastIsToldByTheNewerOfTwoHistories() throws Exception {
        MetadataRow row = created();
        long before = metadata.changedMicros(ID).orElseThrow();
        for (RowEvent event :
                List.of(RowEvent.ofFiles("compaction"), RowEvent.of("loading"), RowEvent.ofFiles("again"))) {
            row = metadata.replace(row, LOADING, row.state(), event);
            long changed = metadata.changedMicros(ID).orElseThrow();
            assertThat(changed).isGreaterThan(before);
            assertThat(metadata.look(MetadataKeys.tables(4, 4)).rows())
                    .extracting(SeenRow::changedMicros)
                    .containsExactly(changed);
            before = changed;
        }
    }

    @Test
    void aRowIsCreatedOnce() throws Exception {
        MetadataRow created = created();
        assertThatThrownBy(this::created).isInstanceOf(RejectedException.class);
        assertThat(metadata.read(ID)).contains(created);
    }

    @Test
    void aRowMarkedGoneIsReadButNotScannedAndNotCreatedAgain() throws Exception {
        MetadataRow created = created();
        TabletState gone = TabletState.newBuilder(created.state()).setGone(true).build();
        metadata.replace(created, created.location(), gone, "dropped");
        assertThat(metadata.read(ID).orElseThrow().gone()).isTrue();
        assertThat(metadata.scan(4, 4)).isEmpty();
        assertThatThrownBy(this::created).isInstanceOf(RejectedException.class);
    }

    /** More than go into one request; between any two of them lies a row that is in none. */
    @Test
    void ofManyRangesOfKeysTheirRowsAreReadAndNoOthers() throws Exception {
        int rows = 2_400;
        List<RowRange> wanted = new ArrayList<>();
        List<TabletId> expected = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            TabletId id = new TabletId(4, Optional.of(Bytes.utf8("%04d".formatted(i))));
            metadata.create(id, TabletStates.empty(Optional.empty()), "created");
            if (i % 2 == 0) {
                wanted.add(RowRange.row(MetadataKeys.of(id)));
                expected.add(id);
            }
        }
        MetadataTable.ReadableRows found = metadata.scanReadable(new RowSet(wanted));
        assertThat(found.rows()).extracting(MetadataRow::id).containsExactlyElementsOf(expected);
        assertThat(found.damage()).isEmpty();
    }

    @Test
    void aLostAnswerIsSettledByReadingTheRow() throws Exception {
        MetadataRow created = created();
        loseMutations(Fate.ANSWER_LOST, 1);
        MetadataRow loading = metadata.replace(created, LOADING, created.state(), "loading");
        assertThat(metadata.read(ID)).contains(loading);
        assertThat(loading.generation()).isEqualTo(1);
    }

    @Test
    void aLostRequestIsSentAgain() throws Exception {
        MetadataRow created = created();
        loseMutations(Fate.REQUEST_LOST, 2);
        assertThat(metadata.read(ID)).contains(created);
        MetadataRow loading = metadata.replace(created, LOADING, created.state(), "loading");
        assertThat(metadata.read(ID)).contains(loading);
    }

    @Test
    void aLostAnswerAfterWhichAnotherWonIsRejected() throws Exception {
        MetadataRow created = created();
        MetadataTable other = new MetadataTable(cluster, cluster.locks, cluster.scheduler);
        AtomicInteger lost = new AtomicInteger(1);
        cluster.fates((to, request) -> {
            if (request instanceof Request.Mutate && lost.getAndDecrement() == 1) {
                change(other, created, SERVING);
                return Fate.REQUEST_LOST;
            }
            return Fate.DELIVERED;
        });
        assertThatThrownBy(() -> metadata.replace(created, LOADING, created.state(), "loading"))
                .isInstanceOf(RejectedException.class);
        assertThat(metadata.read(ID).orElseThrow().location()).isEqualTo(SERVING);
    }

    @Test
    void aLostAnswerAfterWhichTheRowWentOnIsUnknown() throws Exception {
        MetadataRow created = created();
        MetadataTable other = new MetadataTable(cluster, cluster.locks, cluster.scheduler);
        AtomicInteger lost = new AtomicInteger(1);
        cluster.fates((to, request) -> {
            if (request instanceof Request.Mutate && lost.getAndDecrement() == 1) {
                change(other, change(other, created, LOADING), SERVING);
                return Fate.REQUEST_LOST;
            }
            return Fate.DELIVERED;
        });
        assertThatThrownBy(() -> metadata.replace(created, LOADING, created.state(), "loading"))
                .isInstanceOfSatisfying(UnavailableException.class, failure -> assertThat(failure.outcome())
                        .isEqualTo(Outcome.UNKNOWN));
    }

    @Test
    void theRootRowIsChangedByTheSameRules() throws Exception {
        MetadataRow root = metadata.read(MetadataSchema.ROOT).orElseThrow();
        MetadataRow next = metadata.replace(root, SERVING, root.state(), "serving");
        assertThat(next.generation()).isEqualTo(root.generation() + 1);
        assertThat(metadata.read(MetadataSchema.ROOT)).contains(next);
        assertThatThrownBy(() -> metadata.replace(root, LOADING, root.state(), "late"))
                .isInstanceOf(RejectedException.class);
    }

    /** Its events are in the file that its row was read from. */
    @Test
    void theRootTabletsRowIsReadOnceForAChange() throws Exception {
        CountedLocks counted = new CountedLocks(cluster.locks);
        MetadataTable table = new MetadataTable(cluster, counted, cluster.scheduler);
        MetadataRow row = table.read(MetadataSchema.ROOT).orElseThrow();
        MetadataRow loading = table.replace(row, LOADING, row.state(), "loading");
        assertThat(counted.questions()).isEqualTo(1);
        // By somebody who has not read it: the events of before stay.
        MetadataRow serving = metadata.replace(loading, SERVING, loading.state(), "serving");
        MetadataRow again = table.replace(serving, LOADING, serving.state(), "again");
        assertThat(table.read(MetadataSchema.ROOT)).contains(again);
        assertThat(table.rootEvents()).extracting(RootEvent::getWhat).endsWith("loading", "serving", "again");
    }

    @Test
    void anEarlierMasterIsFencedWhereALaterOneHasBeen() throws Exception {
        MetadataRow created = created();
        MetadataRow second = metadata.asMaster(2).replace(created, LOADING, created.state(), "loading");
        MetadataRow served = metadata.replace(second, SERVING, second.state(), "serving");
        assertThat(served.masterEpoch()).isEqualTo(2);
        assertThatThrownBy(() -> metadata.asMaster(1).replace(served, LOADING, served.state(), "old"))
                .isInstanceOf(FencedException.class);
        assertThatThrownBy(() -> metadata.asMaster(1).replace(created, LOADING, created.state(), "old"))
                .isInstanceOf(RejectedException.class);
        assertThat(metadata.read(ID)).contains(served);
    }

    @Test
    void aScanReturnsTheRowsOfItsTablesInOrder() throws Exception {
        Optional<Bytes> previous = Optional.empty();
        for (String end : new String[] {"b", "f", "m"}) {
            metadata.create(new TabletId(5, Optional.of(Bytes.utf8(end))), TabletStates.empty(previous), "created");
            previous = Optional.of(Bytes.utf8(end));
        }
        created();
        assertThat(metadata.scan(5, 5)).extracting(row -> row.id().toString()).containsExactly("5/b", "5/f", "5/m");
        assertThat(metadata.scan(0, 9))
                .extracting(MetadataRow::id)
                .startsWith(MetadataSchema.ROOT, MetadataSchema.LAST, ID)
                .hasSize(6);
    }

    @Test
    void aTabletCannotEndWhereItBegins() {
        assertThatThrownBy(() -> metadata.create(ID, TabletStates.empty(ID.endRow()), "created"))
                .isInstanceOf(RejectedException.class);
    }

    private void loseMutations(Fate fate, int count) {
        AtomicInteger left = new AtomicInteger(count);
        cluster.fates((to, request) ->
                request instanceof Request.Mutate && left.getAndDecrement() > 0 ? fate : Fate.DELIVERED);
    }

    private static MetadataRow change(MetadataTable table, MetadataRow row, TabletLocation location) {
        try {
            return table.replace(row, location, row.state(), "other");
        } catch (Exception failed) {
            throw new AssertionError(failed);
        }
    }
}
