package bt.log;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Crc32c;
import bt.base.Input;
import bt.base.Output;
import java.util.Optional;

/**
 * What a segment begins with: magic (8), u32 version, u64 epoch, u64 number of the segment, u64 length of the segment
 * before, u8 length and ASCII of the stream's name, u32 CRC32C of all this. In version 1 the length of the segment before,
 * its footer included, lets a reader see that the end of that one is gone, and 0 says that there is none before. From
 * version 2 on it is all ones: the segment was made ahead, and its first batch says what there was before. From version 3
 * on the header and every batch fill their last chunk with zeros.
 */
record SegmentHeader(int version, long previousLength) {
    static final int VERSION = 3;
    static final long AHEAD = -1;
    static final Bytes MAGIC = Bytes.hex("62742e6c6f670d0a");
    private static final int OLDEST_VERSION = 1;
    private static final int OLDEST_ALIGNED_VERSION = 3;
    private static final int FIXED_BYTES = MAGIC.length() + Integer.BYTES + 3 * Long.BYTES + 1 + Integer.BYTES;

    /** Headers of streams with longer names are longer, but all segments of one stream have the same. */
    static int bytes(LogStream stream) {
        return FIXED_BYTES + stream.name().length();
    }

    /** Where a batch begins that follows what ends here. */
    long nextBatch(long end) {
        return version >= OLDEST_ALIGNED_VERSION ? Piece.nextChunk(end) : end;
    }

    /** Whether the first batch says how the segment began. */
    boolean hasBegin() {
        return version > OLDEST_VERSION;
    }

    void encode(LogStream stream, long segment, Output out) {
        int start = out.size();
        out.raw(MAGIC).u32(version).u64(stream.epoch()).u64(segment).u64(previousLength);
        out.text(stream.name());
        out.u32(Crc32c.of(out.array(), start, out.size() - start));
    }

    /**
     * Empty when these bytes, the first of the file, are not a whole header, which may be the torn end of a segment that
     * was never used. CORRUPTION when they are a good header of something else.
     */
    static Optional<SegmentHeader> decode(LogStream stream, long segment, byte[] bytes, int length)
            throws CorruptionException {
        Input in = new Input(stream.path(segment), 0, bytes, 0, length);
        int afterVersion = MAGIC.length() + Integer.BYTES;
        int version = 0;
        if (length >= afterVersion && in.raw("magic", MAGIC.length()).equals(MAGIC)) {
            version = in.u32("version");
            if (version < OLDEST_VERSION || version > VERSION) {
                // Before the checksum: where it lies is the business of that version.
                throw in.corrupt("commit log version " + version + ", this bt reads versions " + OLDEST_VERSION + " to "
                        + VERSION);
            }
        }
        int size = bytes(stream);
        if (length < size || version == 0) {
            return Optional.empty();
        }
        int crcAt = size - Integer.BYTES;
        in = new Input(stream.path(segment), crcAt, bytes, crcAt, size);
        if (in.u32("header crc") != Crc32c.of(bytes, 0, crcAt)) {
            return Optional.empty();
        }
        in = new Input(stream.path(segment), afterVersion, bytes, afterVersion, crcAt);
        long epoch = in.u64("epoch");
        long number = in.u64("segment number");
        SegmentHeader header = new SegmentHeader(version, in.u64("length of the segment before"));
        String name = in.text("stream");
        if (epoch != stream.epoch() || number != segment || !name.equals(stream.name())) {
            throw in.corrupt("the header is of epoch " + epoch + ", segment " + number + " of stream " + name);
        }
        if (header.hasBegin() ? header.previousLength != AHEAD : header.previousLength < 0) {
            throw in.corrupt("the length of the segment before is " + header.previousLength);
        }
        return Optional.of(header);
    }
}
