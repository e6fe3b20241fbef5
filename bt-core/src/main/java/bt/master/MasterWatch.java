package bt.master;

import bt.base.Halt;
import bt.base.StepWatch;

/**
 * Ends a master whose thread hangs: its session would live on, and with it its office, and nobody would assign a tablet or change a
 * schema any more. That thread waits for nothing longer than a minute, whatever file store, lock service and servers do, so one
 * that has not come back from a wait in three hangs, or computes what never ends. Run by a worker of its own.
 */
final class MasterWatch {
    private static final long LOOK_MILLIS = 10_000;
    private static final int LOOKS = 18;

    private final SteppedScheduler scheduler;
    private final StepWatch steps;
    private final Halt halt;

    MasterWatch(SteppedScheduler scheduler, Halt halt) {
        this.scheduler = scheduler;
        this.steps = new StepWatch(scheduler::steps, LOOKS);
        this.halt = halt;
    }

    void run() throws InterruptedException {
        do {
            scheduler.pause(LOOK_MILLIS);
        } while (!steps.hangs());
        halt.halt("the master's thread has not got on for " + LOOKS * LOOK_MILLIS / 1_000 + " s");
    }
}
