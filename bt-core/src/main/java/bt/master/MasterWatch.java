package bt.master;

import bt.base.Halt;
import bt.base.StepWatch;

/**
 * Ends a master whose thread hangs, standing by or in office: its session would live on, and with it its office, and nobody would
 * assign a tablet or change a schema any more. A wait of that thread through its scheduler is a step each quarter of a
 * minute ({@link SteppedScheduler}), and so is each answer of the lock service; the file store it leaves to others. So one that has taken no step for a
 * minute, or for twice as long as the lock service may take to answer, hangs, or computes what never ends. Run by a worker of its own.
 */
final class MasterWatch {
    private static final long LOOK_MILLIS = 5_000;
    private static final int LEAST_LOOKS = 12;

    private final SteppedScheduler scheduler;
    private final StepWatch steps;
    private final Halt halt;
    private final int looks;

    /** Where the lock service answers within {@code answerMillis}, or says that it does not. */
    MasterWatch(SteppedScheduler scheduler, long answerMillis, Halt halt) {
        this.scheduler = scheduler;
        this.looks = (int) Math.max(LEAST_LOOKS, 2 * answerMillis / LOOK_MILLIS);
        this.steps = new StepWatch(scheduler::steps, looks);
        this.halt = halt;
    }

    void run() throws InterruptedException {
        do {
            scheduler.pause(LOOK_MILLIS);
        } while (!steps.hangs());
        halt.halt("the master's thread has not got on for " + looks * LOOK_MILLIS / 1_000 + " s");
    }
}
