package bt.log;

import static bt.log.LogFixture.STREAM;
import static bt.log.LogFixture.put;
import static bt.log.LogSimulation.log;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.CorruptionException;
import bt.base.FencedException;
import bt.fs.FileInfo;
import bt.fs.FileStore;
import bt.model.Limits;
import bt.testing.SeededTest;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class CommitLogTest {
    private static final long PAUSE_MILLIS = 1_000;

    @SeededTest(runs = 60)
    void whatWasLoggedIsRead(RandomGenerator random) throws Exception {
        LogSimulation sim = new LogSimulation(random.nextLong());
        sim.run(() -> {
            List<LogRecord> written = new ArrayList<>();
            CommitLog log = sim.open(new LogOptions(1 + random.nextInt(500_000)));
            int maxBytes = 1 << random.nextInt(1, 19);
            for (int batches = random.nextInt(12); batches > 0; batches--) {
                LogBatch batch = new LogBatch();
                for (int records = 1 + random.nextInt(8); records > 0; records--) {
                    LogRecord entry = LogFixture.random(random, written.size(), maxBytes);
                    batch.add(entry);
                    written.add(entry);
                }
                log.write(batch, random.nextBoolean());
                assertThat(log.settle()).isTrue();
            }
            if (random.nextBoolean()) {
                log.close();
            } else {
                log.abandon();
            }
            assertThat(sim.recover()).isEqualTo(written);
        });
    }

    @SeededTest(runs = 60)
    void aPowerCutTakesNothingThatWasSynced(RandomGenerator random) throws Exception {
        LogSimulation sim = new LogSimulation(random.nextLong());
        sim.run(() -> {
            CommitLog log = sim.open(new LogOptions(1 + random.nextInt(200_000)));
            List<LogRecord> written = new ArrayList<>();
            int synced = 0;
            for (int batches = random.nextInt(10); batches > 0; batches--) {
                LogRecord entry = LogFixture.random(random, written.size(), 100_000);
                boolean sync = random.nextBoolean();
                written.add(entry);
                log(log, sync, entry);
                if (sync) {
                    synced = written.size();
                }
            }
            sim.store.crash("server", random);
            List<LogRecord> found = sim.recover();
            assertThat(found).isEqualTo(written.subList(0, found.size())).hasSizeGreaterThanOrEqualTo(synced);
        });
    }

    @Test
    void theLargestValueIsOneRecordOfManyBlocks() throws Exception {
        LogRecord large = put(1, "r", Limits.VALUE_BYTES);
        LogSimulation sim = new LogSimulation(1);
        sim.run(() -> {
            CommitLog log = sim.open(LogOptions.DEFAULT);
            log(log, true, put(0, "q", 3), large);
            log(log, true, put(2, "s", 3));
            log.close();
            sim.fenceAll();
            List<Long> sequences = new ArrayList<>();
            LogReader.open(sim.after, STREAM).readAll(entry -> {
                sequences.add(entry.stamp().firstSequence());
                if (entry.stamp().firstSequence() == 1) {
                    assertThat(entry).isEqualTo(large);
                }
            });
            assertThat(sequences).containsExactly(0L, 1L, 2L);
        });
    }

    @Test
    void aRecordThatNoReaderWouldTakeIsNotWritten() {
        LogRecord tooLarge = put(1, "r", LogBatch.MAX_BYTES);
        LogBatch batch = new LogBatch();
        assertThatThrownBy(() -> batch.add(tooLarge)).isInstanceOf(IllegalArgumentException.class);
        assertThat(batch.isEmpty()).isTrue();
    }

    @Test
    void aFullSegmentIsClosedAndTheNextIsThereAlready() throws Exception {
        LogSimulation sim = new LogSimulation(1);
        sim.run(() -> {
            CommitLog log = sim.open(new LogOptions(2_100));
            for (int i = 0; i < 5; i++) {
                sim.scheduler.pause(PAUSE_MILLIS);
                assertThat(segments(sim)).hasSize((int) log.segment() + 1);
                log(log, true, put(i, "row", 300));
            }
            sim.scheduler.pause(PAUSE_MILLIS);
            log.abandon();
            sim.fenceAll();
            LogReader reader = LogReader.open(sim.after, STREAM);
            assertThat(reader.segments()).containsExactly(1L, 2L, 3L, 4L);
            assertThat(reader.read(1, entry -> {})).isEqualTo(new SegmentSummary(1, 2, true, OptionalLong.empty()));
            assertThat(reader.read(3, entry -> {})).isEqualTo(new SegmentSummary(3, 1, false, OptionalLong.empty()));
            assertThat(reader.read(4, entry -> {})).isEqualTo(new SegmentSummary(4, 0, false, OptionalLong.empty()));
            assertThat(LogFixture.readAll(sim.after)).hasSize(5);
        });
    }

    private static List<String> segments(LogSimulation sim) throws BigtableException {
        return sim.after.list(STREAM.directory()).stream().map(FileInfo::name).toList();
    }

    @Test
    void whatIsReleasedIsDeletedOnceALaterSegmentSaysSo() throws Exception {
        LogSimulation sim = new LogSimulation(1);
        sim.run(() -> {
            CommitLog log = sim.open(new LogOptions(1));
            for (int i = 0; i < 4; i++) {
                log(log, true, put(i, "row", 5));
                sim.scheduler.pause(PAUSE_MILLIS);
            }
            log.release(3);
            sim.scheduler.pause(PAUSE_MILLIS);
            assertThat(segments(sim)).hasSize(5);
            log(log, true, put(4, "row", 5));
            sim.scheduler.pause(PAUSE_MILLIS);
            assertThat(segments(sim)).hasSize(4);
            log.abandon();
            sim.fenceAll();
            assertThat(LogReader.open(sim.after, STREAM).segments()).containsExactly(3L, 4L, 5L, 6L);
            assertThat(LogFixture.readAll(sim.after))
                    .containsExactly(put(2, "row", 5), put(3, "row", 5), put(4, "row", 5));
            sim.after.delete(STREAM.path(3));
            assertThatThrownBy(() -> LogReader.open(sim.after, STREAM))
                    .isInstanceOf(CorruptionException.class)
                    .hasMessageContaining(STREAM.path(3) + ": the segment is missing");
        });
    }

    @Test
    void aBatchLargerThanASegmentHasOneOfItsOwn() throws Exception {
        LogSimulation sim = new LogSimulation(1);
        sim.run(() -> {
            CommitLog log = sim.open(new LogOptions(1000));
            sim.scheduler.pause(PAUSE_MILLIS);
            log(log, true, put(0, "row", 5000));
            assertThat(log.segment()).isEqualTo(1);
            log(log, true, put(1, "row", 5));
            assertThat(log.segment()).isEqualTo(2);
            log.close();
            assertThat(sim.recover()).hasSize(2);
        });
    }

    @Test
    void aRenamedDirectoryEndsTheStreamOnceItsSegmentsAreFenced() throws Exception {
        LogStream live = new LogStream(LogStream.LIVE, 7, LogStream.USER);
        LogSimulation sim = new LogSimulation(1);
        sim.run(() -> {
            FileStore after = sim.after;
            after.delete(STREAM.directory());
            after.makeDirectory(live.directory());
            after.makeDirectory(LogStream.RECOVERED);
            CommitLog log = CommitLog.open(sim.files, live, new LogOptions(1), sim.scheduler);
            log(log, true, put(0, "row", 5));
            after.rename(live.directory(), STREAM.directory());
            // What is open stays open, and what is logged there is read.
            log(log, true, put(1, "row", 5));
            sim.fenceAll();
            assertThatThrownBy(() -> log(log, true, put(2, "row", 5))).isInstanceOf(FencedException.class);
            log.abandon();
            assertThat(after.list(live.directory())).isEmpty();
            assertThat(sim.recover()).containsExactly(put(0, "row", 5), put(1, "row", 5));
        });
    }

    @Test
    void onlyWhatIsSyncedIsClean() throws Exception {
        LogSimulation sim = new LogSimulation(1);
        sim.run(() -> {
            CommitLog log = sim.open(LogOptions.DEFAULT);
            log(log, false, put(0, "row", 5));
            assertThat(log.isDirty()).isTrue();
            log(log, true);
            assertThat(log.isDirty()).isFalse();
            log.abandon();
        });
    }

    @Test
    void streamsOfOneServerDoNotMeet() throws Exception {
        LogStream metadata = new LogStream(LogStream.RECOVERED, 7, LogStream.METADATA);
        LogSimulation sim = new LogSimulation(1);
        sim.run(() -> {
            CommitLog user = sim.open(LogOptions.DEFAULT);
            CommitLog other = CommitLog.open(sim.files, metadata, LogOptions.DEFAULT, sim.scheduler);
            log(user, true, put(0, "user", 5));
            log(other, true, put(0, "metadata", 5));
            user.close();
            other.close();
            sim.fenceAll();
            List<LogRecord> found = new ArrayList<>();
            LogReader.open(sim.after, metadata).readAll(found::add);
            assertThat(found).containsExactly(put(0, "metadata", 5));
        });
    }
}
