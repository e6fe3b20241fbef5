package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.ThreadScheduler;
import bt.base.UnavailableException;
import bt.fs.FileInfo;
import bt.fs.FileReader;
import bt.fs.FileStore;
import bt.fs.FileWriter;
import bt.log.CommitLog;
import bt.log.LogBatch;
import bt.log.LogOptions;
import bt.log.LogRecord;
import bt.log.LogRecord.Author;
import bt.log.LogRecord.Kind;
import bt.log.LogRecord.Origin;
import bt.log.LogRecord.Stamp;
import bt.log.LogStream;
import bt.metadata.TabletStates;
import bt.model.Filter;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.WriteId;
import bt.protocol.WriteResult;
import bt.sstable.CacheSizes;
import bt.tablet.FileNames;
import bt.tablet.ReadSpec;
import bt.tablet.ResolvedMutation;
import bt.tablet.Resolver;
import bt.tablet.Scripts;
import bt.tablet.SortedLog;
import bt.tablet.Tablet;
import bt.tablet.TabletCaches;
import bt.tablet.TabletConfig;
import bt.tablet.TabletContext;
import bt.testing.MemoryFileStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LogReplayTest {
    private static final TableSchema SCHEMA =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
    private static final TabletId UP_TO_M = new TabletId(4, Optional.of(Bytes.utf8("m")));
    private static final long REDO_POINT = 10;
    private static final CacheSizes CACHES = new CacheSizes(1 << 20, 1 << 20, 1 << 20);

    private final ThreadScheduler scheduler = new ThreadScheduler();

    /** What the file store was asked for. */
    private final Queue<String> asked = new ConcurrentLinkedQueue<>();

    private final FileStore files = new MemoryFileStore(
                    Clock.system(), (process, operation, path) -> asked.add(operation + " " + path))
            .process("server");

    /** Sorts every segment, however small. */
    private final SegmentSorts sorts = new SegmentSorts(files, scheduler, 9, 1);

    @AfterEach
    void closeScheduler() {
        scheduler.close();
    }

    private Tablet open() throws BigtableException {
        TabletContext context = new TabletContext(
                files,
                TabletCaches.of(CACHES, CACHES),
                Clock.system(),
                new FileNames(9),
                TabletConfig.DEFAULT,
                new Scripts(List.of(), 1),
                () -> false);
        return Tablet.open(UP_TO_M, SCHEMA, TabletStates.empty(Optional.of(Bytes.utf8("c"))), context);
    }

    private static LogRecord put(long table, String row, long sequence) throws BigtableException {
        return put(table, row, sequence, SCHEMA.version());
    }

    private static LogRecord put(long table, String row, long sequence, long schemaVersion) throws BigtableException {
        RowMutation mutation = RowMutation.of(row).set("f", "q", row + sequence).build();
        ResolvedMutation resolved = Resolver.resolve(mutation, SCHEMA, sequence, 1_000_000 + sequence);
        return new LogRecord(
                Kind.MUTATION,
                table,
                schemaVersion,
                new Stamp(sequence, resolved.timestamp()),
                Origin.HERE,
                new Author(7, sequence, 1, resolved.timestamp()),
                resolved.row(),
                resolved.encodeBody());
    }

    private void write(long epoch, String stream, LogRecord... records) throws Exception {
        LogStream log = new LogStream(LogStream.RECOVERED, epoch, stream);
        files.makeDirectory(log.directory());
        CommitLog writer = CommitLog.open(files, log, new LogOptions(64 << 20, 60_000, 60_000), scheduler);
        for (LogRecord entry : records) {
            writer.write(LogBatch.of(List.of(entry)), true);
            assertThat(writer.settle()).isTrue();
        }
        writer.close();
        for (FileInfo segment : files.list(log.directory())) {
            files.fence(log.directory() + "/" + segment.name(), 1_000);
        }
    }

    private static List<String> read(Tablet tablet) throws BigtableException {
        return tablet.read(ReadSpec.of(RowRange.from(Bytes.utf8("d")), Filter.ALL)).cells().stream()
                .map(cell -> cell.value().toUtf8())
                .toList();
    }

    @Test
    void theTabletHasItsRowsAboveItsRedoPoint() throws Exception {
        write(1, LogStream.USER, put(4, "d", 10), put(4, "d", 11), put(4, "c", 12), put(4, "m", 13), put(4, "n", 14));
        write(2, LogStream.USER, put(5, "d", 15), put(4, "d", 16));
        write(3, LogStream.USER, put(4, "d", 11));
        write(2, LogStream.METADATA, put(4, "e", 17));
        Tablet tablet = open();
        new LogReplay(files, sorts, tablet, REDO_POINT, 1).run(List.of(1L, 2L, 3L), step -> {});
        assertThat(read(tablet)).containsExactly("d16", "d11", "m13");
        assertThat(tablet.readPoint()).isEqualTo(16);
    }

    /** A server may have had a hundred, and each of those that get them asked the same. */
    @Test
    void theTabletsThatFollowListNothingAndOpenOnlyWhatTheyRead() throws Exception {
        write(1, LogStream.USER, put(4, "d", 11));
        new LogReplay(files, sorts, open(), REDO_POINT, 1).run(List.of(1L), step -> {});
        assertThat(asked).anyMatch(question -> question.startsWith("LIST"));
        asked.clear();
        Tablet next = open();
        new LogReplay(files, sorts, next, REDO_POINT, 1).run(List.of(1L), step -> {});
        assertThat(read(next)).containsExactly("d11");
        assertThat(asked).noneMatch(question -> question.startsWith("LIST"));
        assertThat(asked)
                .filteredOn(question -> question.startsWith("OPEN"))
                .isNotEmpty()
                .allMatch(question -> question.contains("/sorted/"));
    }

    /** An operator may find a directory where it should not be. */
    @Test
    void aLogThatIsBroughtBackIsRead() throws Exception {
        files.makeDirectory(new LogStream(LogStream.RECOVERED, 1, LogStream.USER).directory());
        assertThatThrownBy(() -> new LogReplay(files, sorts, open(), REDO_POINT, 1).run(List.of(1L), step -> {}))
                .isInstanceOf(BigtableException.class);
        write(1, LogStream.USER, put(4, "d", 11));
        Tablet tablet = open();
        new LogReplay(files, sorts, tablet, REDO_POINT, 1).run(List.of(1L), step -> {});
        assertThat(read(tablet)).containsExactly("d11");
    }

    /** By mistake, say; the segment itself is there. */
    @Test
    void aSortedSegmentThatWasDeletedIsSortedAgainForTheLoadAfterTheOneThatMissesIt() throws Exception {
        write(1, LogStream.USER, put(4, "d", 11));
        new LogReplay(files, sorts, open(), REDO_POINT, 1).run(List.of(1L), step -> {});
        String sorted = SortedLog.directory(new LogStream(LogStream.RECOVERED, 1, LogStream.USER));
        for (FileInfo file : files.list(sorted)) {
            assertThat(files.delete(sorted + "/" + file.name())).isTrue();
        }
        assertThatThrownBy(() -> new LogReplay(files, sorts, open(), REDO_POINT, 1).run(List.of(1L), step -> {}))
                .isInstanceOf(BigtableException.class);
        Tablet tablet = open();
        new LogReplay(files, sorts, tablet, REDO_POINT, 1).run(List.of(1L), step -> {});
        assertThat(read(tablet)).containsExactly("d11");
    }

    /** No tablet stays offline for a file that can be made again, wherever it is damaged and however much of it was read before. */
    @Test
    void insteadOfASortedSegmentThatIsDamagedTheLogItselfIsReadAndSortedAnew() throws Exception {
        Random letters = new Random(1);
        List<LogRecord> records = new ArrayList<>();
        List<String> values = new ArrayList<>();
        // Of several blocks.
        for (int sequence = 11; sequence < 50; sequence++) {
            StringBuilder row = new StringBuilder("d");
            letters.ints(4_000, 'a', 'z').forEach(row::appendCodePoint);
            records.add(put(4, row.toString(), sequence));
            values.add(row.toString() + sequence);
        }
        write(1, LogStream.USER, records.toArray(LogRecord[]::new));
        new LogReplay(files, sorts, open(), REDO_POINT, 1).run(List.of(1L), step -> {});
        LogStream log = new LogStream(LogStream.RECOVERED, 1, LogStream.USER);
        String sorted = SortedLog.path(log, 1);
        for (int quarter = 0; quarter < 4; quarter++) {
            damage(sorted, quarter);
            for (int load = 0; load < 2; load++) {
                asked.clear();
                Tablet tablet = open();
                new LogReplay(files, sorts, tablet, REDO_POINT, 1).run(List.of(1L), step -> {});
                assertThat(read(tablet)).containsExactlyInAnyOrderElementsOf(values);
            }
        }
        asked.clear();
        new LogReplay(files, sorts, open(), REDO_POINT, 1).run(List.of(1L), step -> {});
        assertThat(asked).contains("OPEN " + sorted).doesNotContain("OPEN " + log.path(1));
    }

    private void damage(String path, int quarter) throws BigtableException {
        byte[] bytes;
        try (FileReader file = files.open(path)) {
            bytes = new byte[(int) file.length()];
            file.readFully(0, bytes, 0, bytes.length);
        }
        bytes[bytes.length * quarter / 4 + 1] ^= 1;
        files.delete(path);
        FileWriter file = files.create(path, FileStore.Placement.DATA);
        file.append(bytes, 0, bytes.length);
        file.close();
    }

    @Test
    void whoWroteWhatIsKnownAlsoOfWhatIsInFilesAlready() throws Exception {
        write(1, LogStream.USER, put(4, "d", 10), put(4, "d", 11), put(4, "n", 12));
        Outcomes outcomes = new LogReplay(files, sorts, open(), REDO_POINT, 1).run(List.of(1L), step -> {});
        assertThat(outcomes.find(new WriteId(7, 10, 1))).contains(WriteResult.applied(1_000_010));
        assertThat(outcomes.find(new WriteId(7, 11, 1))).contains(WriteResult.applied(1_000_011));
        assertThat(outcomes.find(new WriteId(7, 12, 1))).isEmpty();
    }

    /** So a long replay is not taken for one that stands still. */
    @Test
    void eachLogAndEachSegmentIsAStep() throws Exception {
        write(1, LogStream.USER, put(4, "d", 11));
        write(2, LogStream.USER, put(4, "d", 12));
        List<String> steps = new ArrayList<>();
        new LogReplay(files, sorts, open(), REDO_POINT, 1).run(List.of(1L, 2L), steps::add);
        // Each log has a second segment, which was opened ahead and is empty.
        assertThat(steps)
                .containsExactly(
                        "looks at the log in recovered/1",
                        "replays recovered/1/user-0000000001",
                        "replays recovered/1/user-0000000002",
                        "looks at the log in recovered/2",
                        "replays recovered/2/user-0000000001",
                        "replays recovered/2/user-0000000002");
    }

    /** Or what it holds of a family that is new would be taken for that of one that was dropped. */
    @Test
    void aRecordThatALaterSchemaWroteIsWaitedForUnlessAFileHasIt() throws Exception {
        write(1, LogStream.USER, put(4, "d", 10, SCHEMA.version() + 1), put(4, "d", 11));
        Tablet tablet = open();
        new LogReplay(files, sorts, tablet, REDO_POINT, 1).run(List.of(1L), step -> {});
        assertThat(read(tablet)).containsExactly("d11");
        write(2, LogStream.USER, put(4, "d", 12, SCHEMA.version() + 1));
        assertThatThrownBy(() -> new LogReplay(files, sorts, open(), REDO_POINT, 1).run(List.of(2L), step -> {}))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("the load waits for it");
    }

    @Test
    void aLogThatIsNotThereIsNotTakenForAnEmptyOne() throws Exception {
        write(1, LogStream.METADATA, put(4, "d", 11));
        assertThatThrownBy(() -> new LogReplay(files, sorts, open(), REDO_POINT, 1).run(List.of(1L), step -> {}))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("recovered/1");
    }
}
