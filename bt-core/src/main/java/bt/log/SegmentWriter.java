package bt.log;

import bt.base.BigtableException;
import bt.base.Output;
import bt.fs.FileStore;
import bt.fs.FileStore.Placement;
import bt.fs.FileWriter;

/**
 * Writes one segment, from its header to its footer. One thread at a time. After a failure nobody knows what of the last
 * batch is in it, so only {@link #abandon} may follow.
 */
final class SegmentWriter implements AutoCloseable {
    private static final byte[] ZEROS = new byte[FileWriter.CHUNK_BYTES];

    private final long number;
    private final FileWriter file;
    private final int salt;
    private final Output head = new Output(Piece.BLOCK_BYTES);
    private long synced;
    private SegmentFooter footer = SegmentFooter.EMPTY;

    private SegmentWriter(long number, FileWriter file, int salt) {
        this.number = number;
        this.file = file;
        this.salt = salt;
    }

    /**
     * Makes a segment in a directory that exists. A directory that was renamed away stays away: that is how a server that
     * was declared dead is kept from logging on. Flushed, so that its way to the datanodes is open.
     */
    static SegmentWriter create(FileStore files, LogStream stream, long number) throws BigtableException {
        FileWriter file = files.create(stream.path(number), Placement.LOG);
        SegmentWriter segment = new SegmentWriter(number, file, stream.salt(number));
        try {
            new SegmentHeader(SegmentHeader.VERSION, SegmentHeader.AHEAD).encode(stream, number, segment.head);
            segment.appendHead();
            segment.fillChunk();
            file.flush();
            return segment;
        } catch (BigtableException | RuntimeException failed) {
            segment.abandon();
            throw failed;
        }
    }

    long number() {
        return number;
    }

    String path() {
        return file.path();
    }

    /** How many bytes it has, and how many of them are known to be on disk. */
    long position() {
        return file.position();
    }

    long synced() {
        return synced;
    }

    /** See {@link FileWriter#isThin}. */
    boolean isThin() {
        return file.isThin();
    }

    /** Before the first batch. */
    void begin(SegmentBegin begin) throws BigtableException {
        Output batch = new Output();
        begin.encode(batch);
        write(batch, Piece.BEGIN);
    }

    /** Nothing is promised until {@link #flush} or {@link #sync}. */
    void append(LogBatch batch) throws BigtableException {
        write(batch.payload(), 0);
        footer = footer.with(batch.contents());
    }

    /** What was appended survives the death of this process. */
    void flush() throws BigtableException {
        file.flush();
    }

    /** What was appended survives a power cut. */
    void sync() throws BigtableException {
        file.sync();
        synced = file.position();
    }

    /** After it the segment is whole and on disk. */
    void finish() throws BigtableException {
        Output batch = new Output();
        footer.encode(batch);
        write(batch, Piece.FOOTER);
        sync();
    }

    @Override
    public void close() throws BigtableException {
        file.close();
    }

    /** Leaves it as it is; whoever recovers the stream fences it. Never fails. */
    void abandon() {
        file.abandon();
    }

    /** Cuts the batch at the borders of blocks. The payload goes to the file as it lies, without a copy. */
    private void write(Output batch, int flags) throws BigtableException {
        long known = synced;
        long first = -1;
        int from = 0;
        do {
            long offset = file.position();
            int length = Math.min(Piece.room(offset) - Piece.HEADER_BYTES, batch.size() - from);
            boolean last = from + length == batch.size();
            int place = (first < 0 ? Piece.FIRST : 0) | (last ? Piece.LAST : 0);
            first = first < 0 ? offset : first;
            head.clear();
            new Piece(flags | place, offset, first, known, length).encodeHeader(salt, batch.array(), from, head);
            appendHead();
            file.append(batch.array(), from, length);
            from += length;
        } while (from < batch.size());
        fillChunk();
    }

    /**
     * What comes next shares no chunk with what is promised by then. A chunk has one checksum, which is written anew with
     * every append to it: torn by a power cut or a full disk, the chunk is lost on every datanode, and what had long been
     * synced in it as well.
     */
    private void fillChunk() throws BigtableException {
        int missing = (int) (Piece.nextChunk(file.position()) - file.position());
        if (missing > 0) {
            file.append(ZEROS, 0, missing);
        }
    }

    private void appendHead() throws BigtableException {
        file.append(head.array(), 0, head.size());
    }
}
