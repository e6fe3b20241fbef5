package bt.tablet;

import bt.base.Bytes;
import bt.base.Clock;
import bt.base.CorruptionException;
import bt.base.Output;
import bt.fs.FileStore;
import bt.fs.FileStore.Placement;
import bt.fs.FileWriter;
import bt.log.LogRecord;
import bt.model.RowRange;
import bt.testing.MemoryFileStore;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.List;

/** Any bytes are a sorted segment, or CORRUPTION; any value of one is a record, or CORRUPTION. */
class SortedLogFuzzTest {
    private static final String PATH = "recovered/7/sorted/user-0000000001";

    private final FileStore files = new MemoryFileStore(Clock.system()).process("server");

    @FuzzTest
    void anyBytesAsAFile(byte[] bytes) throws Exception {
        files.delete(PATH);
        files.makeDirectory("recovered/7/sorted");
        try (FileWriter writer = files.create(PATH, Placement.DATA)) {
            writer.append(bytes, 0, bytes.length);
        }
        try {
            SortedLog.read(files, PATH, 1, RowRange.ALL, entry -> {});
        } catch (CorruptionException damaged) {
            // One of the two things that may happen.
        }
    }

    /** Behind the checksums, which keep random bytes away from what comes after them. */
    @FuzzTest
    void anyBytesAsARecord(byte[] bytes) {
        try {
            LogRecord decoded = LogRecord.decode("fuzz", Bytes.wrap(bytes), 0);
            decoded.encode(new Output());
        } catch (CorruptionException damaged) {
            // One of the two things that may happen.
        }
    }

    /** No program but that which keeps a run in memory reads it; of a bit that flips there it may be told as well. */
    @FuzzTest
    void anyBytesAsARun(byte[] bytes) {
        try {
            RunMerge merge = RunMerge.of("fuzz", List.of(bytes));
            while (!merge.isAtEnd()) {
                merge.entry().encode(new Output());
                merge.next();
            }
        } catch (CorruptionException damaged) {
            // One of the two things that may happen.
        }
    }
}
