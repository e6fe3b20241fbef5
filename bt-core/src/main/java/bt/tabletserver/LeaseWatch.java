package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.Halt;
import bt.base.Scheduler;
import bt.base.Scheduler.Worker;
import bt.base.StepWatch;
import bt.coord.LockService;
import bt.coord.Paths;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a server whose lease thread hangs: ZooKeeper's own thread would keep its session, and with it its lock, so that nobody
 * took its tablets, which it answers no more. That thread waits for nothing longer than for one answer of the lock service,
 * which comes or fails before a session is over. So the lock service being away, for however long, looks like no hang. The lock
 * is taken away by another session, on another thread: who gave it back as its holder might come to wait for the very thread, and
 * nobody need wait for the session either. Run by a worker of its own.
 */
final class LeaseWatch {
    private static final Logger log = LoggerFactory.getLogger(LeaseWatch.class);
    private static final long LOOK_MILLIS = 1_000;

    /** Then the lock goes with its session. */
    private static final long RELEASE_MILLIS = 2_000;

    private final Scheduler scheduler;
    private final LockService locks;
    private final Identity self;
    private final Lease lease;
    private final StepWatch steps;
    private final long millis;
    private final Halt halt;

    /** {@code locks} is not the lease thread's; {@code millis} is for how long that may take no step. */
    LeaseWatch(Scheduler scheduler, LockService locks, Identity self, Lease lease, long millis, Halt halt) {
        this.scheduler = scheduler;
        this.locks = locks;
        this.self = self;
        this.lease = lease;
        this.steps = new StepWatch(lease::steps, (int) ((millis + LOOK_MILLIS - 1) / LOOK_MILLIS));
        this.millis = millis;
        this.halt = halt;
    }

    void run() throws InterruptedException {
        do {
            scheduler.pause(LOOK_MILLIS);
        } while (!steps.hangs());
        lease.release();
        Worker taking = scheduler.start("lock-release", this::takeLock);
        if (!taking.join(RELEASE_MILLIS)) {
            log.warn("{}: its lock is left to its session", self.id());
        }
        halt.halt(self.id() + ": the lease thread has not got on for " + millis / 1_000 + " s");
    }

    private void takeLock() {
        try {
            locks.delete(Paths.serverLock(self.id()));
        } catch (BigtableException left) {
            log.warn("{}: its lock is left to its session: {}", self.id(), left.getMessage());
        }
    }
}
