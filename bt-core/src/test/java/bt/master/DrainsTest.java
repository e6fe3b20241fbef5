package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.metadata.MetadataKeys;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataSchema;
import bt.metadata.TabletStates;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Request;
import bt.record.Phase;
import bt.record.ServerDraining;
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
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server that drains, and two that take its tablets, of which one has few and large ones. */
class DrainsTest {
    private static final Member DRAINED = new Member("drained", new Address("host-1", 1), 7, "");
    private static final Member BUSY = new Member("busy", new Address("host-2", 1), 8, "");
    private static final Member IDLE = new Member("idle", new Address("host-3", 1), 9, "");
    private static final TabletId TABLET = new TabletId(4, Optional.empty());
    private static final long MEGABYTE = 1 << 20;

    /** The tablet of the busy one. */
    private static final int OTHERS = 99;

    private final SimScheduler scheduler = new SimScheduler(1);
    private final List<TabletLocation> targets = new ArrayList<>();
    private final MemoryCluster cluster = new MemoryCluster();

    DrainsTest() throws Exception {}

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void whatLeavesGoesToTheServerThatHasLeastToDo() throws Exception {
        serve(TABLET, DRAINED, Optional.empty());
        moving(4, (drains, moves) -> {
            assertThat(drains.begin(DRAINED, sight()).getTablets()).isEqualTo(1);
            drains.look(sight());
            assertThat(targets)
                    .singleElement()
                    .extracting(TabletLocation::getServer)
                    .isEqualTo(IDLE.id());
        });
    }

    @Test
    void whoIsSilentHasWhatItHadWhenItAnsweredLastAndWhoNeverDidIsNotKnown() throws Exception {
        moving(4, (drains, moves) -> {
            Sight known = drained(1, 3);
            Sight silent = new Sight(known.living(), List.of(), without(known, DRAINED), Set.of(), known.answered());
            assertThat(drains.begin(DRAINED, silent)).isEqualTo(new ServerDraining(3, 0, true));
            Sight never = new Sight(known.living(), List.of(), without(known, DRAINED), Set.of());
            assertThat(drains.begin(DRAINED, never)).isEqualTo(new ServerDraining(1, 0, false));
        });
    }

    /** Whoever ends its process would leave it to recovery. */
    @Test
    void whatMetadataDoesNotSayToHaveLeftIsStillThere() throws Exception {
        moving(4, (drains, moves) -> {
            Sight known = drained(1, 0);
            Map<Member, Poll.Holdings> answered = without(known, DRAINED);
            answered.put(DRAINED, Sights.leaving(DRAINED, List.of(), List.of(tablet(0))));
            Sight leaving = new Sight(known.living(), List.of(), answered, Set.of());
            assertThat(drains.begin(DRAINED, leaving)).isEqualTo(new ServerDraining(1, 0, true));
            answered.put(DRAINED, Sights.leaving(DRAINED, List.of(), List.of(tablet(0)), 5_000));
            assertThat(drains.begin(DRAINED, new Sight(known.living(), List.of(), answered, Set.of())))
                    .as("with those that it has no room to name")
                    .isEqualTo(new ServerDraining(5_000, 0, true));
        });
    }

    private static Map<Member, Poll.Holdings> without(Sight sight, Member server) {
        Map<Member, Poll.Holdings> others = new LinkedHashMap<>(sight.answered());
        others.remove(server);
        return others;
    }

    @Test
    void whereManyTakeTabletsSeveralLeaveAtATimeEachToAnother() throws Exception {
        moving(12, 5, 4, (drains, moves) -> {
            drains.look(drained(12, 5));
            drains.look(drained(12, 5));
            assertThat(targets).extracting(TabletLocation::getServer).hasSize(3).doesNotHaveDuplicates();
        });
    }

    @Test
    void noMoreLeaveAtATimeThanIsSaid() throws Exception {
        moving(20, 5, 2, (drains, moves) -> {
            drains.look(drained(20, 5));
            drains.look(drained(20, 5));
            assertThat(targets).hasSize(2);
        });
    }

    /** Each would be without service for longer. */
    @Test
    void whereFewTakeThemOneLeavesAfterTheOther() throws Exception {
        moving(3, 5, 4, (drains, moves) -> {
            drains.look(drained(3, 5));
            drains.look(drained(3, 5));
            assertThat(targets).hasSize(1);
        });
    }

    /** Or it would have to wait for all that another has. */
    @Test
    void oneLeavesEvenWhereEachHasOneComing() throws Exception {
        moving(1, 2, 4, (drains, moves) -> {
            CompletableFuture<?> unused =
                    moves.begin(cluster.metadata.read(tablet(OTHERS)).orElseThrow(), taker(0), drained(1, 2));
            drains.look(drained(1, 2));
            drains.look(drained(1, 2));
            assertThat(targets).extracting(TabletLocation::getServer).containsExactly("to-0", "to-0");
        });
    }

