package bt.examples.chaos;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Deadline;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.client.Bigtable;
import bt.client.Table;
import bt.model.GcRule;
import bt.model.TableSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The clients: workers that do their chores until all stop, then are checked. One thread. */
final class Load {
    static final String REGISTERS = "registers";
    static final String BANK = "bank";
    static final String COUNTERS = "counters";
    static final String CHAINS = "chains";

    private static final int REGISTER_TABLETS = 8;
    private static final int REGISTERS_A_TABLET = 2;
    private static final int WORKERS_A_TABLET = 2;
    private static final int BANK_ROWS = 2;
    private static final int WORKERS_A_ROW = 2;
    private static final int COUNTER_ROWS = 2;
    private static final int WORKERS_A_COUNTER = 2;

    /** An operation is given up after a minute. */
    private static final long END_MILLIS = 150_000;

    private static final long ANSWER_MILLIS = 180_000;
    private static final long LOOK_MILLIS = 50;

    private final Scheduler scheduler;
    private final Tally tally;
    private final List<Runner> runners = new ArrayList<>();
    private final List<Scheduler.Worker> workers = new ArrayList<>();
    private volatile boolean stopped;

    private Load(Scheduler scheduler, Tally tally) {
        this.scheduler = scheduler;
        this.tally = tally;
    }

    /** What the clients work through; the seed draws what they do. */
    record Means(Bigtable bigtable, Scheduler scheduler, long seed) {}

    /** Creates the tables, through a client that nothing stands in the way of. */
    static void create(Bigtable bigtable) throws BigtableException {
        create(bigtable, REGISTERS, IntStream.range(1, REGISTER_TABLETS).mapToObj(Load::prefix));
        create(bigtable, BANK, IntStream.range(1, BANK_ROWS).mapToObj(Load::prefix));
        create(bigtable, COUNTERS, IntStream.range(1, COUNTER_ROWS).mapToObj(Load::prefix));
        create(bigtable, CHAINS, Stream.of("4", "8", "c"));
    }

    static Load start(Means means, Availability availability, Tally tally) throws BigtableException {
        Load load = new Load(means.scheduler(), tally);
        SplittableRandom seeds = new SplittableRandom(means.seed());
        load.addRegisters(means, availability, seeds);
        load.addTransfers(means, seeds);
        load.addCounters(means, seeds);
        Table chains = means.bigtable().table(CHAINS);
        for (int i = 1; i <= ChainChore.WRITERS; i++) {
            load.runners.add(load.new Runner(new ChainChore(i, chains, seeds.split(), means.scheduler(), tally)));
        }
        for (Runner runner : load.runners) {
            load.workers.add(means.scheduler().start(runner.chore.name(), runner::run));
        }
        return load;
    }

    private void addRegisters(Means means, Availability availability, SplittableRandom seeds) throws BigtableException {
        Table table = means.bigtable().table(REGISTERS);
        AtomicLong values = new AtomicLong();
        for (int tablet = 0; tablet < REGISTER_TABLETS; tablet++) {
            List<Register> registers = new ArrayList<>();
            for (int i = 0; i < REGISTERS_A_TABLET; i++) {
                registers.add(new Register(table, prefix(tablet) + "-" + i, scheduler.clock(), availability, tally));
            }
            for (int i = 0; i < WORKERS_A_TABLET; i++) {
                String name = "registers " + tablet + " by " + i;
                runners.add(new Runner(
                        new RegisterChore(name, registers, i == 0, values, seeds.split(), means.scheduler())));
            }
        }
    }

    private void addTransfers(Means means, SplittableRandom seeds) throws BigtableException {
        Table table = means.bigtable().table(BANK);
        for (int row = 0; row < BANK_ROWS; row++) {
            Accounts accounts = new Accounts(table, prefix(row), scheduler.clock(), tally);
            for (int i = 0; i < WORKERS_A_ROW; i++) {
                String name = "transfers " + row + " by " + i;
                runners.add(new Runner(new TransferChore(name, accounts, i == 0, seeds.split(), means.scheduler())));
            }
        }
    }

    private void addCounters(Means means, SplittableRandom seeds) throws BigtableException {
        Table table = means.bigtable().table(COUNTERS);
        for (int row = 0; row < COUNTER_ROWS; row++) {
            SharedCounter counter = new SharedCounter(table, prefix(row), scheduler.clock(), tally);
            for (int i = 0; i < WORKERS_A_COUNTER; i++) {
                String name = "counter " + row + " by " + i;
                runners.add(new Runner(new CounterChore(name, counter, i == 0, seeds.split(), means.scheduler())));
            }
        }
    }

    /** Returns when every worker was answered something that it began from now on: what ended UNAVAILABLE is no answer. */
    void awaitAnswers() throws InterruptedException, UnavailableException {
        List<Long> begun = runners.stream().map(runner -> runner.answers.get()).toList();
        Deadline deadline = Deadline.after(scheduler.clock(), ANSWER_MILLIS);
        for (int i = 0; i < runners.size(); i++) {
            // The step that is under way began before.
            while (runners.get(i).answers.get() < begun.get(i) + 2) {
                if (deadline.isOver()) {
                    throw new UnavailableException(
                            runners.get(i).chore.name() + " has no answer after " + ANSWER_MILLIS + " ms",
                            Outcome.UNKNOWN);
                }
                scheduler.pause(LOOK_MILLIS);
            }
        }
    }

    /** Has the workers end when they can. */
    void abandon() {
        stopped = true;
    }

    /** Ends the workers. */
    void stop() throws InterruptedException, UnavailableException {
        abandon();
        for (Scheduler.Worker worker : workers) {
            if (!worker.join(END_MILLIS)) {
                throw new UnavailableException("a client does not end", Outcome.UNKNOWN);
            }
        }
    }

    /** After {@link #stop}, while everything answers. */
    void check() throws BigtableException, InterruptedException {
        for (Runner runner : runners) {
            runner.chore.check();
        }
    }

    private static void create(Bigtable bigtable, String name, Stream<String> ends) throws BigtableException {
        TableSchema draft =
                TableSchema.draft(name).family(Register.FAMILY, GcRule.KEEP_ALL).build();
        bigtable.admin().createTable(draft, ends.map(Bytes::utf8).toList());
    }

    /** What the rows of a tablet begin with; rows of the next one come behind it. */
    static String prefix(int tablet) {
        return "t" + tablet;
    }

    static int registerTablets() {
        return REGISTER_TABLETS;
    }

    /** A worker with its chore. */
    private final class Runner {
        private final Chore chore;
        private final AtomicLong answers = new AtomicLong();

        Runner(Chore chore) {
            this.chore = chore;
        }

        void run() throws InterruptedException {
            while (!stopped) {
                try {
                    if (chore.step()) {
                        answers.incrementAndGet();
                    }
                } catch (RuntimeException bug) {
                    tally.anomaly(chore.name() + " failed with " + bug);
                    scheduler.pause(LOOK_MILLIS);
                }
            }
        }
    }
}
