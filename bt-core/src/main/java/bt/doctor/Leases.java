package bt.doctor;

import bt.base.Scheduler;
import java.util.HashSet;
import java.util.Set;

/**
 * The leases by which servers that have lost their files may still answer reads. Who first sees that a file is gone does not
 * know since when. One thread.
 */
final class Leases {
    private final Scheduler scheduler;
    private final long leaseMillis;

    /** Epochs of servers. */
    private final Set<Long> over = new HashSet<>();

    Leases(Scheduler scheduler, long leaseMillis) {
        this.scheduler = scheduler;
        this.leaseMillis = leaseMillis;
    }

    /** Returns when the server with this epoch, which has no file, answers nobody any more: after a whole lease at first. */
    void outwait(long epoch) throws InterruptedException {
        if (!over.contains(epoch)) {
            scheduler.pause(leaseMillis);
            over.add(epoch);
        }
    }
}
