package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Scheduler.WorkerPool;
import bt.metadata.MetadataKeys;
import bt.metadata.MetadataRow;
import bt.metadata.TabletStates;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Request;
import bt.record.Done;
import bt.record.Phase;
import bt.record.TabletLocation;
import bt.record.TabletReport;
import bt.record.UnloadTablet;
import bt.testing.MemoryCluster;
import bt.testing.MemoryFileStore;
import bt.testing.SimScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two servers on one host: one has twenty tablets of the same size, and another has just come. */
class BalancerTest {
    private static final Member FULL = new Member("full", new Address("host", 1), 7, "");
    private static final Member NEW = new Member("new", new Address("host", 2), 8, "");
    private static final Member DRAINED = new Member("drained", new Address("host", 3), 9, "");
    private static final Member SILENT = new Member("silent", new Address("host", 4), 10, "");
    private static final Member UNLOCKED = new Member("unlocked", new Address("host", 5), 11, "");
    private static final int TABLETS = 20;
    private static final long MEGABYTE = 1 << 20;

    private final SimScheduler scheduler = new SimScheduler(1);

    /** By tablet, who serves it and how many megabytes of it are in memory. */
    private final Map<TabletId, Member> holders = new TreeMap<>();

    private final Map<TabletId, Long> memory = new HashMap<>();

    /** What a server's tablets take of a hundred bytes of its heap, each one of them; by default none. */
    private final Map<Member, Long> heap = new HashMap<>();

    private final Set<TabletId> merging = new HashSet<>();

    /** With whom DRAINED is there too, and drains. */
    private boolean isThirdThere;

    /** Who is there too. */
    private final List<Member> more = new ArrayList<>();

    /** With whom SILENT lives and does not answer, and UNLOCKED may have its lock again. */
    private boolean areOthersThere;

    /** What the servers were asked to give up, and have not yet. */
    private final Map<TabletId, CompletableFuture<Answer>> leaving = new LinkedHashMap<>();

    /** What METADATA said when the last look began. */
    private final Map<TabletId, KnownTablet> rows = new HashMap<>();

    private MemoryCluster cluster;
    private WorkerPool askers;
    private Moves moves;
    private Balancer balancer;

    @BeforeEach
    void start() throws Exception {
        cluster = new MemoryCluster();
        cluster.listen(FULL.address(), (caller, request) -> answer(request));
        cluster.listen(NEW.address(), (caller, request) -> answer(request));
        cluster.listen(DRAINED.address(), (caller, request) -> answer(request));
        Optional<Bytes> previous = Optional.empty();
        for (int i = 1; i <= TABLETS; i++) {
            Optional<Bytes> end = i == TABLETS ? Optional.empty() : Optional.of(Bytes.utf8("%02d".formatted(i)));
            TabletId id = new TabletId(4, end);
            cluster.metadata.create(id, TabletStates.empty(previous), "created");
            serve(id, FULL);
            previous = end;
        }
        moves = new Moves(
                cluster.metadata,
                scheduler,
                new TabletOrders(cluster, 5_000, 1),
                row -> merging.contains(row.id()),
                new Catalogue(cluster.locks),
                () -> {});
        askers = cluster.scheduler.pool("homes", Homes.ASKERS, Homes.MOST_ASKED);
        MemoryFileStore files = new MemoryFileStore(scheduler.clock());
        Homes homes = new Homes(files.process("master"), scheduler, askers);
        balancer = new Balancer(cluster.metadata, moves, homes, this::known, scheduler);
    }

    @AfterEach
    void stop() {
        askers.close();
        cluster.close();
    }

    private CompletableFuture<Answer> answer(Request request) {
        if (request instanceof Request.Control control && control.message() instanceof UnloadTablet unload) {
            TabletId id = new TabletId(unload.getTableId(), AvroBytes.optionalBytes(unload.getEndRow()));
            return leaving.computeIfAbsent(id, first -> new CompletableFuture<>());
        }
        return CompletableFuture.completedFuture(new Answer.Control(new Done()));
    }

    @Test
    void twoTabletsMoveAtATime() {
        run(() -> {
            look();
            assertThat(leaving)
                    .as("others may have died, and need a server more")
                    .isEmpty();
            pauseAndLook(11);
            assertThat(leaving).hasSize(2);
            for (int i = 0; i < 5; i++) {
                pauseAndLook(11);
            }
            assertThat(leaving).as("none of them has moved yet").hasSize(2);

            complete(leaving.keySet().iterator().next());
            pauseAndLook(11);
            assertThat(leaving).as("one more").hasSize(2);
        });
    }

