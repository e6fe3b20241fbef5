package bt.log;

import static bt.base.Check.checkArgument;

import bt.base.Output;

/**
 * The records that go to the log together and are made durable by one sync, encoded as they are added. One thread at a
 * time: whoever fills it leaves it alone while the log has it.
 */
public final class LogBatch {
    /** What a batch may hold at most; a reader has to keep one in memory. */
    public static final int MAX_BYTES = 192 << 20;

    private static final int FIRST_BYTES = 64 << 10;

    /** A buffer that one large batch has stretched further is not kept for the small ones after it. */
    static final int MAX_KEPT_BYTES = 16 << 20;

    private Output payload = new Output(FIRST_BYTES);
    private SegmentFooter contents = SegmentFooter.EMPTY;

    public static LogBatch of(Iterable<LogRecord> records) {
        LogBatch batch = new LogBatch();
        records.forEach(batch::add);
        return batch;
    }

    public LogBatch add(LogRecord entry) {
        RecordCodec.encode(entry, payload);
        checkArgument(payload.size() <= MAX_BYTES, "a batch of %d bytes", payload.size());
        contents = contents.with(entry.stamp().firstSequence());
        return this;
    }

    /** Behind what is here already; the other one stays as it is. */
    LogBatch add(LogBatch other) {
        payload.raw(other.payload.array(), 0, other.payload.size());
        contents = contents.with(other.contents);
        return this;
    }

    public int bytes() {
        return payload.size();
    }

    public boolean isEmpty() {
        return contents.records() == 0;
    }

    public void clear() {
        contents = SegmentFooter.EMPTY;
        if (payload.array().length > MAX_KEPT_BYTES) {
            payload = new Output(FIRST_BYTES);
        } else {
            payload.clear();
        }
    }

    Output payload() {
        return payload;
    }

    SegmentFooter contents() {
        return contents;
    }
}
