package bt.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.AvroBytes;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Deadline;
import bt.base.UnavailableException;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.protocol.Calls;
import bt.protocol.Request;
import bt.protocol.Write;
import bt.protocol.WriteId;
import bt.record.TabletState;
import bt.testing.MemoryCluster;
import bt.testing.MemoryCluster.Fate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LocatorTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("webtable").family("contents", GcRule.KEEP_ALL).build();
    private static final Bytes B = Bytes.utf8("b");
    private static final Bytes F = Bytes.utf8("f");
    private static final Bytes M = Bytes.utf8("m");

    private MemoryCluster cluster;
    private Locator locator;

    @BeforeEach
    void start() throws Exception {
        cluster = new MemoryCluster();
        cluster.table(4, DRAFT, List.of(F, M), 3);
        locator = locator(100);
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private Locator locator(int places) {
        return new Locator(new Calls(cluster, cluster.scheduler, 1_000), cluster.locks, places);
    }

    private TabletPlace locate(String row) throws Exception {
        return locator.locate(4, Bytes.utf8(row), deadline());
    }

    private Deadline deadline() {
        return Deadline.after(cluster.scheduler.clock(), 5_000);
    }

    @Test
    void anEmptyCacheTakesThreeRoundTrips() throws Exception {
        TabletPlace place = locate("b");
        assertThat(place.id()).isEqualTo(new TabletId(4, Optional.of(F)));
        assertThat(place.address()).isEqualTo(MemoryCluster.address(3));
        assertThat(locator.roundTrips()).isEqualTo(3);
    }

    @Test
    void aTabletHoldsItsEndRowAndTheNextBeginsAfterIt() throws Exception {
        assertThat(locate("f").id().endRow()).contains(F);
        assertThat(locate("f\0").id().endRow()).contains(M);
        assertThat(locate("zzz").id().endRow()).isEmpty();
        assertThat(locator.locate(4, Bytes.EMPTY, deadline()).id().endRow()).contains(F);
    }

    @Test
    void neighboursAreReadWithTheOneThatIsAskedFor() throws Exception {
        locate("b");
        locate("g");
        locate("zzz");
        assertThat(locator.roundTrips()).isEqualTo(3);
    }

    @Test
    void aStaleTabletIsFoundAgainInOneRoundTripWhereTheLevelsAboveStand() throws Exception {
        TabletPlace stale = locate("b");
        cluster.move(stale.id(), 3, 5);
        assertThat(locate("b")).isEqualTo(stale);
        locator.forget(stale);
        assertThat(locate("b").address()).isEqualTo(MemoryCluster.address(5));
        assertThat(locator.roundTrips()).isEqualTo(4);
    }

    @Test
    void whenEveryLevelIsStaleItTakesSixRoundTripsWithTheRefusalOfTheTabletItself() throws Exception {
        TabletPlace stale = locate("b");
        long before = locator.roundTrips();
        cluster.move(MetadataSchema.ROOT, 1, 6);
        cluster.move(MetadataSchema.LAST, 2, 7);
        cluster.move(stale.id(), 3, 8);
        locator.forget(stale);
        assertThat(locate("b").address()).isEqualTo(MemoryCluster.address(8));
        assertThat(locator.roundTrips() - before + 1).isEqualTo(6);
    }

    /** The caller says which table, by its name. */
    @Test
    void whereMetadataIsNotThereAFailureNamesTheRowAndNoTablesNumber() throws Exception {
        cluster.unload(new TabletId(4, Optional.of(M)), 3);
        assertThatThrownBy(() -> locate("g"))
                .isInstanceOf(UnavailableException.class)
                .hasMessageStartingWith("row g: the tablet that ends with row m is UNASSIGNED");
        Address metadata = MemoryCluster.address(2);
        cluster.fates((to, request) -> to.equals(metadata) ? Fate.NO_CONNECTION : Fate.DELIVERED);
        assertThatThrownBy(() -> locator(100).locate(4, Bytes.utf8("g"), deadline()))
                .isInstanceOf(UnavailableException.class)
                .hasMessageStartingWith("METADATA, which tells where row g is: ");
    }

    @Test
    void aTabletThatNobodyServesIsUnavailableAndNothingIsApplied() throws Exception {
        cluster.unload(new TabletId(4, Optional.of(M)), 3);
        assertThatThrownBy(() -> locate("g"))
                .isInstanceOfSatisfying(UnavailableException.class, failure -> assertThat(failure.outcome())
                        .isEqualTo(Outcome.NOT_APPLIED))
                .hasMessageContaining("the tablet that ends with row m is UNASSIGNED");
        assertThat(locate("a").id().endRow()).contains(F);
        assertThat(locate("z").id().endRow()).isEmpty();
    }

    /** It lies among those that are read with the one that is wanted. */
    @Test
    void aRowOfMetadataThatIsDamagedIsToldToThoseAloneWhoLookForItsTablet() throws Exception {
        damage(new TabletId(4, Optional.of(M)));
        assertThat(locate("b").id().endRow()).contains(F);
        assertThatThrownBy(() -> locate("g"))
                .isInstanceOfSatisfying(CorruptionException.class, failure -> assertThat(failure.outcome())
                        .isEqualTo(Outcome.NOT_APPLIED))
                .hasMessageStartingWith("rows up to m: METADATA row ")
                .hasMessageContaining("\\x04\\x00m location:before");
        assertThat(locate("z").id().endRow()).isEmpty();
        assertThat(locator.roundTrips())
                .as("the last one was read with the first")
                .isEqualTo(4);
    }

    @Test
    void whoReadsAllRowsIsToldWhichTabletsTheDamagedOneIs() throws Exception {
        damage(new TabletId(4, Optional.empty()));
        assertThatThrownBy(() -> cluster.metadata.scan(4, 4))
                .isInstanceOf(CorruptionException.class)
                .hasMessageStartingWith("rows to the last: METADATA row ");
        assertThatThrownBy(() -> cluster.metadata.read(new TabletId(4, Optional.empty())))
                .isInstanceOf(CorruptionException.class)
                .hasMessageStartingWith("rows to the last: METADATA row ");
    }

    private void damage(TabletId id) throws Exception {
        RowMutation mutation = RowMutation.of(MetadataKeys.of(id))
                .set(MetadataSchema.BEFORE_COLUMN, 1_000_000, Bytes.EMPTY)
                .build();
        Write write = new Write(mutation, new WriteId(5, 1, 1), Optional.empty());
        Request.Mutate request = new Request.Mutate(TableSchema.METADATA_ID, List.of(write));
        new Calls(cluster, cluster.scheduler, 1_000).mutate(MemoryCluster.address(2), request, deadline());
    }

    @Test
    void aTableWithoutTabletsIsNowhere() throws Exception {
        assertThat(locator.look(3, B, deadline())).isEqualTo(Whereabouts.NOWHERE);
        assertThat(locator.look(5, B, deadline())).isEqualTo(Whereabouts.NOWHERE);
    }

    @Test
    void rowsMarkedGoneAreSkipped() throws Exception {
        mark(new TabletId(4, Optional.of(F)), Optional.empty(), true);
        mark(new TabletId(4, Optional.of(M)), Optional.empty(), false);
        assertThat(locate("b").id()).isEqualTo(new TabletId(4, Optional.of(M)));
    }

    /** A merge leaves the rows of those that are gone for a day. */
    @Test
    void manyRowsMarkedGoneCostNoRoundTrip() throws Exception {
        List<Bytes> ends = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            ends.add(Bytes.utf8("%03d".formatted(i)));
        }
        cluster.table(5, TableSchema.draft("merged").build(), ends, 3);
        Optional<Bytes> previous = Optional.empty();
        for (Bytes end : ends) {
            mark(new TabletId(5, Optional.of(end)), previous, true);
            previous = Optional.of(end);
        }
        mark(new TabletId(5, Optional.empty()), Optional.empty(), false);
        TabletPlace place = locator.locate(5, Bytes.utf8("000"), deadline());
        assertThat(place.id()).isEqualTo(new TabletId(5, Optional.empty()));
        assertThat(locator.roundTrips()).isEqualTo(3);
        TabletPlace neighbour = locator.locate(5, Bytes.utf8("050"), deadline());
        assertThat(neighbour).isEqualTo(place);
        assertThat(locator.roundTrips()).isEqualTo(3);
    }

    private void mark(TabletId id, Optional<Bytes> previous, boolean gone) throws Exception {
        MetadataRow row = cluster.metadata.read(id).orElseThrow();
        TabletState state = TabletState.newBuilder(row.state())
                .setPreviousEndRow(AvroBytes.buffer(previous))
                .setGone(gone)
                .build();
        cluster.metadata.replace(row, row.location(), state, "merge");
    }

    @Test
    void theCacheKeepsItsBoundAndTheAnswersStayRight() throws Exception {
        locator = locator(2);
        for (String row : List.of("b", "g", "z", "a", "m", "n")) {
            Bytes key = Bytes.utf8(row);
            assertThat(locate(row).range().contains(key)).as(row).isTrue();
        }
    }

    @Test
    void aClusterThatHasNeverRunIsUnavailable() throws Exception {
        cluster.locks.delete("root");
        assertThatThrownBy(() -> locate("b"))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("no master has ever run");
    }
}
