package bt.examples.chaos;

import bt.base.BigtableException;
import bt.base.Scheduler;
import java.util.SplittableRandom;

/** Moves amounts between the accounts of a row, which another worker may do too. */
final class TransferChore implements Chore {
    private static final int MOST = 100;
    private static final int PAUSE_MILLIS = 100;

    private final String name;
    private final Accounts accounts;
    private final boolean checks;
    private final SplittableRandom random;
    private final Scheduler scheduler;
    private long tried;

    /** Of those who share accounts one checks them. */
    TransferChore(String name, Accounts accounts, boolean checks, SplittableRandom random, Scheduler scheduler) {
        this.name = name;
        this.accounts = accounts;
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
        int from = random.nextInt(Accounts.COUNT);
        int to = random.nextInt(Accounts.COUNT);
        tried++;
        boolean answered = accounts.transfer(new Accounts.Order(name + "-" + tried, from, to, random.nextInt(MOST)));
        scheduler.pause(random.nextInt(PAUSE_MILLIS));
        return answered;
    }

    @Override
    public void check() throws BigtableException {
        if (checks) {
            accounts.check();
        }
    }
}