    /** Whoever looks up what they tell of waits meanwhile. */
    @Test
    void metadataLeavesOneTabletAfterTheOtherWhenTheOthersHaveLeft() throws Exception {
        moving(20, 1, 4, (drains, moves) -> {
            TabletId first = part(1);
            TabletId second = part(2);
            serve(first, DRAINED, MetadataSchema.ROOT.endRow());
            serve(second, DRAINED, first.endRow());
            Map<Member, List<TabletReport>> reports = reports(20, 1);
            reports.put(DRAINED, List.of(report(first, 1), report(second, 1), report(tablet(0), 1)));
            drains.look(draining(reports));
            assertThat(moves.targets()).containsOnlyKeys(tablet(0));
            reports.put(DRAINED, List.of(report(first, 1), report(second, 1)));
            serve(tablet(0), taker(0), Optional.empty());
            reports.put(taker(0), List.of(report(tablet(0), 1)));
            boolean unused = moves.look(draining(reports));
            drains.look(draining(reports));
            drains.look(draining(reports));
            assertThat(moves.targets()).containsOnlyKeys(first);
        });
    }

    private interface Story {
        void tell(Drains drains, Moves moves) throws BigtableException, InterruptedException;
    }

    /** A server that drains has so many tablets, none of which comes to leave; another that has one, too, and others that take them. */
    private void moving(int takers, int tablets, int atATime, Story story) throws Exception {
        for (int i = 0; i < tablets; i++) {
            serve(tablet(i), DRAINED, Optional.empty());
        }
        serve(tablet(OTHERS), BUSY, Optional.empty());
        moving(atATime, (drains, moves) -> {
            ServerDraining unused = drains.begin(DRAINED, drained(takers, tablets));
            story.tell(drains, moves);
        });
    }

    private void moving(int atATime, Story story) throws Exception {
        for (Member server : List.of(DRAINED, BUSY)) {
            cluster.listen(server.address(), (caller, request) -> {
                if (request instanceof Request.Control control && control.message() instanceof UnloadTablet unload) {
                    targets.add(Objects.requireNonNull(unload.getTarget()));
                }
                return new CompletableFuture<Answer>();
            });
        }
        Catalogue catalogue = new Catalogue(cluster.locks);
        Moves moves = new Moves(
                cluster.metadata, scheduler, new TabletOrders(cluster, 5_000, 1), asked -> false, catalogue, () -> {});
        Drains drains = Drains.load(cluster.locks, cluster.metadata, moves, catalogue, atATime);
        scheduler.run(Duration.ofMinutes(1), () -> {
            try {
                story.tell(drains, moves);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    private static TabletId tablet(int number) {
        return new TabletId(4, Optional.of(Bytes.utf8("%02d".formatted(number))));
    }

    /** Of METADATA, the one that has the table's last row. */
    private static TabletId part(long table) {
        return new TabletId(
                TableSchema.METADATA_ID, Optional.of(MetadataKeys.of(new TabletId(table, Optional.empty()))));
    }

    private static Member taker(int number) {
        return new Member("to-" + number, new Address("host-" + (10 + number), 1), 10 + number, "");
    }

    private void serve(TabletId id, Member server, Optional<Bytes> previousEndRow)
            throws BigtableException, InterruptedException {
        if (cluster.metadata.read(id).isEmpty()) {
            cluster.metadata.create(id, TabletStates.empty(previousEndRow), "created");
        }
        MetadataRow row = cluster.metadata.read(id).orElseThrow();
        MetadataRow unused = cluster.metadata.replace(
                row,
                new TabletLocation(Phase.SERVING, server.id(), server.address().toString(), server.epoch()),
                row.state(),
                "serving");
    }

    private static Map<Member, List<TabletReport>> reports(int takers, int tablets) {
        Map<Member, List<TabletReport>> reports = new LinkedHashMap<>();
        reports.put(
                DRAINED,
                IntStream.range(0, tablets).mapToObj(i -> report(tablet(i), 1)).toList());
        reports.put(BUSY, List.of(report(tablet(OTHERS), 1)));
        for (int i = 0; i < takers; i++) {
            reports.put(taker(i), List.of());
        }
        return reports;
    }

    private static Sight drained(int takers, int tablets) {
        return draining(reports(takers, tablets));
    }

    /** The busy one drains too, though nobody looks at that: it takes none. */
    private static Sight draining(Map<Member, List<TabletReport>> reports) {
        Sight sight = Sights.of(reports);
        return new Sight(sight.living(), sight.unlocked(), sight.answered(), Set.of(DRAINED.id(), BUSY.id()));
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
