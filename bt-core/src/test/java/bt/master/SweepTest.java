package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.coord.Lock;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.fs.FileStore;
import bt.metadata.MetadataRow;
import bt.metadata.SplitIntent;
import bt.metadata.TabletStates;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.record.FileReference;
import bt.record.GarbageReport;
import bt.record.Intent;
import bt.record.ServerFile;
import bt.record.ServerStatus;
import bt.record.TabletState;
import bt.testing.MemoryCluster;
import bt.testing.MemoryFileStore;
import bt.testing.MemoryLocks;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a sweep takes for garbage. Table 4 has two tablets; servers 98 and 99 are dead. */
class SweepTest {
    private static final TabletId FIRST = new TabletId(4, Optional.of(Bytes.utf8("m")));
    private static final TabletId LAST = new TabletId(4, Optional.empty());
    private static final Address SERVER = new Address("server", 1);
    private static final Lock HELD =
            new MemoryLocks().tryLock(Paths.MASTER_LOCK, Bytes.EMPTY).orElseThrow();

    private final Waiting waiting = new Waiting(1);
    private int filesAtATime = 1_000;
    private MemoryCluster cluster;
    private FileStore files;

    @BeforeEach
    void start() throws Exception {
        cluster = new MemoryCluster();
        files = new MemoryFileStore(cluster.scheduler.clock()).process("test");
        TableSchema draft = TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
        cluster.table(4, draft, List.of(Bytes.utf8("m")), 3);
        file("data/4/99/1");
        file("data/4/99/2");
        change(FIRST, state -> TabletState.newBuilder(state)
                .setFiles(List.of(reference("data/4/99/1")))
                .build());
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    void aFileThatNoRowNamesGoesWithTheSecondSweep() throws Exception {
        GarbageReport first = sweep();
        assertThat(first.getProblem()).isNull();
        assertThat(first.getWaitingFiles()).isEqualTo(1);
        assertThat(names("data/4/99")).containsExactly("1", "2");
        assertThat(sweep().getDeletedFiles()).isEqualTo(1);
        assertThat(names("data/4/99")).containsExactly("1");
    }

    @Test
    void aFileThatIsNeededAgainBeginsToWaitAnew() throws Exception {
        sweep();
        List<FileReference> both = List.of(reference("data/4/99/1"), reference("data/4/99/2"));
        change(LAST, state -> TabletState.newBuilder(state).setFiles(both).build());
        sweep();
        change(LAST, state -> TabletState.newBuilder(state).setFiles(List.of()).build());
        assertThat(sweep().getDeletedFiles()).isZero();
        assertThat(sweep().getDeletedFiles()).isEqualTo(1);
    }

    @Test
    void theFilesOfALivingServerStayUntilTheyAreSettled() throws Exception {
        cluster.locks.create(
                Paths.server("s"), AvroBytes.encode(new ServerFile(SERVER.toString(), "nonce", "version", "", 0L)));
        long epoch = cluster.locks.read(Paths.server("s")).orElseThrow().createdTransaction();
        for (int number = 1; number <= 3; number++) {
            file("data/4/" + epoch + "/" + number);
        }
        sweep();
        sweep();
        assertThat(names("data/4/" + epoch)).as("it does not answer").hasSize(3);
        cluster.listen(
                SERVER,
                (caller, request) -> CompletableFuture.completedFuture(new Answer.Control(ServerStatus.newBuilder()
                        .setServer("s")
                        .setEpoch(epoch)
                        .setLockHeld(true)
                        .setPid(1)
                        .setTablets(List.of())
                        .setCaches(List.of())
                        .setSettledFiles(2)
                        .build())));
        sweep();
        sweep();
        assertThat(names("data/4/" + epoch)).containsExactly("3");
    }

    @Test
    void aGapBetweenTabletsEndsTheSweep() throws Exception {
        sweep();
        ByteBuffer elsewhere = AvroBytes.buffer(Bytes.utf8("x"));
        change(LAST, state -> TabletState.newBuilder(state)
                .setPreviousEndRow(elsewhere)
                .build());
        assertThat(sweep().getProblem()).contains("4/… does not begin where the tablet before ends");
        assertThat(names("data/4/99")).containsExactly("1", "2");
    }

    /** Its lower half stands in the upper half's row until it has its own. */
    @Test
    void aSplitThatIsHalfDoneIsNoGap() throws Exception {
        MetadataRow parent = cluster.metadata.read(LAST).orElseThrow();
        TabletState lower = TabletState.newBuilder(parent.state())
                .setFiles(List.of(reference("data/4/99/2")))
                .build();
        TabletId middle = new TabletId(4, Optional.of(Bytes.utf8("t")));
        SplitIntent split = new SplitIntent(new MetadataRow(middle, 0, 0, parent.location(), lower));
        change(LAST, state -> TabletState.newBuilder(state)
                .setPreviousEndRow(AvroBytes.buffer(Bytes.utf8("t")))
                .setIntents(List.of(split.encode()))
                .build());
        assertThat(sweep().getProblem()).isNull();
        sweep();
        assertThat(names("data/4/99")).containsExactly("1", "2");
        // Its row is there, and the intent too.
        cluster.metadata.complete(split);
        assertThat(sweep().getProblem()).isNull();
    }

    @Test
    void ofManyFilesSomeAreJudgedAtATime() throws Exception {
        filesAtATime = 1;
        for (String path : List.of("data/4/97/1", "data/4/97/2", "data/4/98/1", "data/4/98/2")) {
            file(path);
        }
        change(LAST, state -> TabletState.newBuilder(state)
                .setFiles(List.of(reference("data/4/97/2"), reference("data/4/98/1")))
                .build());
        GarbageReport first = sweep();
        assertThat(first.getTables()).as("METADATA and one of users").isEqualTo(2);
        assertThat(first.getFiles()).isEqualTo(6);
        assertThat(first.getWaitingFiles()).isEqualTo(3);
        assertThat(sweep().getDeletedFiles()).isEqualTo(3);
        assertThat(names("data/4/97")).containsExactly("2");
        assertThat(names("data/4/98")).containsExactly("1");
        assertThat(names("data/4/99")).containsExactly("1");
    }

    @Test
    void whatAnIntentNamesStays() throws Exception {
        Intent intent = new Intent();
        for (Schema.Field field : Intent.SCHEMA$.getFields()) {
            intent.put(
                    field.pos(),
                    switch (field.schema().getType()) {
                        case LONG -> 1L;
                        case BYTES -> AvroBytes.buffer(AvroBytes.encode(reference("data/4/99/2")));
                        default -> "half";
                    });
        }
        change(LAST, state -> TabletState.newBuilder(state)
                .setIntents(List.of(intent))
                .build());
        files.makeDirectory("recovered/98");
        sweep();
        sweep();
        assertThat(names("data/4/99")).containsExactly("1", "2");
        assertThat(names("recovered")).as("the other row may need it").containsExactly("98");
    }

    @Test
    void theLogOfADeadServerGoesWhenNoRowNeedsIt() throws Exception {
        for (String log : List.of("log/98", "recovered/98", "recovered/99")) {
            files.makeDirectory(log);
        }
        change(
                LAST,
                state -> TabletState.newBuilder(state).setLogs(List.of(99L)).build());
        sweep();
        assertThat(sweep().getDeletedLogs()).isEqualTo(2);
        assertThat(names("log")).isEmpty();
        assertThat(names("recovered")).containsExactly("99");
    }

    /** The gap is pages behind what is marked. */
    @Test
    void rowsThatAreMarkedGoneStayUntilAllOfTheirTableWereSeenToFollowEachOther() throws Exception {
        filesAtATime = 1;
        List<TabletId> gone = longTableWithGoneRows();
        TabletId last = new TabletId(5, Optional.empty());
        Optional<Bytes> before = cluster.metadata.read(last).orElseThrow().previousEndRow();
        ByteBuffer elsewhere = AvroBytes.buffer(Bytes.utf8("x"));
        change(last, state -> TabletState.newBuilder(state)
                .setPreviousEndRow(elsewhere)
                .build());
        assertThat(sweepMuchLater().getProblem()).contains("does not begin where the tablet before ends");
        for (TabletId row : gone) {
            assertThat(cluster.metadata.read(row)).isPresent();
        }
        change(last, state -> TabletState.newBuilder(state)
                .setPreviousEndRow(AvroBytes.buffer(before))
                .build());
        GarbageReport report = sweepMuchLater();
        assertThat(report.getProblem()).isNull();
        assertThat(report.getRemovedRows()).as("one at a time").isEqualTo(gone.size());
        for (TabletId row : gone) {
            assertThat(cluster.metadata.read(row)).isEmpty();
        }
    }

    /** Of which there may be ten thousand, each with its files. */
    @Test
    void ofARowThatIsToBeRemovedItsFilesAreNotKept() throws Exception {
        TabletId gone = longTableWithGoneRows().get(0);
        GoneRows rows = new GoneRows(
                ports(muchLater()),
                new Graces(1, 1, 1),
                new SweepTally(cluster.scheduler.clock(), false),
                false,
                GoneRows.Most.USUAL);
        WeakReference<TabletState> state = seen(rows, gone);
        for (int i = 0; i < 100 && state.get() != null; i++) {
            System.gc();
            Thread.sleep(10);
        }
        assertThat(state.get()).isNull();
        assertThat(rows.remove()).isFalse();
        assertThat(cluster.metadata.read(gone)).isEmpty();
    }

    /** Each may have 64 KB, and a client make thousands of such rows. */
    @Test
    void rowsThatAreToBeRemovedAreKeptUpToSoManyBytesOfTheirNames() throws Exception {
        List<TabletId> gone = longTableWithGoneRows();
        GoneRows rows = new GoneRows(
                ports(muchLater()),
                new Graces(1, 1, 1),
                new SweepTally(cluster.scheduler.clock(), false),
                false,
                new GoneRows.Most(10, 3));
        for (TabletId id : gone) {
            rows.saw(cluster.metadata.read(id).orElseThrow());
        }
        assertThat(rows.remove()).as("there are more").isTrue();
        assertThat(cluster.metadata.read(gone.get(1))).isEmpty();
        MetadataRow left = cluster.metadata.read(gone.get(2)).orElseThrow();
        rows.saw(left);
        assertThat(rows.remove()).isFalse();
        assertThat(cluster.metadata.read(gone.get(2))).isEmpty();
    }

    private WeakReference<TabletState> seen(GoneRows rows, TabletId id) throws Exception {
        MetadataRow row = cluster.metadata.read(id).orElseThrow();
        rows.saw(row);
        return new WeakReference<>(row.state());
    }

    /** METADATA tells of it in several pages; the rows are in the first. */
    private List<TabletId> longTableWithGoneRows() throws Exception {
        List<Bytes> ends = IntStream.range(10, 99)
                .mapToObj(i -> Bytes.utf8(i + "x".repeat(30_000)))
                .toList();
        cluster.table(5, TableSchema.draft("u").family("f", GcRule.KEEP_ALL).build(), ends, 3);
        List<TabletId> gone = Stream.of("10", "11", "12")
                .map(end -> new TabletId(5, Optional.of(Bytes.utf8(end))))
                .toList();
        for (TabletId row : gone) {
            MetadataRow unused = cluster.metadata.create(row, TabletStates.empty(Optional.empty()), "created");
            cluster.markGone(row);
        }
        return gone;
    }

    /** By the lock service's clock, which shows when the master's lock was renewed; a write is a microsecond, of a second that all began at. */
    private GarbageReport sweepMuchLater() throws Exception {
        return sweep(muchLater(), new Graces(1, 1, 1));
    }

    private static MemoryLocks muchLater() throws Exception {
        MemoryLocks later = new MemoryLocks();
        later.create(HELD.path(), Bytes.EMPTY);
        for (int version = 0; version < 1_100_000; version++) {
            later.write(HELD.path(), Bytes.EMPTY, version);
        }
        return later;
    }

    private GarbageReport sweep() throws Exception {
        return sweep(cluster.locks, Graces.DEFAULT);
    }

    private GarbageReport sweep(LockService locks, Graces graces) throws Exception {
        GarbageReport report = new Sweep(ports(locks), graces, waiting, false, filesAtATime).run();
        // The grace is a millisecond.
        cluster.scheduler.pause(5);
        return report;
    }

    private Sweep.Ports ports(LockService locks) {
        return new Sweep.Ports(
                files,
                locks,
                HELD,
                new Catalogue(cluster.locks),
                cluster.metadata,
                new Poll(cluster, cluster.scheduler, 1_000),
                cluster.scheduler,
                1);
    }

    private void change(TabletId id, UnaryOperator<TabletState> change) throws Exception {
        MetadataRow row = cluster.metadata.read(id).orElseThrow();
        cluster.metadata.replace(row, row.location(), change.apply(row.state()), "changed by a test");
    }

    private void file(String path) throws BigtableException {
        files.makeDirectory(path.substring(0, path.lastIndexOf('/')));
        files.create(path, FileStore.Placement.DATA).close();
    }

    private List<String> names(String directory) throws BigtableException {
        return files.list(directory).stream().map(entry -> entry.name()).toList();
    }

    private static FileReference reference(String path) {
        return FileReference.newBuilder()
                .setPath(path)
                .setBytes(1)
                .setFamilies(List.of(1))
                .setSmallestSequence(1)
                .setLargestSequence(1)
                .build();
    }
}
