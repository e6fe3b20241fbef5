package bt.sstable;

import java.util.concurrent.atomic.AtomicLong;

/** How much of the heap the files of in-memory locality groups have, and may have. Any thread. */
public final class InMemoryShare {
    private final long maxBytes;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong releases = new AtomicLong();
    private final AtomicLong loads = new AtomicLong();
    private final AtomicLong refusals = new AtomicLong();

    private InMemoryShare(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    public static InMemoryShare ofBytes(long maxBytes) {
        return new InMemoryShare(maxBytes);
    }

    public long maxBytes() {
        return maxBytes;
    }

    public long bytes() {
        return bytes.get();
    }

    /** How many files were loaded. */
    public long loads() {
        return loads.get();
    }

    /** How often a file found no room, and is read as if its group were not in memory. */
    public long refusals() {
        return refusals.get();
    }

    boolean hasRoomFor(long more) {
        return more <= maxBytes - bytes.get();
    }

    boolean take(long more) {
        if (bytes.addAndGet(more) > maxBytes) {
            bytes.addAndGet(-more);
            return false;
        }
        return true;
    }

    void release(long taken) {
        bytes.addAndGet(-taken);
        releases.incrementAndGet();
    }

    void loaded() {
        loads.incrementAndGet();
    }

    void refuse() {
        refusals.incrementAndGet();
    }

    /** Rises when there may be room that was not there before. */
    long releases() {
        return releases.get();
    }
}
