package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.fs.FileStore;
import bt.metadata.MetadataRow;
import bt.metadata.TabletStates;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Request;
import bt.record.Done;
import bt.record.FileReference;
import bt.record.Phase;
import bt.record.TabletReport;
import bt.record.TabletState;
import bt.testing.MemoryCluster;
import bt.testing.MemoryCluster.Fate;
import bt.testing.MemoryFileStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A table of many tablets that nobody serves, and one server, or three on as many hosts. */
class AssignerTest {
    /** More than are written at a time. */
    private static final int TABLETS = RowWrites.MOST_UNDER_WAY + 10 * RowWrites.WRITERS;

    private static final Member SERVER = new Member("s", new Address("server", 1), 7, "");
    private static final List<Member> THREE = List.of(
            new Member("a", new Address("host-a", 1), 11, ""),
            new Member("b", new Address("host-b", 1), 12, ""),
            new Member("c", new Address("host-c", 1), 13, ""));

    private MasterParts parts;
    private MemoryCluster cluster;
    private MemoryFileStore files;
    private Set<String> hostsAsked;
    private Hindrances hindrances;
    private Assigner assigner;

    @BeforeEach
    void start() throws Exception {
        parts = new MasterParts();
        cluster = parts.cluster;
        files = parts.files;
        hostsAsked = parts.hostsAsked;
        hindrances = parts.hindrances;
        assigner = parts.assigner;
        listen(SERVER);
        THREE.forEach(this::listen);
        Optional<Bytes> previous = Optional.empty();
        for (int i = 0; i < TABLETS; i++) {
            Optional<Bytes> end = Optional.of(Bytes.utf8(String.format("%04d", i)));
            cluster.metadata.create(new TabletId(4, end), TabletStates.empty(previous), "created");
            previous = end;
        }
    }

    @AfterEach
    void stop() {
        parts.close();
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

    @Test
    void aTabletGoesToTheHostThatHasTheBlocksOfItsLargestFile() throws Exception {
        TabletId tablet = create("host-b", "host-c");
        pass(5, sight(THREE));
        assertThat(hostOf(tablet)).isEqualTo("host-c");
    }

    @Test
    void aTabletGoesToAnyServerWhereNoneIsOnTheHostThatHasItsBlocks() throws Exception {
        TabletId tablet = create("host-d");
        pass(5, sight(THREE));
        assertThat(hostOf(tablet)).isEqualTo("host-a");
    }

    @Test
    void theHostThatHasAllBlocksIsGivenNoMuchMoreThanItsShare() throws Exception {
        for (int i = 0; i < 9; i++) {
            TabletId unused = create("host-b");
        }
        pass(5, sight(THREE));
        Map<String, Long> given = cluster.metadata.scan(5, 5).stream()
                .collect(Collectors.groupingBy(AssignerTest::host, Collectors.counting()));
        assertThat(given).containsOnlyKeys("host-a", "host-b", "host-c");
        assertThat(given.get("host-b")).isGreaterThan(3).isLessThan(7);
    }

    @Test
    void whereTheBlocksAreIsAskedOfNobodyWhereAllServersAreOnOneHost() throws Exception {
        Member other = new Member("0", new Address("server", 2), 8, "");
        listen(other);
        TabletId tablet = create("server");
        pass(5, sight(List.of(SERVER, other)));
        assertThat(hostOf(tablet)).isEqualTo("server");
        assertThat(hostsAsked).isEmpty();
    }

    /** The next tablet of table 5, with files on these hosts, each larger than the one before. */
    private TabletId create(String... hosts) throws Exception {
        List<MetadataRow> before = cluster.metadata.scan(5, 5);
        TabletId tablet = new TabletId(5, Optional.of(Bytes.utf8("%04d".formatted(before.size()))));
        Optional<Bytes> previous = before.isEmpty()
                ? Optional.empty()
                : before.get(before.size() - 1).id().endRow();
        List<FileReference> references = new ArrayList<>();
        for (String host : hosts) {
            String path = "%d-%d".formatted(before.size(), references.size());
            files.process("test").create(path, FileStore.Placement.DATA).close();
            files.place(path, host);
            references.add(FileReference.newBuilder()
                    .setPath(path)
                    .setBytes(1 + references.size())
                    .setFamilies(List.of(1))
                    .setSmallestSequence(1)
                    .setLargestSequence(2)
                    .build());
        }
        TabletState state = TabletState.newBuilder(TabletStates.empty(previous))
                .setFiles(references)
                .build();
        cluster.metadata.create(tablet, state, "created");
        return tablet;
    }

    private String hostOf(TabletId tablet) throws Exception {
        return host(cluster.metadata.read(tablet).orElseThrow());
    }

    private static String host(MetadataRow row) {
        return Address.parse(row.location().getAddress()).host();
    }

    private void listen(Member server) {
        cluster.listen(
                server.address(),
                (caller, request) -> CompletableFuture.completedFuture(new Answer.Control(new Done())));
    }

    private void pass() throws Exception {
        pass(4, sight(List.of(SERVER)));
    }

    private void pass(long table, Sight sight) throws Exception {
        List<MetadataRow> rows = cluster.metadata.scan(table, table);
        hindrances.begin();
        assigner.begin(sight);
        assigner.seek(rows, sight);
        for (MetadataRow row : rows) {
            assertThat(assigner.settle(row, Assigner.NEVER_DROPPED, sight)).isFalse();
        }
        assigner.finish();
    }

    private List<MetadataRow> rows() throws Exception {
        return cluster.metadata.scan(4, 4);
    }

    private static Sight sight(List<Member> servers) {
        Map<Member, List<TabletReport>> reports = new LinkedHashMap<>();
        servers.forEach(server -> reports.put(server, List.of()));
        return Sights.of(reports);
    }
}
