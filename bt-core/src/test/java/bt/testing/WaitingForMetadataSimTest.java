package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.client.Bigtable;
import bt.client.Operation;
import bt.client.Table;
import bt.doctor.Doctor;
import bt.metadata.MetadataKeys;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataSchema;
import bt.metadata.MetadataTable;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Request;
import bt.record.FileReference;
import bt.record.ServerStatus;
import bt.record.ServerStatusRequest;
import bt.record.SplitTablet;
import bt.record.TabletState;
import bt.record.UnloadTablet;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A tablet of METADATA is not served while memtables become files whose names belong into it: those of table {@code far}. Another
 * has the rows of table {@code near}. There is one server.
 */
class WaitingForMetadataSimTest {
    private static final List<String> TABLETS = List.of("a", "h", "q");
    private static final List<Bytes> SPLITS =
            Stream.of("g", "p").map(Bytes::utf8).toList();
    private static final String VALUE = "v".repeat(20_000);
    private static final Duration SOON = Duration.ofSeconds(30);

    /** The end of the first of the two tablets that METADATA has beside the root tablet. */
    private static final Bytes MIDDLE = MetadataKeys.of(new TabletId(1, Optional.empty()));

    private final SimCluster cluster = new SimCluster(43, SimSizes.flushing(100_000));
    private final Doctor.Ports ports = cluster.ports();
    private final MetadataTable metadata =
            new MetadataTable(ports.network(), ports.locks(), ports.scheduler(), ports.random());

    @Test
    void itIsToldAndOthersBecomeFilesMeanwhileAndTheseAreNamedAfterwards() {
        live(client -> {
            takeAway();
            for (String tablet : TABLETS) {
                write(client.table("far"), tablet, 0, 8);
            }
            // More tablets than there are threads for memtables that become files.
            pause(60);
            assertSoon(() -> {
                write(client.table("near"), "r", 0, 20);
                client.admin().flush("near");
            });
            assertThat(problems(client)).hasSize(TABLETS.size()).allMatch(problem -> problem.contains("table far: "));
            List<String> files = cluster.tree("data/2");

            pause(120);
            assertThat(cluster.tree("data/2"))
                    .as("what is written is not written again")
                    .isEqualTo(files);
            markOffline(null);
            pause(30);
            assertThat(problems(client)).isEmpty();
            assertThat(named()).as("those of before").containsAnyElementsOf(files);
            client.admin().flush("far");
            for (String tablet : TABLETS) {
                assertThat(client.table("far").read(Bytes.utf8(tablet + 7))).isPresent();
            }
            Checkup.of(ports);
        });
    }

    /** None of which can be ended; METADATA cannot even be told of them. */
    @Test
    void tabletsAreHandedOverWhileOthersAreAndMetadataDoesNotSayWhetherTheyHaveLeft() {
        live(client -> {
            // They are given up as they are: a flush would have to be told to METADATA before.
            client.admin().flush("far");
            client.admin().flush("near");
            MetadataRow last = takeAway();
            // More tablets than there are threads for hand-overs.
            List<CompletableFuture<Answer>> open = List.of(
                    order(last, new TabletId(2, Optional.of(SPLITS.get(0)))),
                    order(last, new TabletId(2, Optional.of(SPLITS.get(1)))),
                    order(last, new TabletId(2, Optional.empty())));
            pause(30);
            assertThat(givenUp(client)).hasSize(TABLETS.size()).allMatch(problem -> problem.contains("table far: "));
            assertThat(leaving(last)).as("what its server tells of").isEqualTo(TABLETS.size());
            assertSoon(() -> {
                ports.scheduler().await(order(last, new TabletId(1, Optional.empty())), 60_000);
                write(client.table("near"), "r", 0, 1);
            });
            assertThat(open).noneMatch(CompletableFuture::isDone);

            markOffline(null);
            for (String tablet : TABLETS) {
                assertThat(client.table("far").read(Bytes.utf8(tablet + 0))).isPresent();
            }
            pause(30);
            assertThat(givenUp(client)).isEmpty();
            assertThat(leaving(last)).isZero();
            assertThat(open).allMatch(CompletableFuture::isDone);
            Checkup.of(ports);
        });
    }

