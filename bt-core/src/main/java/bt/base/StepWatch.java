package bt.base;

import java.util.function.LongSupplier;

/**
 * Whether something hangs whose steps are counted, and which never waits for longer than a part of the time between two
 * looks: it does when it has taken none in any of some looks in a row. By looks and not by a clock: where a process was
 * stopped with all of its threads, whoever looks first afterwards knows nothing of the others yet. One thread.
 */
public final class StepWatch {
    private final LongSupplier steps;
    private final int patience;
    private long seen = Long.MIN_VALUE;
    private int without;

    /** {@code patience} is how many looks without a step are too many. */
    public StepWatch(LongSupplier steps, int patience) {
        this.steps = steps;
        this.patience = patience;
    }

    /** Looks once more. */
    public boolean hangs() {
        long now = steps.getAsLong();
        without = now == seen ? without + 1 : 0;
        seen = now;
        return without >= patience;
    }
}
