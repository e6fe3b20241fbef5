package bt.log;

import static bt.base.Check.checkArgument;

/**
 * How a log is written. The log goes over to the next segment before the batch that would make one larger than this, and
 * to the other writer when a sync takes longer than {@code syncMillis}, or a fourth of it for a batch that is late
 * already; a batch that is in no segment for certain after {@code settleMillis} ends the server. But where the file system
 * answers that it takes no segment now, or has but one datanode for it, no other server could write either: then that is
 * waited out, for {@code standstillMillis} at most, and nothing is acknowledged meanwhile.
 */
public record LogOptions(long segmentBytes, long syncMillis, long settleMillis, long standstillMillis) {
    private static final long SYNC_MILLIS = 2_000;

    /**
     * HDFS notices that a datanode has fallen silent, without closing a connection, after twenty seconds, and where too few
     * others answer every segment waits for that.
     */
    private static final long SETTLE_MILLIS = 26_000;

    private static final long OUTAGE_MILLIS = 120_000;

    /** Long enough to make room on full disks, without restarting every server after it. */
    private static final long STANDSTILL_MILLIS = 600_000;

    public static final LogOptions DEFAULT = new LogOptions(64 << 20);

    public LogOptions(long segmentBytes) {
        this(segmentBytes, SYNC_MILLIS, SETTLE_MILLIS);
    }

    public LogOptions(long segmentBytes, long syncMillis, long settleMillis) {
        this(segmentBytes, syncMillis, settleMillis, Math.max(settleMillis, STANDSTILL_MILLIS));
    }

    /** As long a file system that does not answer is waited for: others may reach it, and a NameNode needs time to start. */
    long outageMillis() {
        return Math.max(settleMillis, Math.min(OUTAGE_MILLIS, standstillMillis));
    }

    public LogOptions {
        checkArgument(segmentBytes > 0, "segments of %d bytes", segmentBytes);
        checkArgument(
                syncMillis > 0 && settleMillis >= syncMillis,
                "a sync is late after %d ms, in doubt for ever after %d ms",
                syncMillis,
                settleMillis);
        checkArgument(standstillMillis >= settleMillis, "a standstill of %d ms ends the server", standstillMillis);
    }
}
