package bt.log;

import static bt.base.Check.checkArgument;

/** How a log is written. A segment is closed before the batch that would make it larger than this. */
public record LogOptions(long segmentBytes) {
    public static final LogOptions DEFAULT = new LogOptions(64 << 20);

    public LogOptions {
        checkArgument(segmentBytes > 0, "segments of %d bytes", segmentBytes);
    }
}
