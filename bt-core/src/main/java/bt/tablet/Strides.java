package bt.tablet;

/** What one compaction has read since it last looked at its pace: it looks each quarter of a megabyte. One thread. */
final class Strides {
    private static final int STRIDE_BYTES = 256 << 10;

    private final Pace pace;
    private long unpacedBytes;

    Strides(Pace pace) {
        this.pace = pace;
    }

    /** So many bytes more are read, and perhaps written. */
    void take(long bytes) throws InterruptedException {
        unpacedBytes += bytes;
        if (unpacedBytes >= STRIDE_BYTES) {
            pace.spend(unpacedBytes);
            unpacedBytes = 0;
        }
    }
}