    /** As when a server stops. The master tells of no more than ten. */
    @Test
    void metadataIsAskedForManyHandOversTogether() {
        live(client -> {
            List<Bytes> ends = IntStream.range(0, 9)
                    .mapToObj(i -> Bytes.utf8("row " + (char) ('a' + i)))
                    .toList();
            client.admin().createTable(draft("idle"), ends);
            MetadataRow last = takeAway();
            List<CompletableFuture<Answer>> open = Stream.concat(
                            ends.stream().map(Optional::of), Stream.of(Optional.<Bytes>empty()))
                    .map(end -> order(last, new TabletId(3, end)))
                    .toList();
            // The first are asked for ten seconds, and it is told what has lasted as long.
            pause(25);
            assertThat(givenUp(client)).hasSize(open.size()).allMatch(problem -> problem.contains("table idle: "));
            markOffline(null);
            pause(30);
            assertThat(givenUp(client)).isEmpty();
            assertThat(open).allMatch(CompletableFuture::isDone);
            Checkup.of(ports);
        });
    }

    @Test
    void tabletsAreHandedOverSoonThoughOthersAreToBeSplitAndMetadataDoesNotSayWhere() {
        live(client -> {
            client.admin().flush("far");
            MetadataRow last = takeAway();
            // More than there are threads for splits and hand-overs.
            for (TabletId tablet : List.of(
                    new TabletId(2, Optional.of(SPLITS.get(0))),
                    new TabletId(2, Optional.of(SPLITS.get(1))),
                    new TabletId(2, Optional.empty()))) {
                CompletableFuture<?> unused = split(last, tablet);
            }
            pause(1);
            write(client.table("near"), "r", 1, 2);
            assertSoon(() -> {
                ports.scheduler().await(order(last, new TabletId(1, Optional.empty())), 120_000);
                write(client.table("near"), "r", 2, 3);
            });
            markOffline(null);
        });
    }

    /** Its halves would name what was compacted, and nobody what that was compacted into. */
    @Test
    void aTabletOfWhichMetadataMayNameOtherFilesAlreadyIsNotSplitBeforeThatIsKnown() {
        live(client -> {
            for (int file = 0; file < 3; file++) {
                write(client.table("far"), "a", file, file + 1);
                client.admin().flush("far");
            }
            List<String> before = namedOfCells(0);
            assertThat(before).hasSize(3);
            takeAway();
            Operation unused = client.admin().startCompaction("far", RowRange.ALL);
            pause(30);
            markOffline(null);
            client.admin().splitTablet("far", Bytes.utf8("a1"));
            for (int half = 0; half < 2; half++) {
                assertThat(namedOfCells(half)).hasSize(1).doesNotContainAnyElementsOf(before);
            }
        });
    }

    private static List<String> givenUp(Bigtable client) throws BigtableException {
        return client.admin().clusterStatus().problems().stream()
                .filter(problem -> problem.contains("is given up, and METADATA does not say that it has left"))
                .toList();
    }

    /** What its server writes to files when it gives it up would be named there. Its row. */
    private MetadataRow takeAway() throws BigtableException, InterruptedException {
        markOffline("a test");
        MetadataRow last = metadata.read(MetadataSchema.LAST).orElseThrow();
        ports.scheduler().await(order(last, MetadataSchema.LAST), 60_000);
        return last;
    }

    /** The server of the row is to give a tablet up, as its master would have it. */
    private CompletableFuture<Answer> order(MetadataRow of, TabletId tablet) {
        UnloadTablet order = new UnloadTablet(
                of.masterEpoch(), tablet.tableId(), AvroBytes.buffer(tablet.endRow()), isOfMetadata(tablet), null);
        Address server = Address.parse(of.location().getAddress());
        return ports.network().send(server, new Request.Control(order), 600_000);
    }

