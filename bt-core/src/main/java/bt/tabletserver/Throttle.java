package bt.tabletserver;

import static bt.base.Check.checkArgument;

import bt.base.Scheduler;
import bt.tablet.Pace;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.locks.ReentrantLock;

/** So many bytes a second for all who share it, first come, first served. Any thread. */
final class Throttle implements Pace {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final long NANOS_PER_MILLI = 1_000_000L;

    private final Scheduler scheduler;
    private final long bytesPerSecond;
    private final ReentrantLock lock = new ReentrantLock();

    /** By when all that was allowed so far is spent at that rate. */
    @GuardedBy("lock") private long spentNanos;

    Throttle(Scheduler scheduler, long bytesPerSecond) {
        checkArgument(bytesPerSecond > 0, "%d bytes a second", bytesPerSecond);
        this.scheduler = scheduler;
        this.bytesPerSecond = bytesPerSecond;
        this.spentNanos = scheduler.clock().nanos();
    }

    @Override
    public void spend(long bytes) throws InterruptedException {
        spend(bytes, bytesPerSecond);
    }

    /** The same at a rate of the moment. */
    void spend(long bytes, long bytesPerSecondNow) throws InterruptedException {
        long millis = reserve(bytes, bytesPerSecondNow) / NANOS_PER_MILLI;
        if (millis > 0) {
            scheduler.pause(millis);
        }
    }

    /** Nanoseconds to wait. */
    private long reserve(long bytes, long rate) {
        lock.lock();
        try {
            long now = scheduler.clock().nanos();
            // What was not spent while nobody wanted it is not saved up.
            long from = spentNanos - now > 0 ? spentNanos : now;
            spentNanos = from + (long) ((double) bytes / rate * NANOS_PER_SECOND);
            return spentNanos - now;
        } finally {
            lock.unlock();
        }
    }
}
