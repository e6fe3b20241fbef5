package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.Mailbox;
import bt.base.Scheduler;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.metadata.ClusterAccess;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the cluster's list of rights at what the lock service has: it looks when it is told of a change, and now and then.
 * Its worker looks; any thread asks what it saw.
 */
final class AccessWatch {
    private static final Logger log = LoggerFactory.getLogger(AccessWatch.class);
    private static final long IDLE_MILLIS = 60_000;
    private static final long RETRY_MILLIS = 1_000;

    private final Scheduler scheduler;
    private final LockService locks;
    private final Mailbox<Boolean> changes;
    private final AtomicLong steps = new AtomicLong();
    private volatile ClusterAccess seen = ClusterAccess.UNKNOWN;

    AccessWatch(Scheduler scheduler, LockService locks) {
        this.scheduler = scheduler;
        this.locks = locks;
        this.changes = scheduler.mailbox(1);
    }

    /** What was seen last: nobody may do anything before the first look. */
    ClusterAccess seen() {
        return seen;
    }

    /** Grows by what the worker does, once in {@value #IDLE_MILLIS} ms at least. Any thread. */
    long steps() {
        return steps.get();
    }

    /** The worker. */
    void run() throws InterruptedException {
        while (true) {
            try {
                follow();
            } catch (BigtableException failed) {
                steps.incrementAndGet();
                log.warn("the cluster's rights: {}; looked at again", failed.getMessage());
                scheduler.pause(RETRY_MILLIS);
            }
        }
    }

    private void follow() throws BigtableException, InterruptedException {
        LockService.Watch watch = locks.watch(Paths.ACCESS, this::changed);
        try {
            while (true) {
                look();
                steps.incrementAndGet();
                Boolean unused = changes.poll(IDLE_MILLIS);
            }
        } finally {
            watch.close();
        }
    }

    private void look() throws BigtableException {
        ClusterAccess now = ClusterAccess.read(locks);
        if (now.version() != seen.version()) {
            log.info("the cluster's rights have version {}", now.version());
        }
        seen = now;
    }

    private void changed() {
        // One that waits already is as good.
        boolean unused = changes.offer(true);
    }
}