    /** The server of the row is to split a tablet of table {@code far} behind the first row that is written to it. */
    private CompletableFuture<Answer> split(MetadataRow of, TabletId tablet) {
        int place = tablet.endRow().map(SPLITS::indexOf).orElse(SPLITS.size());
        Optional<Bytes> previous = place == 0 ? Optional.empty() : Optional.of(SPLITS.get(place - 1));
        SplitTablet order = new SplitTablet(
                tablet.tableId(),
                AvroBytes.buffer(previous),
                AvroBytes.buffer(tablet.endRow()),
                AvroBytes.buffer(Bytes.utf8(TABLETS.get(place) + 0)),
                of.masterEpoch());
        Address server = Address.parse(of.location().getAddress());
        return ports.network().send(server, new Request.Control(order), 600_000);
    }

    /** How many tablets the server of the row has given up without METADATA saying so. */
    private int leaving(MetadataRow of) throws BigtableException, InterruptedException {
        Request asked = new Request.Control(
                ServerStatusRequest.newBuilder().setMasterEpoch(-1).build());
        Address server = Address.parse(of.location().getAddress());
        Answer answer = ports.scheduler().await(ports.network().send(server, asked, 60_000), 60_000);
        return ((ServerStatus) ((Answer.Control) answer).message()).getLeaving().size();
    }

    private static boolean isOfMetadata(TabletId tablet) {
        return tablet.tableId() == TableSchema.METADATA_ID;
    }

    private List<String> named() throws BigtableException, InterruptedException {
        return metadata.scan(2, 2).stream()
                .flatMap(row -> row.state().getFiles().stream())
                .map(FileReference::getPath)
                .toList();
    }

    /** Without those of the numbers of writes. */
    private List<String> namedOfCells(int tablet) throws BigtableException, InterruptedException {
        return metadata.scan(2, 2).get(tablet).state().getFiles().stream()
                .filter(file -> file.getFamilies().contains(1))
                .map(FileReference::getPath)
                .toList();
    }

    private static List<String> problems(Bigtable client) throws BigtableException {
        return client.admin().clusterStatus().problems().stream()
                .filter(problem -> problem.contains("its memory cannot be written to a file"))
                .toList();
    }

    private static void write(Table table, String tablet, int from, int to) throws BigtableException {
        for (int i = from; i < to; i++) {
            table.apply(RowMutation.of(tablet + i).set("f", "q", VALUE).build());
        }
    }

    private interface Story {
        void tell(Bigtable client) throws BigtableException, InterruptedException;
    }

    private interface Deed {
        void run() throws BigtableException, InterruptedException;
    }

    private void assertSoon(Deed deed) throws BigtableException, InterruptedException {
        long before = cluster.scheduler().clock().nanos();
        deed.run();
        assertThat(Duration.ofNanos(cluster.scheduler().clock().nanos() - before))
                .isLessThan(SOON);
    }

    private void live(Story story) {
        cluster.startMaster();
        cluster.startServer();
        cluster.run(Duration.ofMinutes(30), () -> {
            try (Bigtable client = cluster.client()) {
                client.admin().createTable(draft("near"), List.of());
                client.admin().createTable(draft("far"), SPLITS);
                write(client.table("near"), "r", 0, 1);
                for (String tablet : TABLETS) {
                    write(client.table("far"), tablet, 0, 1);
                }
                client.admin().splitTablet("METADATA", MIDDLE);
                story.tell(client);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    private void markOffline(@Nullable String why) throws BigtableException, InterruptedException {
        while (true) {
            MetadataRow last = metadata.read(MetadataSchema.LAST).orElseThrow();
            TabletState state =
                    TabletState.newBuilder(last.state()).setOffline(why).build();
            try {
                MetadataRow unused = metadata.replace(last, last.location(), state, "planted");
                return;
            } catch (RejectedException changed) {
                pause(1);
            }
        }
    }

    private void pause(long seconds) throws InterruptedException {
        cluster.scheduler().pause(seconds * 1_000);
    }

    private static TableSchema draft(String name) {
        return TableSchema.draft(name).family("f", GcRule.KEEP_ALL).build();
    }
}