    /** Forty servers, of which four have five tablets each and the others none. */
    @Test
    void ofManyServersATenthMovesATabletAtATimeAndEachTwoAtMost() {
        run(() -> {
            List<TabletId> all = List.copyOf(holders.keySet());
            for (int i = 0; i < 38; i++) {
                Member server = new Member("more-%02d".formatted(i), new Address("host", 100 + i), 100 + i, "");
                cluster.listen(server.address(), (caller, request) -> answer(request));
                more.add(server);
            }
            for (int i = 0; i < TABLETS; i++) {
                serve(all.get(i), i % 4 == 0 ? FULL : more.get(i % 4));
            }
            look();
            pauseAndLook(11);
            assertThat(leaving).hasSize(4);
            for (Member server : List.of(FULL, more.get(1), more.get(2), more.get(3))) {
                assertThat(moves.countFrom(server)).isLessThanOrEqualTo(2);
            }
            assertThat(moves.targets().values()).as("each is empty").doesNotHaveDuplicates();
            pauseAndLook(11);
            assertThat(leaving).as("none of them has moved yet").hasSize(4);
        });
    }

    @Test
    void aTabletThatHasMovedRests() {
        run(() -> {
            look();
            while (true) {
                pauseAndLook(11);
                if (leaving.isEmpty()) {
                    break;
                }
                completeAll();
            }
            Set<TabletId> moved = at(NEW);
            assertThat(moved).hasSize(TABLETS / 2);

            // All that is written goes to those that have just come.
            moved.forEach(id -> memory.put(id, 1_000L));
            pauseAndLook(11);
            assertThat(leaving).isEmpty();
            pauseAndLook(150);
            assertThat(leaving).isEmpty();
            pauseAndLook(150);
            assertThat(leaving).isNotEmpty().allSatisfy((id, unload) -> assertThat(moved)
                    .contains(id));
        });
    }

    @Test
    void aServerWithAllTheMemoryGivesTabletsAway() {
        run(() -> {
            serveHalfAtNew();
            look();
            pauseAndLook(11);
            assertThat(leaving).as("they have as many each").isEmpty();
            at(FULL).forEach(id -> memory.put(id, 200L));
            pauseAndLook(11);
            assertThat(leaving).isNotEmpty().allSatisfy((id, unload) -> assertThat(holders)
                    .containsEntry(id, FULL));
        });
    }

    /** Until what moves is where it goes: then it is full no more. */
    @Test
    void aServerThatIsFullGivesTabletsThoughItHasNoMoreToDo() {
        run(() -> {
            serveHalfAtNew();
            look();
            heap.putAll(Map.of(FULL, 88L, NEW, 49L));
            pauseAndLook(11);
            assertThat(leaving).hasSize(1).allSatisfy((id, unload) -> assertThat(holders)
                    .containsEntry(id, FULL));
            pauseAndLook(11);
            assertThat(leaving).hasSize(1);
        });
    }

    @Test
    void whereWhatAFullServerShouldGiveIsBeingMergedTabletsMoveForLoadsAllTheSame() {
        run(() -> {
            serveHalfAtNew();
            look();
            heap.putAll(Map.of(FULL, 88L, NEW, 10L));
            at(FULL).forEach(id -> memory.put(id, 200L));
            // Of those that take as much and are asked for as often the first goes.
            TabletId first = at(FULL).stream().min(Comparator.naturalOrder()).orElseThrow();
            merging.add(first);
            memory.put(first, 0L);
            pauseAndLook(11);
            assertThat(leaving).isNotEmpty().doesNotContainKey(first);
        });
    }

    @Test
    void aServerThatIsNearlyFullIsGivenNothingThoughItHasLessToDo() {
        run(() -> {
            serveHalfAtNew();
            look();
            heap.putAll(Map.of(FULL, 80L, NEW, 40L));
            at(NEW).forEach(id -> memory.put(id, 200L));
            pauseAndLook(11);
            assertThat(leaving).isEmpty();
            heap.put(FULL, 60L);
            pauseAndLook(11);
            assertThat(leaving).isNotEmpty();
        });
    }

    private void serveHalfAtNew() throws BigtableException, InterruptedException {
        List<TabletId> all = List.copyOf(holders.keySet());
        for (TabletId id : all.subList(TABLETS / 2, TABLETS)) {
            serve(id, NEW);
        }
    }

    /** Whether it has tablets still, or none. */
    @Test
    void aServerThatDrainsIsLeftOutAndTheOthersAreBalanced() {
        run(() -> {
            isThirdThere = true;
            List<TabletId> all = List.copyOf(holders.keySet());
            for (TabletId id : all.subList(0, 2)) {
                serve(id, DRAINED);
            }
            look();
            while (true) {
                pauseAndLook(11);
                if (leaving.isEmpty()) {
                    break;
                }
                completeAll();
            }
            assertThat(at(DRAINED)).containsExactlyElementsOf(all.subList(0, 2));
            assertThat(at(NEW)).hasSize((TABLETS - 2) / 2);
            for (TabletId id : all.subList(0, 2)) {
                serve(id, FULL);
            }
            at(FULL).forEach(id -> memory.put(id, 1_000L));
            pauseAndLook(11);
            assertThat(leaving).as("which NEW takes").isNotEmpty();
        });
    }

