package bt.examples.chaos;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.CorruptionException;
import bt.base.Deadline;
import bt.base.ThreadScheduler;
import bt.base.UnavailableException;
import bt.client.Bigtable;
import bt.connect.Connect;
import bt.coord.LockService;
import bt.doctor.Diagnosis;
import bt.doctor.Doctor;
import bt.doctor.DoctorConfig;
import bt.doctor.DoctorConfig.Depth;
import bt.doctor.Finding;
import bt.examples.cluster.Layout;
import bt.examples.cluster.ProcessCluster;
import bt.fs.hadoop.HadoopFileStore;
import bt.rpc.RpcNetwork;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;

/** One run: a cluster of processes, clients that check what they are told, a plan of faults; then everything is checked. One thread. */
final class Campaign implements AutoCloseable {
    /** Small, so that in minutes there is much to recover, split, compact and delete. */
    private static final Map<String, String> SETTINGS = Map.ofEntries(
            Map.entry("zookeeper.session.millis", "4000"),
            Map.entry("lease.millis", "4000"),
            Map.entry("garbage.seconds", "2"),
            Map.entry("tabletserver.flush.bytes", Integer.toString(1 << 20)),
            Map.entry("tabletserver.memtables.bytes", Integer.toString(48 << 20)),
            Map.entry("tabletserver.split.bytes", Integer.toString(4 << 20)),
            Map.entry("tabletserver.blockcache.bytes", Integer.toString(4 << 20)),
            Map.entry("tabletserver.scancache.bytes", Integer.toString(2 << 20)),
            Map.entry("tabletserver.inmemory.bytes", Integer.toString(2 << 20)),
            Map.entry("master.merge.bytes", Integer.toString(1 << 20)),
            Map.entry("master.merge.after.millis", "5000"),
            Map.entry("log.segment.bytes", Integer.toString(2 << 20)));

    private static final int SERVER_MEGABYTES = 384;
    private static final long WHOLE_MILLIS = 180_000;
    private static final long LOOK_MILLIS = 500;
    private static final long ARCHIVE_MILLIS = 60_000;
    private static final long QUIET_MILLIS = 2_000;

    private final ProcessCluster cluster;
    private final ThreadScheduler scheduler = new ThreadScheduler();
    private final RpcNetwork direct;
    private final ProxiedNetwork network;
    private final LockService locks;
    private final Bigtable bigtable;
    private final Journal journal;

    private Progress reached = Progress.STARTED;
    private List<String> broken = List.of();

    private Campaign(ProcessCluster cluster, PrintStream journal) throws BigtableException {
        this.cluster = cluster;
        this.journal = new Journal(scheduler.clock(), journal);
        this.direct = RpcNetwork.open("chaos", scheduler.clock(), 1);
        this.network = new ProxiedNetwork(direct, scheduler);
        this.locks = Connect.lockService(cluster.address());
        this.bigtable = Bigtable.over(network, locks, scheduler);
    }

    /** Starts a cluster in a new directory; the journal is printed as it is written. */
    static Campaign start(Path directory, PrintStream journal) throws IOException, InterruptedException {
        Layout layout = new Layout(SETTINGS, SERVER_MEGABYTES, true, true, Layout.SHORT_LIVED);
        ProcessCluster cluster = ProcessCluster.start(directory, layout);
        return new Campaign(cluster, journal);
    }

    /** Once. A cluster that does not begin to answer, or does not become whole again, has a report too, of what is known, which says so. */
    ChaosReport run(long seed, double minutes, Plan plan) throws InterruptedException {
        Tally tally = new Tally();
        Availability availability = new Availability();
        Performance performance = new Performance(new ClusterStage(cluster, network, tally, journal));
        try {
            Load load = startLoad(seed, availability, tally);
            try {
                perform(plan, performance, load);
            } finally {
                load.abandon();
            }
            check(load, tally);
        } catch (IOException stuck) {
            tally.anomaly(reached.missing() + ": " + stuck.getMessage());
            journal.say("given up: " + stuck.getMessage());
        }
        return new ChaosReport(
                seed,
                minutes,
                reached,
                cluster.hdfs().hasOwnDisks() ? "tmpfs" : "quota",
                ChaosReport.Told.of(tally),
                performance.felt(),
                performance.givenUp(),
                availability.longestMillis(performance.onsets()),
                tally.complaints(),
                broken,
                journal.entries());
    }

