package bt.master;

import bt.base.Halt;
import bt.base.StepWatch;

/**
 * Ends a master of which a thread hangs. Where it is the master's own, standing by or in office, its session would live on, and with
 * it its office, and nobody would assign a tablet or change a schema any more; where it is that which collects garbage, nothing
 * would ever be deleted again. A wait of that thread through its scheduler is a step each quarter of a
 * minute ({@link SteppedScheduler}), and so is each answer of the lock service and of the file store. So one that has taken no step
 * for longer than anybody may take to answer hangs, or computes what never ends. Run by a worker of its own.
 */
final class MasterWatch {
    private static final long LOOK_MILLIS = 5_000;
    private static final long LEAST_MILLIS = 60_000;

    /** HDFS's client may look for a NameNode for a quarter of an hour; and garbage can wait. */
    private static final long FILES_MILLIS = 1_800_000;

    private final SteppedScheduler scheduler;
    private final String whose;
    private final StepWatch steps;
    private final Halt halt;
    private final long millis;

    private MasterWatch(SteppedScheduler scheduler, String whose, long millis, Halt halt) {
        this.scheduler = scheduler;
        this.whose = whose;
        this.millis = millis;
        this.steps = new StepWatch(scheduler::steps, (int) (millis / LOOK_MILLIS));
        this.halt = halt;
    }

    /** Of the master's own, which leaves the file store to others, where the lock service answers within {@code answerMillis}, or says that it does not. */
    static MasterWatch ofMaster(SteppedScheduler scheduler, long answerMillis, Halt halt) {
        return new MasterWatch(scheduler, "master's", Math.max(LEAST_MILLIS, 2 * answerMillis), halt);
    }

    /** Of that which collects garbage, and asks the file store itself. */
    static MasterWatch ofCollector(SteppedScheduler scheduler, Halt halt) {
        return new MasterWatch(scheduler, "garbage collector's", FILES_MILLIS, halt);
    }

    void run() throws InterruptedException {
        do {
            scheduler.pause(LOOK_MILLIS);
        } while (!steps.hangs());
        halt.halt("the " + whose + " thread has not got on for " + millis / 1_000 + " s");
    }
}
