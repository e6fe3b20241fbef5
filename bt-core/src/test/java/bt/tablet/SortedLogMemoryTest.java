package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.ThreadScheduler;
import bt.fs.FileInfo;
import bt.fs.FileStore;
import bt.log.CommitLog;
import bt.log.LogBatch;
import bt.log.LogOptions;
import bt.log.LogReader;
import bt.log.LogRecord;
import bt.log.LogRecord.Author;
import bt.log.LogRecord.Kind;
import bt.log.LogRecord.Origin;
import bt.log.LogRecord.Stamp;
import bt.log.LogStream;
import bt.testing.FileOperation;
import bt.testing.MemoryFileStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SortedLogMemoryTest {
    private static final LogStream STREAM = new LogStream(LogStream.RECOVERED, 7, LogStream.USER);
    private static final long SEGMENT_BYTES = 32L << 20;
    private static final Bytes BODY = Bytes.wrap(new byte[17]);

    private static final int READS_A_LOOK = 32;

    /** Of the file's header, and of the first blocks. */
    private static final int FIRST_APPENDS = 4;

    private final ThreadScheduler scheduler = new ThreadScheduler();
    private final FileStore files =
            new MemoryFileStore(Clock.system(), (process, operation, path) -> look(operation)).process("server");
    private boolean looks;
    private int reads;
    private int appends;
    private long mostBytes;

    @AfterEach
    void close() {
        scheduler.close();
    }

    private void look(FileOperation operation) {
        if (looks && isDue(operation)) {
            mostBytes = Math.max(mostBytes, usedBytes());
        }
    }

    /** What is sorted lies in memory here: when the first of it is written nothing of it does, and all that it is made of. */
    private boolean isDue(FileOperation operation) {
        return switch (operation) {
            case READ -> reads++ % READS_A_LOOK == 0;
            case APPEND -> appends++ < FIRST_APPENDS;
            default -> false;
        };
    }

    private static long usedBytes() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    @Test
    void aSegmentOfSmallRecordsTakesItsBytesAndLittleMore() throws Exception {
        log();
        long before = usedBytes();
        looks = true;
        assertThat(SortedLog.sort(files, LogReader.open(files, STREAM), 1, "a")).isTrue();
        looks = false;
        assertThat(appends).as("it was looked at").isGreaterThanOrEqualTo(FIRST_APPENDS);
        // As objects these records take four times their bytes. What other tests have left may go meanwhile.
        assertThat(mostBytes - before).isLessThan(SEGMENT_BYTES * 5 / 4);
    }

    /** One segment of records of some 75 bytes, a hundred in a batch. */
    private void log() throws BigtableException, InterruptedException {
        files.makeDirectory(STREAM.directory());
        CommitLog log = CommitLog.open(files, STREAM, new LogOptions(1 << 30, 60_000, 60_000), scheduler);
        long bytes = 0;
        for (long sequence = 0; bytes < SEGMENT_BYTES; sequence += 100) {
            LogBatch batch = batch(sequence);
            bytes += batch.bytes();
            log.write(batch, false);
            assertThat(log.settle()).isTrue();
        }
        log.close();
        for (FileInfo segment : files.list(STREAM.directory())) {
            files.fence(STREAM.directory() + "/" + segment.name(), 1_000);
        }
    }

    private static LogBatch batch(long firstSequence) {
        List<LogRecord> records = new ArrayList<>();
        for (long sequence = firstSequence; sequence < firstSequence + 100; sequence++) {
            records.add(new LogRecord(
                    Kind.MUTATION,
                    4,
                    1,
                    new Stamp(sequence, 1_700_000_000_000_000L + sequence),
                    Origin.HERE,
                    new Author(1L << 62, sequence, sequence, 1_700_000_000_000_000L + sequence),
                    Bytes.utf8("user%07d".formatted(sequence * 7_919 % 1_000_000)),
                    BODY));
        }
        return LogBatch.of(records);
    }
}
