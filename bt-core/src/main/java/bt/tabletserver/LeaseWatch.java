package bt.tabletserver;

import bt.base.Halt;
import bt.base.Scheduler;
import bt.base.StepWatch;

/**
 * Ends a server whose lease thread hangs: ZooKeeper's own thread would keep its session, and with it its lock, so that nobody
 * took its tablets, which it answers no more. That thread waits for nothing longer than for one answer of the lock service,
 * which comes or fails before a session is over. So the lock service being away, for however long, looks like no hang. The lock
 * is left to the session: who gives it back might come to wait for the very thread. Run by a worker of its own.
 */
final class LeaseWatch {
    private static final long LOOK_MILLIS = 5_000;

    private final Scheduler scheduler;
    private final Identity self;
    private final StepWatch steps;
    private final long millis;
    private final Halt halt;

    /** {@code millis} is for how long the lease thread may take no step. */
    LeaseWatch(Scheduler scheduler, Identity self, Lease lease, long millis, Halt halt) {
        this.scheduler = scheduler;
        this.self = self;
        this.steps = new StepWatch(lease::steps, (int) ((millis + LOOK_MILLIS - 1) / LOOK_MILLIS));
        this.millis = millis;
        this.halt = halt;
    }

    void run() throws InterruptedException {
        do {
            scheduler.pause(LOOK_MILLIS);
        } while (!steps.hangs());
        halt.halt(self.id() + ": the lease thread has not got on for " + millis / 1_000 + " s");
    }
}
