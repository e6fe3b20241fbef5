package bt.log;

import bt.base.BigtableException;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;
import bt.fs.FileReader;
import bt.log.SegmentBegin.Claim;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Reads one segment from its beginning to its end, and tells a torn end from damage: an end is torn only if nothing that
 * is whole follows it and the next segment does not know better. One thread, once.
 */
final class SegmentReader {
    private final FileReader file;
    private final LogStream stream;
    private final long segment;
    private final Optional<Claim> claim;
    private final int salt;
    private final byte[] block = new byte[Piece.BLOCK_BYTES];

    private long blockStart = -1;
    private int blockBytes;
    private @Nullable Output batch;
    private long batchStart;
    private SegmentFooter seen = SegmentFooter.EMPTY;
    private boolean mayBegin;
    private boolean closed;

    SegmentReader(FileReader file, LogStream stream, long segment, Optional<Claim> claim) {
        this.file = file;
        this.stream = stream;
        this.segment = segment;
        this.claim = claim;
        this.salt = stream.salt(segment);
    }

    SegmentSummary read(LogConsumer consumer) throws BigtableException {
        load(0);
        Optional<SegmentHeader> header = SegmentHeader.decode(stream, segment, block, blockBytes);
        if (header.isEmpty()) {
            return unfinished(0);
        }
        mayBegin = header.get().hasBegin();
        long end = SegmentHeader.bytes(stream);
        while (true) {
            long offset = batch == null ? header.get().nextBatch(end) : end;
            // Of versions before 3, where a batch may begin in the middle of a chunk.
            offset += !closed && Piece.room(offset) <= Piece.HEADER_BYTES ? Piece.room(offset) : 0;
            if (!isPadding(end, Math.min(offset, file.length()))) {
                return closed ? finished(end) : unfinished(end);
            }
            if (closed || offset >= file.length()) {
                return closed ? finished(offset) : unfinished(Math.min(offset, file.length()));
            }
            load(offset);
            Optional<Piece> piece = pieceAt(offset);
            if (piece.isEmpty()) {
                return unfinished(offset);
            }
            take(piece.get(), consumer);
            end = piece.get().end();
        }
    }

    private void take(Piece piece, LogConsumer consumer) throws BigtableException {
        if (piece.flags() > Piece.ALL_FLAGS) {
            throw corrupt(piece.offset(), "flags " + piece.flags() + " are not known");
        }
        Output open = batch;
        if (piece.isBegin() != mayBegin || (piece.isBegin() && !piece.isWholeBatch())) {
            throw corrupt(piece.offset(), "the beginning of the segment is not its first batch, and that alone");
        }
        mayBegin = false;
        if (piece.isFirst()) {
            if (open != null) {
                throw corrupt(batchStart, "the batch has no end, but another begins at " + piece.offset());
            }
            open = new Output(piece.payloadBytes());
            batch = open;
            batchStart = piece.offset();
        }
        if (open == null || piece.batch() != batchStart) {
            throw corrupt(piece.offset(), "part of a batch at " + piece.batch() + " that does not reach to it");
        }
        if (piece.synced() > batchStart) {
            throw corrupt(piece.offset(), piece.synced() + " bytes synced before the batch at " + batchStart);
        }
        if (open.size() + piece.payloadBytes() > LogBatch.MAX_BYTES) {
            throw corrupt(batchStart, "a batch larger than " + LogBatch.MAX_BYTES + " bytes");
        }
        open.raw(block, (int) (piece.offset() - blockStart) + Piece.HEADER_BYTES, piece.payloadBytes());
        if (piece.isLast()) {
            batch = null;
            // Offsets in complaints about the payload count from the batch, as if it were not cut into blocks.
            Input in = new Input(stream.path(segment) + ", batch", batchStart, open.array(), 0, open.size());
            if (piece.isBegin()) {
                SegmentBegin.decode(in);
            } else if (piece.isFooter()) {
                check(SegmentFooter.decode(in));
            } else {
                deliver(in, open.array(), consumer);
            }
        }
    }

    private void deliver(Input in, byte[] payload, LogConsumer consumer) throws BigtableException {
        while (in.remaining() > 0) {
            LogRecord entry = RecordCodec.decode(in, payload);
            seen = seen.with(entry.stamp().firstSequence());
            consumer.accept(entry);
        }
    }

    private void check(SegmentFooter footer) throws CorruptionException {
        if (!footer.equals(seen)) {
            throw corrupt(batchStart, "the footer says " + footer + ", found " + seen);
        }
        closed = true;
    }

    /** The segment should end here; zeros that its last chunk is filled with may be missing where nobody claims them. */
    private SegmentSummary finished(long end) throws CorruptionException {
        long length = file.length();
        if (length > end) {
            throw corrupt(end, length - end + " bytes after the footer");
        }
        if (claim.isPresent()
                && (claim.get().closed()
                        ? claim.get().length() != length
                        : claim.get().length() > length)) {
            throw corrupt(
                    length, "ends here, but by a later segment " + claim.get().fact());
        }
        return new SegmentSummary(segment, seen.records(), true, OptionalLong.empty());
    }

    /** No footer, and from {@code offset} on nothing to be read: a writer that died, or damage? */
    private SegmentSummary unfinished(long offset) throws BigtableException {
        long torn = batch == null ? offset : batchStart;
        if (claim.isPresent() && (claim.get().closed() || claim.get().length() > torn)) {
            throw corrupt(torn, "damaged: by a later segment " + claim.get().fact());
        }
        Optional<Piece> later = findPiece(offset);
        if (later.isPresent()) {
            Piece proof = later.get();
            throw corrupt(
                    offset,
                    "damaged: a whole piece follows at " + proof.offset() + ", written when " + proof.synced()
                            + " bytes were synced");
        }
        return new SegmentSummary(
                segment, seen.records(), false, torn < file.length() ? OptionalLong.of(torn) : OptionalLong.empty());
    }

    /** Looks at every byte: the length of what is damaged is not to be believed. */
    private Optional<Piece> findPiece(long from) throws BigtableException {
        for (long offset = from; offset < file.length(); offset++) {
            load(offset);
            Optional<Piece> piece = pieceAt(offset);
            if (piece.isPresent()) {
                return piece;
            }
        }
        return Optional.empty();
    }

    private Optional<Piece> pieceAt(long offset) throws CorruptionException {
        return Piece.decode(salt, offset, block, (int) (offset - blockStart), blockBytes);
    }

    /** Of the block that is loaded. */
    private boolean isPadding(long from, long to) {
        for (int at = (int) (from - blockStart); at < to - blockStart; at++) {
            if (block[at] != 0) {
                return false;
            }
        }
        return true;
    }

    /** Brings the block that {@code offset} lies in. */
    private void load(long offset) throws BigtableException {
        long start = offset - offset % Piece.BLOCK_BYTES;
        if (start != blockStart) {
            blockBytes = (int) Math.min(Piece.BLOCK_BYTES, file.length() - start);
            file.readFully(start, block, 0, blockBytes);
            blockStart = start;
        }
    }

    private CorruptionException corrupt(long offset, String fact) {
        return new CorruptionException(stream.path(segment) + " at " + offset + ": " + fact);
    }
}
