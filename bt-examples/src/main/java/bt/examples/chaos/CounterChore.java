package bt.examples.chaos;

import bt.base.BigtableException;
import bt.base.Scheduler;
import java.util.SplittableRandom;

/** Adds to a counter and reads it, which another worker may do too. */
final class CounterChore implements Chore {
    private static final int PAUSE_MILLIS = 100;

    /**
     * So many that no amount is drawn twice, and no two of them are a third; with either sign, so that the total stays near zero: after a
     * million of additions it is still far from what 64 bits hold.
     */
    private static final long MOST = 1L << 48;

    private final String name;
    private final SharedCounter counter;
    private final boolean checks;
    private final SplittableRandom random;
    private final Scheduler scheduler;

    /** Of those who share a counter one checks it. */
    CounterChore(String name, SharedCounter counter, boolean checks, SplittableRandom random, Scheduler scheduler) {
        this.name = name;
        this.counter = counter;
        this.checks = checks;
        this.random = random;
        this.scheduler = scheduler;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean step() throws InterruptedException {
        boolean answered = random.nextInt(3) > 0 ? counter.add(amount(random)) : counter.read();
        scheduler.pause(random.nextInt(PAUSE_MILLIS));
        return answered;
    }

    /** Not zero. */
    static long amount(SplittableRandom random) {
        long amount = 1 + random.nextLong(MOST);
        return random.nextBoolean() ? amount : -amount;
    }

    @Override
    public void check() throws BigtableException {
        if (checks) {
            counter.check();
        }
    }
}
