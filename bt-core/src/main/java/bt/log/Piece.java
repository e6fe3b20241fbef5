package bt.log;

import bt.base.CorruptionException;
import bt.base.Crc32c;
import bt.base.Input;
import bt.base.Output;
import bt.fs.FileWriter;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The part of a batch that lies in one block of 64 KB: u32 CRC32C of what follows, mixed with the segment's salt; u16
 * bytes of payload, u8 flags, u8 zero; u64 offset of this piece in the segment; u64 offset of the batch's first piece;
 * u64 length of the segment that was known to be synced when the batch was written; payload. Pieces follow each other
 * closely, except that the end of a block that has no room for a header and a byte is zero. So every block begins with a
 * piece, and a piece found where it says it lies is proof that all before it was written. From version 3 of the segment on
 * every batch begins at a multiple of {@link FileWriter#CHUNK_BYTES}, with zeros before it.
 */
record Piece(int flags, long offset, long batch, long synced, int payloadBytes) {
    static final int BLOCK_BYTES = 64 << 10;
    static final int HEADER_BYTES = 3 * Long.BYTES + 2 * Integer.BYTES;

    static final int FIRST = 1;
    static final int LAST = 2;
    static final int FOOTER = 4;
    static final int BEGIN = 8;
    static final int ALL_FLAGS = FIRST | LAST | FOOTER | BEGIN;

    boolean isFirst() {
        return (flags & FIRST) != 0;
    }

    boolean isLast() {
        return (flags & LAST) != 0;
    }

    boolean isWholeBatch() {
        return isFirst() && isLast() && !isFooter();
    }

    boolean isFooter() {
        return (flags & FOOTER) != 0;
    }

    boolean isBegin() {
        return (flags & BEGIN) != 0;
    }

    long end() {
        return offset + HEADER_BYTES + payloadBytes;
    }

    /** Where the next batch begins behind a batch, or a header, that ends here. */
    static long nextChunk(long end) {
        return (end + FileWriter.CHUNK_BYTES - 1) / FileWriter.CHUNK_BYTES * FileWriter.CHUNK_BYTES;
    }

    /** What is left of the block that {@code offset} lies in. */
    static int room(long offset) {
        return BLOCK_BYTES - (int) (offset % BLOCK_BYTES);
    }

    /** Writes what lies before the payload, whose bytes, as many as the piece counts, are in the checksum. */
    void encodeHeader(int salt, byte[] payload, int from, Output out) {
        int start = out.size();
        out.u32(0).u8(payloadBytes).u8(payloadBytes >>> 8).u8(flags).u8(0);
        out.u64(offset).u64(batch).u64(synced);
        CRC32C crc = new CRC32C();
        crc.update(out.array(), start + Integer.BYTES, HEADER_BYTES - Integer.BYTES);
        crc.update(payload, from, payloadBytes);
        out.setU32(start, salt ^ (int) crc.getValue());
    }

    /** The piece at {@code block[at]}, which lies at {@code offset}; empty when there is none that is whole. */
    static Optional<Piece> decode(int salt, long offset, byte[] block, int at, int end) throws CorruptionException {
        if (end - at < HEADER_BYTES) {
            return Optional.empty();
        }
        Input in = new Input("piece", offset, block, at, end);
        int crc = in.u32("crc");
        int payloadBytes = in.u8("length") | in.u8("length") << 8;
        int flags = in.u8("flags");
        int zero = in.u8("zero");
        Piece piece = new Piece(flags, in.u64("offset"), in.u64("batch"), in.u64("synced"), payloadBytes);
        // The offset first: who looks for a piece at every byte of a tail computes few checksums.
        if (piece.offset != offset || zero != 0 || payloadBytes > in.remaining()) {
            return Optional.empty();
        }
        int checked = at + Integer.BYTES;
        int actual = salt ^ Crc32c.of(block, checked, HEADER_BYTES - Integer.BYTES + payloadBytes);
        return actual == crc ? Optional.of(piece) : Optional.empty();
    }
}
