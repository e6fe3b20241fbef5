package bt.log;

import static bt.base.Check.checkArgument;

import bt.base.BigtableException;
import bt.base.Output;
import bt.fs.FileStore;
import bt.fs.FileStore.Placement;
import bt.fs.FileWriter;
import java.util.List;

/**
 * The only writer of a stream. One owner thread. After a failure nobody knows what of the last batch is in the log, so
 * only {@link #abandon} may follow.
 */
public final class LogWriter implements AutoCloseable {
    /** What a batch may hold at most; a reader has to keep one in memory. */
    public static final int MAX_BATCH_BYTES = 192 << 20;

    private final FileStore files;
    private final LogStream stream;
    private final LogOptions options;
    private final Output framed = new Output(Piece.BLOCK_BYTES);

    private long segment;
    private FileWriter file;
    private int salt;
    private long synced;
    private SegmentFooter footer = SegmentFooter.EMPTY;

    private LogWriter(FileStore files, LogStream stream, LogOptions options) throws BigtableException {
        this.files = files;
        this.stream = stream;
        this.options = options;
        this.segment = 1;
        this.salt = stream.salt(segment);
        this.file = files.create(stream.path(segment), Placement.LOG);
        writeHeader(0);
    }

    /**
     * Begins a stream in a directory that exists and has none of this name. A directory that was renamed away stays
     * away: that is how a server that was declared dead is kept from logging on.
     */
    public static LogWriter open(FileStore files, LogStream stream, LogOptions options) throws BigtableException {
        return new LogWriter(files, stream, options);
    }

    /** Appends a batch; nothing is promised until {@link #flush} or {@link #sync}. */
    public void append(List<LogRecord> records) throws BigtableException {
        checkArgument(!records.isEmpty(), "a batch of no records");
        Output batch = new Output(1 << 12);
        for (LogRecord entry : records) {
            RecordCodec.encode(entry, batch);
        }
        checkArgument(batch.size() <= MAX_BATCH_BYTES, "a batch of %d bytes", batch.size());
        if (footer.records() > 0 && file.position() + batch.size() > options.segmentBytes()) {
            roll();
        }
        writeBatch(batch, 0);
        for (LogRecord entry : records) {
            footer = footer.with(entry.stamp().firstSequence());
        }
    }

    /** What was appended survives the death of this process. */
    public void flush() throws BigtableException {
        file.flush();
    }

    /** What was appended survives a power cut. */
    public void sync() throws BigtableException {
        file.sync();
        synced = file.position();
    }

    /** Whether something was appended that is not synced. */
    public boolean isDirty() {
        return synced < file.position();
    }

    /** Ends the stream with a footer. */
    @Override
    public void close() throws BigtableException {
        writeFooter();
        file.close();
    }

    /** Leaves the open segment as it is; whoever recovers the stream fences it. Never fails. */
    public void abandon() {
        file.abandon();
    }

    private void roll() throws BigtableException {
        // The old segment is whole and on disk before the next one claims its length: should we die in between, its
        // footer alone tells that nothing is missing. In the other order a torn end would look like damage.
        writeFooter();
        long length = file.position();
        file.close();
        segment++;
        salt = stream.salt(segment);
        synced = 0;
        footer = SegmentFooter.EMPTY;
        file = files.create(stream.path(segment), Placement.LOG);
        writeHeader(length);
    }

    private void writeHeader(long previousLength) throws BigtableException {
        framed.clear();
        new SegmentHeader(previousLength).encode(stream, segment, framed);
        appendFramed();
    }

    private void writeFooter() throws BigtableException {
        Output batch = new Output();
        footer.encode(batch);
        writeBatch(batch, Piece.FOOTER);
        sync();
    }

    /** Cuts the batch at the borders of blocks. */
    private void writeBatch(Output batch, int flags) throws BigtableException {
        long known = synced;
        long first = -1;
        int from = 0;
        do {
            int room = Piece.room(file.position());
            framed.clear();
            if (room <= Piece.HEADER_BYTES) {
                framed.raw(new byte[room]);
                room = Piece.BLOCK_BYTES;
            }
            long offset = file.position() + framed.size();
            int length = Math.min(room - Piece.HEADER_BYTES, batch.size() - from);
            boolean last = from + length == batch.size();
            int place = (first < 0 ? Piece.FIRST : 0) | (last ? Piece.LAST : 0);
            first = first < 0 ? offset : first;
            new Piece(flags | place, offset, first, known, length).encode(salt, batch.array(), from, framed);
            appendFramed();
            from += length;
        } while (from < batch.size());
    }

    private void appendFramed() throws BigtableException {
        file.append(framed.array(), 0, framed.size());
    }
}
