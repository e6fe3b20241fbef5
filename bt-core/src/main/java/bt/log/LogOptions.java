package bt.log;

import static bt.base.Check.checkArgument;

/**
 * How a log is written. The log goes over to the next segment before the batch that would make one larger than this, and
 * to the other writer when a sync takes longer than {@code syncMillis}; a batch that is in no segment for certain after
 * {@code settleMillis} ends the server.
 */
public record LogOptions(long segmentBytes, long syncMillis, long settleMillis) {
    private static final long SYNC_MILLIS = 2_000;

    /**
     * HDFS notices that a datanode of three has fallen silent, without closing a connection, after twenty seconds, and where
     * there are no other datanodes every segment waits for that.
     */
    private static final long SETTLE_MILLIS = 26_000;

    public static final LogOptions DEFAULT = new LogOptions(64 << 20);

    public LogOptions(long segmentBytes) {
        this(segmentBytes, SYNC_MILLIS, SETTLE_MILLIS);
    }

    public LogOptions {
        checkArgument(segmentBytes > 0, "segments of %d bytes", segmentBytes);
        checkArgument(
                syncMillis > 0 && settleMillis >= syncMillis,
                "a sync is late after %d ms, in doubt for ever after %d ms",
                syncMillis,
                settleMillis);
    }
}
