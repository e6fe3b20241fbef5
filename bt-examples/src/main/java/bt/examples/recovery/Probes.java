package bt.examples.recovery;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Deadline;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.client.Bigtable;
import bt.client.Table;
import bt.client.TabletInfo;
import bt.connect.Connect;
import bt.metadata.MetadataSchema;
import java.util.ArrayList;
import java.util.List;

/** Probes of several tablets, through a client of their own. One thread. */
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

    /** Of a client that knows nothing yet. */
    static Probes connect(String at, Scheduler scheduler) throws BigtableException {
        return new Probes(Connect.to(at), scheduler);
    }

    /** Writes and reads the rows of a table. */
    Probes startAt(String table, List<String> rows) throws BigtableException {
        Table opened = bigtable.table(table);
        rows.forEach(row -> start("probe " + row, new RowChore(opened, row)));
        return this;
    }

    /** Looks up a row of every tablet of METADATA. */
    Probes startAtMetadata() throws BigtableException {
        Table metadata = bigtable.table(MetadataSchema.SCHEMA.name());
        for (TabletInfo tablet : metadata.tablets()) {
            Bytes row = tablet.range().start().successor();
            start("probe METADATA " + row, new LookUpChore(metadata, row));
        }
        return this;
    }

    private void start(String name, Chore chore) {
        Probe probe = new Probe(chore, scheduler);
        probes.add(probe);
        workers.add(scheduler.start(name, probe::run));
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
