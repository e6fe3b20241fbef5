package bt.doctor;

import bt.base.Scheduler;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The leases by which servers that have lost their files may still answer reads. Who first sees that a file is gone does not
 * know since when. One thread.
 */
final class Leases {
    private final Scheduler scheduler;
    private final long leaseMillis;

    /** By the epoch of a server, since when it is known to have no file. */
    private final Map<Long, Long> sinceNanos = new HashMap<>();

    Leases(Scheduler scheduler, long leaseMillis) {
        this.scheduler = scheduler;
        this.leaseMillis = leaseMillis;
    }

    /** The server with this epoch has no file: if that was not known its lease is taken to begin. */
    void saw(long epoch) {
        sinceNanos.putIfAbsent(epoch, scheduler.clock().nanos());
    }

    /** Returns when a server that was seen without its file answers nobody any more: a whole lease after that. */
    void outwait(long epoch) throws InterruptedException {
        saw(epoch);
        long passedMillis = (scheduler.clock().nanos() - Objects.requireNonNull(sinceNanos.get(epoch))) / 1_000_000;
        if (passedMillis < leaseMillis) {
            scheduler.pause(leaseMillis - passedMillis);
        }
    }
}
