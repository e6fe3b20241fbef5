package bt.log;

import static bt.log.LogFixture.STREAM;
import static bt.log.LogFixture.replace;

import bt.base.Clock;
import bt.base.CorruptionException;
import bt.base.Crc32c;
import bt.base.Input;
import bt.base.Output;
import bt.fs.FileStore;
import bt.testing.MemoryFileStore;
import com.code_intelligence.jazzer.junit.FuzzTest;

/** Any bytes are a segment, a segment with a torn end, or CORRUPTION. */
class LogReaderFuzzTest {
    private final FileStore files = new MemoryFileStore(Clock.system()).process("server");

    @FuzzTest
    void anyBytesAsTheLastSegment(byte[] bytes) throws Exception {
        replace(files, STREAM.path(1), bytes);
        read(1);
    }

    @FuzzTest
    void anyBytesBeforeAndAfter(byte[] bytes) throws Exception {
        replace(files, STREAM.path(1), bytes);
        replace(files, STREAM.path(2), bytes);
        read(1);
        read(2);
    }

    /** Behind the checksum, which keeps random bytes away from what comes after it. */
    @FuzzTest
    void anyBytesAsARecord(byte[] bytes) throws Exception {
        Output out = new Output()
                .u32(bytes.length)
                .u32(Crc32c.of(bytes, 0, bytes.length))
                .raw(bytes);
        try {
            RecordCodec.decode(Input.of("record", out.toBytes()), out.toArray());
        } catch (CorruptionException damaged) {
            // One of the two things that may happen.
        }
    }

    /** What a segment begins with, behind the checksum. */
    @FuzzTest
    void anyBytesAsABeginning(byte[] bytes) throws Exception {
        SegmentHeader ahead = new SegmentHeader(SegmentHeader.VERSION, SegmentHeader.AHEAD);
        Output out = new Output();
        ahead.encode(STREAM, 2, out);
        int length = Math.min(bytes.length, Piece.BLOCK_BYTES / 2);
        int flags = Piece.FIRST | Piece.LAST | Piece.BEGIN;
        new Piece(flags, out.size(), out.size(), 0, length).encodeHeader(STREAM.salt(2), bytes, 0, out);
        replace(files, STREAM.path(2), out.raw(bytes, 0, length).toArray());
        try {
            LogReader.open(files, STREAM).read(2, entry -> {});
        } catch (CorruptionException damaged) {
            // One of the two things that may happen.
        }
    }

    private void read(long segment) throws Exception {
        try {
            LogReader.open(files, STREAM).read(segment, entry -> {});
        } catch (CorruptionException damaged) {
            // One of the two things that may happen.
        }
    }
}
