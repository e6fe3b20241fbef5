package bt.log;

import static bt.log.LogFixture.STREAM;
import static bt.log.LogFixture.put;
import static bt.log.LogFixture.readAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Bytes;
import bt.base.Clock;
import bt.base.UnavailableException;
import bt.fs.FileStore;
import bt.model.Limits;
import bt.testing.MemoryFileStore;
import bt.testing.SeededTest;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LogWriterTest {
    private final MemoryFileStore store = new MemoryFileStore(Clock.system());
    private final FileStore files = store.process("server");

    @BeforeEach
    void makeDirectory() throws Exception {
        files.makeDirectory(STREAM.directory());
    }

    @SeededTest(runs = 60)
    void whatWasAppendedIsRead(RandomGenerator random) throws Exception {
        files.delete(STREAM.directory());
        makeDirectory();
        List<LogRecord> written = new ArrayList<>();
        LogWriter log = LogWriter.open(files, STREAM, new LogOptions(1 + random.nextInt(500_000)));
        int batches = random.nextInt(12);
        int maxBytes = 1 << random.nextInt(1, 19);
        for (int i = 0; i < batches; i++) {
            List<LogRecord> batch = new ArrayList<>();
            for (int records = 1 + random.nextInt(8); records > 0; records--) {
                batch.add(LogFixture.random(random, written.size() + batch.size(), maxBytes));
            }
            log.append(batch);
            written.addAll(batch);
            if (random.nextBoolean()) {
                log.sync();
            }
        }
        if (random.nextBoolean()) {
            log.close();
        } else {
            log.flush();
            log.abandon();
            for (long segment : LogReader.segments(files, STREAM)) {
                files.fence(STREAM.path(segment), 1000);
            }
        }

        assertThat(readAll(files)).isEqualTo(written);
    }

    @SeededTest(runs = 60)
    void aPowerCutTakesNothingThatWasSynced(RandomGenerator random) throws Exception {
        FileStore before = store.process("writer");
        before.delete(STREAM.directory());
        before.makeDirectory(STREAM.directory());
        LogWriter log = LogWriter.open(before, STREAM, new LogOptions(1 + random.nextInt(200_000)));
        List<LogRecord> written = new ArrayList<>();
        int synced = 0;
        for (int batches = random.nextInt(10); batches > 0; batches--) {
            LogRecord entry = LogFixture.random(random, written.size(), 100_000);
            log.append(List.of(entry));
            written.add(entry);
            if (random.nextBoolean()) {
                log.sync();
                synced = written.size();
            }
        }
        store.crash("writer", random);
        for (long segment : LogReader.segments(files, STREAM)) {
            files.fence(STREAM.path(segment), 1000);
        }

        List<LogRecord> found = readAll(files);
        assertThat(found).isEqualTo(written.subList(0, found.size())).hasSizeGreaterThanOrEqualTo(synced);
    }

    @Test
    void theLargestValueIsOneRecordOfManyBlocks() throws Exception {
        LogRecord large = put(1, "r", Limits.VALUE_BYTES);
        try (LogWriter log = LogWriter.open(files, STREAM, LogOptions.DEFAULT)) {
            log.append(List.of(put(0, "q", 3), large));
            log.append(List.of(put(2, "s", 3)));
        }

        List<Long> sequences = new ArrayList<>();
        for (long segment : LogReader.segments(files, STREAM)) {
            LogReader.read(files, STREAM, segment, entry -> {
                sequences.add(entry.stamp().firstSequence());
                if (entry.stamp().firstSequence() == 1) {
                    assertThat(entry).isEqualTo(large);
                }
            });
        }
        assertThat(sequences).containsExactly(0L, 1L, 2L);
    }

    @Test
    void aRecordThatNoReaderWouldTakeIsNotWritten() throws Exception {
        LogRecord tooLarge = put(1, "r", LogWriter.MAX_BATCH_BYTES);
        try (LogWriter log = LogWriter.open(files, STREAM, LogOptions.DEFAULT)) {
            assertThatThrownBy(() -> log.append(List.of(tooLarge))).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(readAll(files)).isEmpty();
    }

    @Test
    void aFullSegmentIsClosedBeforeTheNextBegins() throws Exception {
        LogWriter log = LogWriter.open(files, STREAM, new LogOptions(1000));
        for (int i = 0; i < 5; i++) {
            log.append(List.of(put(i, "row", 300)));
        }
        log.sync();
        log.abandon();
        assertThat(LogReader.segments(files, STREAM)).containsExactly(1L, 2L, 3L);
        files.fence(STREAM.path(3), 1000);

        assertThat(LogReader.read(files, STREAM, 1, entry -> {}))
                .isEqualTo(new SegmentSummary(1, 2, true, OptionalLong.empty()));
        assertThat(LogReader.read(files, STREAM, 3, entry -> {}))
                .isEqualTo(new SegmentSummary(3, 1, false, OptionalLong.empty()));
        assertThat(readAll(files)).hasSize(5);
    }

    @Test
    void aBatchLargerThanASegmentHasOneOfItsOwn() throws Exception {
        try (LogWriter log = LogWriter.open(files, STREAM, new LogOptions(1000))) {
            log.append(List.of(put(0, "row", 5000)));
            log.append(List.of(put(1, "row", 5)));
        }
        assertThat(LogReader.segments(files, STREAM)).containsExactly(1L, 2L);
        assertThat(readAll(files)).hasSize(2);
    }

    @Test
    void aRenamedDirectoryEndsTheStreamAtTheNextSegment() throws Exception {
        LogStream live = new LogStream(LogStream.LIVE, 7, LogStream.USER);
        files.delete(STREAM.directory());
        files.makeDirectory(live.directory());
        LogWriter log = LogWriter.open(files, live, new LogOptions(1));
        log.append(List.of(put(0, "row", 5)));
        log.sync();
        files.makeDirectory(LogStream.RECOVERED);
        files.rename(live.directory(), STREAM.directory());

        assertThatThrownBy(() -> log.append(List.of(put(1, "row", 5)))).isInstanceOf(UnavailableException.class);
        log.abandon();
        assertThat(files.list(live.directory())).isEmpty();
    }

    @Test
    void onlyWhatIsSyncedIsClean() throws Exception {
        LogWriter log = LogWriter.open(files, STREAM, LogOptions.DEFAULT);
        log.append(List.of(put(0, "row", 5)));
        log.flush();
        assertThat(log.isDirty()).isTrue();
        log.sync();
        assertThat(log.isDirty()).isFalse();
        log.abandon();
    }

    @Test
    void streamsOfOneServerDoNotMeet() throws Exception {
        LogStream metadata = new LogStream(LogStream.RECOVERED, 7, LogStream.METADATA);
        try (LogWriter user = LogWriter.open(files, STREAM, LogOptions.DEFAULT);
                LogWriter other = LogWriter.open(files, metadata, LogOptions.DEFAULT)) {
            user.append(List.of(put(0, "user", 5)));
            other.append(List.of(put(0, "metadata", 5)));
        }
        List<Bytes> rows = new ArrayList<>();
        LogReader.read(files, metadata, 1, entry -> rows.add(entry.row()));
        assertThat(rows).containsExactly(Bytes.utf8("metadata"));
    }
}