    @Test
    void thoseThatAnswerAreBalancedWhileAnotherIsSilentAndAThirdHasNoLock() {
        run(() -> {
            areOthersThere = true;
            look();
            while (true) {
                pauseAndLook(11);
                if (leaving.isEmpty()) {
                    break;
                }
                completeAll();
            }
            assertThat(at(NEW)).hasSize(TABLETS / 2);
        });
    }

    @Test
    void metadataIsBalancedThoughADrainMovesOneTabletAfterTheOther() {
        run(() -> {
            isThirdThere = true;
            TabletId drained = holders.keySet().iterator().next();
            serve(drained, DRAINED);
            for (long table = 1; table <= 3; table++) {
                Bytes end = MetadataKeys.of(new TabletId(table, Optional.empty()));
                TabletId part = new TabletId(TableSchema.METADATA_ID, Optional.of(end));
                cluster.metadata.create(part, TabletStates.empty(Optional.empty()), "created");
                serve(part, FULL);
            }
            look();
            MetadataRow row = cluster.metadata.read(drained).orElseThrow();
            CompletableFuture<?> unused = moves.begin(row, NEW, sight());
            pauseAndLook(11);
            assertThat(leaving.keySet())
                    .hasSize(2)
                    .contains(drained)
                    .anyMatch(id -> id.tableId() == TableSchema.METADATA_ID);
        });
    }

    private Optional<KnownTablet> known(TabletId id) {
        return Optional.ofNullable(rows.get(id));
    }

    private interface Story {
        void tell() throws BigtableException, InterruptedException;
    }

    private void run(Story story) {
        scheduler.run(Duration.ofMinutes(60), () -> {
            try {
                story.tell();
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    private void pauseAndLook(long seconds) throws BigtableException, InterruptedException {
        scheduler.pause(seconds * 1_000);
        look();
    }

    private void look() throws BigtableException, InterruptedException {
        rows.clear();
        for (MetadataRow row : cluster.metadata.scan(TableSchema.METADATA_ID, 4)) {
            rows.put(row.id(), KnownTablet.of(row));
        }
        balancer.look(sight());
    }

    private void completeAll() throws BigtableException, InterruptedException {
        for (TabletId id : List.copyOf(leaving.keySet())) {
            complete(id);
        }
    }

    /** Its server has given it up, and the other serves it. */
    private void complete(TabletId id) throws BigtableException, InterruptedException {
        serve(id, NEW);
        CompletableFuture<Answer> unload = Objects.requireNonNull(leaving.remove(id));
        unload.complete(new Answer.Control(new Done()));
        assertThat(moves.look(sight())).as("no move has failed").isFalse();
    }

    private void serve(TabletId id, Member server) throws BigtableException, InterruptedException {
        MetadataRow row = cluster.metadata.read(id).orElseThrow();
        TabletLocation location =
                new TabletLocation(Phase.SERVING, server.id(), server.address().toString(), server.epoch());
        MetadataRow unused = cluster.metadata.replace(row, location, row.state(), "serving");
        holders.put(id, server);
    }

    private Set<TabletId> at(Member server) {
        Set<TabletId> there = new TreeSet<>(holders.keySet());
        there.removeIf(id -> !server.equals(holders.get(id)));
        return there;
    }

    private Sight sight() {
        Map<Member, List<TabletReport>> all = new LinkedHashMap<>();
        List<Member> servers = new ArrayList<>(isThirdThere ? List.of(FULL, NEW, DRAINED) : List.of(FULL, NEW));
        servers.addAll(more);
        for (Member server : servers) {
            List<TabletReport> reports = new ArrayList<>();
            at(server)
                    .forEach(id -> reports.add(TabletReport.newBuilder()
                            .setTableId(id.tableId())
                            .setEndRow(AvroBytes.buffer(id.endRow()))
                            .setPhase(Phase.SERVING)
                            .setMemtableBytes(memory.getOrDefault(id, 0L) * MEGABYTE)
                            .setFileBytes(100 * MEGABYTE)
                            .setFiles(1)
                            .setHeapBytes(1)
                            .build()));
            all.put(server, reports);
        }
        Sight sight = Sights.taking(Sights.of(all), server -> heap.getOrDefault(server, 0L), 100);
        List<Member> living = new ArrayList<>(sight.living());
        if (areOthersThere) {
            living.add(SILENT);
        }
        List<Member> unlocked = areOthersThere ? List.of(UNLOCKED) : List.of();
        return new Sight(living, unlocked, sight.answered(), Set.of(DRAINED.id()));
    }
}
