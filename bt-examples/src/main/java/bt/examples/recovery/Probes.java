package bt.examples.recovery;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Deadline;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.client.Bigtable;
import bt.client.Table;
import bt.connect.Connect;
import java.util.ArrayList;
import java.util.List;

/** A probe for each row, through a client of their own. One thread. */
final class Probes implements AutoCloseable {
    /** An operation is given up after a minute. */
    private static final long END_MILLIS = 150_000;

    private static final long ANSWER_MILLIS = 120_000;
    private static final long LOOK_MILLIS = 10;

    private final Bigtable bigtable;
    private final Scheduler scheduler;
    private final List<Probe> probes = new ArrayList<>();
    private final List<Scheduler.Worker> workers = new ArrayList<>();

    private Probes(Bigtable bigtable, Scheduler scheduler) {
        this.bigtable = bigtable;
        this.scheduler = scheduler;
    }

    static Probes start(String at, String table, List<String> rows, Scheduler scheduler) throws BigtableException {
        Probes probes = new Probes(Connect.to(at), scheduler);
        Table opened = probes.bigtable.table(table);
        for (String row : rows) {
            Probe probe = new Probe(opened, row, scheduler);
            probes.probes.add(probe);
            probes.workers.add(scheduler.start("probe " + row, probe::run));
        }
        return probes;
    }

    /** From now on refusals count. */
    void begin() {
        probes.forEach(Probe::begin);
    }

    /** Returns when every probe has had an answer to something that it asked from now on. */
    void awaitAnswers() throws InterruptedException, UnavailableException {
        long now = scheduler.clock().nanos();
        Deadline deadline = Deadline.after(scheduler.clock(), ANSWER_MILLIS);
        while (probes.stream().anyMatch(probe -> probe.lastBegunNanos() < now)) {
            if (deadline.isOver()) {
                throw new UnavailableException(
                        "some tablet has not answered for " + ANSWER_MILLIS + " ms", Outcome.UNKNOWN);
            }
            scheduler.pause(LOOK_MILLIS);
        }
    }

    /** The operations of each, since {@link #begin}. */
    List<List<Interval>> operations() {
        return probes.stream().map(Probe::operations).toList();
    }

    /** Ends them; how many acknowledged writes were not read back. */
    long stopAndCount() throws InterruptedException, BigtableException {
        probes.forEach(Probe::stop);
        for (Scheduler.Worker worker : workers) {
            if (!worker.join(END_MILLIS)) {
                throw new UnavailableException("a probe does not end", Outcome.UNKNOWN);
            }
        }
        long lost = 0;
        for (Probe probe : probes) {
            lost += probe.lostWrites();
        }
        return lost;
    }

    @Override
    public void close() {
        probes.forEach(Probe::stop);
        workers.forEach(Scheduler.Worker::interrupt);
        bigtable.close();
    }
}