    private Load startLoad(long seed, Availability availability, Tally tally) throws BigtableException {
        Load.create(cluster.bigtable());
        Archive.create(cluster.bigtable());
        return Load.start(new Load.Means(bigtable, scheduler, seed), availability, tally);
    }

    private void perform(Plan plan, Performance performance, Load load) throws IOException, InterruptedException {
        load.awaitAnswers();
        reached = Progress.ANSWERED;
        performance.run(plan);
        awaitWhole(performance);
        load.awaitAnswers();
        scheduler.pause(QUIET_MILLIS);
        load.stop();
        reached = Progress.WHOLE;
        journal.say("all is whole, the clients have stopped");
    }

    private void check(Load load, Tally tally) throws BigtableException, InterruptedException {
        load.check();
        checkArchive(tally);
        reached = Progress.COMPARED;
        broken = findings(examine(), tally);
        reached = Progress.EXAMINED;
        journal.say("checked");
    }

    /** A process may end by itself some time after what was done to it. */
    private void awaitWhole(Performance performance) throws IOException, InterruptedException {
        Deadline deadline = Deadline.after(scheduler.clock(), WHOLE_MILLIS);
        while (true) {
            try {
                cluster.hdfs().awaitWhole();
                performance.replaceEnded();
                cluster.awaitWhole();
                return;
            } catch (UnavailableException notYet) {
                if (deadline.isOver()) {
                    throw new UnavailableException(
                                    "the cluster does not recover: " + notYet.getMessage(), Outcome.NOT_APPLIED)
                            .causedBy(notYet);
                }
                scheduler.pause(LOOK_MILLIS);
            }
        }
    }

    /** HDFS may go on for a while to avoid replicas that were damaged. */
    private void checkArchive(Tally tally) throws BigtableException, InterruptedException {
        Deadline deadline = Deadline.after(scheduler.clock(), ARCHIVE_MILLIS);
        while (true) {
            try {
                Archive.read(cluster.bigtable()).ifPresent(tally::anomaly);
                return;
            } catch (CorruptionException stillDamaged) {
                if (deadline.isOver()) {
                    tally.anomaly("the archive cannot be read, though its bytes are what they were: "
                            + stillDamaged.getMessage());
                    return;
                }
                scheduler.pause(LOOK_MILLIS);
            }
        }
    }

    private Diagnosis examine() throws BigtableException, InterruptedException {
        try (HadoopFileStore files = HadoopFileStore.open(cluster.root(), Map.of(), scheduler)) {
            Doctor.Ports ports = new Doctor.Ports(files, locks, direct, scheduler, new SecureRandom());
            return new Doctor(DoctorConfig.DEFAULT.at(Depth.READ), ports).examine();
        }
    }

    /** In words. What was not looked at may be broken too: each omission is an anomaly. */
    static List<String> findings(Diagnosis diagnosis, Tally tally) {
        diagnosis.omissions().forEach(omission -> tally.anomaly("the doctor left something out: " + omission));
        return diagnosis.findings().stream().map(Finding::toString).toList();
    }

    /** Ends all processes. */
    @Override
    public void close() {
        bigtable.close();
        network.close();
        direct.close();
        locks.close();
        cluster.close();
        scheduler.close();
    }

    /** Deletes what they wrote, and their logs. After {@link #close}. */
    void delete() throws IOException {
        cluster.delete();
    }
}
