package bt.examples.recovery;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Deadline;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.client.Table;
import bt.examples.cluster.Layout;
import bt.examples.cluster.ProcessCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Lets things happen to a cluster of processes, one at a time and each as often as asked, and sees what its clients see. One
 * thread.
 */
public final class Trials implements AutoCloseable {
    /** So much fits into the memory of one server without a compaction. */
    private static final Map<String, String> SETTINGS = Map.of(
            "tabletserver.flush.bytes",
            Long.toString(160 << 20),
            "tabletserver.memtables.bytes",
            Long.toString(640L << 20),
            "undelete.seconds",
            "0",
            "garbage.seconds",
            "1");

    private static final int SERVER_MEGABYTES = 1_536;
    private static final double UNCOMPACTED = 0.9;
    private static final long QUIET_MILLIS = 1_000;
    private static final long DROP_MILLIS = 60_000;
    private static final long LOOK_MILLIS = 50;

    private static final Map<String, Supplier<Event>> EVENTS = Map.ofEntries(
            entry("kill-server", KillServer::ofUsers),
            entry("kill-server-unreported", KillServer::unreported),
            entry("hang-server", HangServer::ofUsers),
            entry("hang-root-server", HangServer::ofRoot),
            entry("hang-commits", HangCommits::new),
            entry("hang-master", HangMaster::new),
            entry("kill-root-server", KillServer::ofRoot),
            entry("kill-master", KillMaster::new),
            entry("pause-master", PauseMaster::new),
            entry("drain", Drain::new),
            entry("split", Split::new),
            entry("move-metadata", MoveMetadata::new),
            entry("kill-datanode", KillDatanode::new),
            entry("hang-datanode", HangDatanode::new),
            entry("namenode-restart", NamenodeRestart::new),
            entry("zookeeper-outage", ZooKeeperOutage::new));

    private final ProcessCluster cluster;
    private final long fillingBytes;
    private int runs;

    private Trials(ProcessCluster cluster, long fillingBytes) {
        this.cluster = cluster;
        this.fillingBytes = fillingBytes;
    }

    private static Map.Entry<String, Supplier<Event>> entry(String name, Supplier<Event> event) {
        return Map.entry(name, event);
    }

    /** The names of what may happen. */
    public static List<String> names() {
        return List.of(
                "kill-server",
                "kill-server-unreported",
                "hang-server",
                "hang-root-server",
                "hang-commits",
                "kill-root-server",
                "kill-master",
                "pause-master",
                "hang-master",
                "drain",
                "split",
                "move-metadata",
                "kill-datanode",
                "hang-datanode",
                "namenode-restart",
                "zookeeper-outage");
    }

    /**
     * Starts a cluster in a new directory.
     *
     * @param fillingBytes how much of the log of a server that is killed no compaction has made needless
     * @param ground more options of the JVMs of HDFS and ZooKeeper
     */
    public static Trials start(Path directory, long fillingBytes, List<String> ground)
            throws IOException, InterruptedException {
        Layout layout = new Layout(SETTINGS, SERVER_MEGABYTES, false, false, ground);
        return new Trials(ProcessCluster.start(directory, layout), fillingBytes);
    }

    /**
     * What the clients of one run saw.
     *
     * @param refusedMillis the longest time in which some tablet refused, or that of one tablet
     * @param operationMillis how long it took until what was asked for had been done
     * @param lostWrites writes that were acknowledged and are not there
     */
    public record Seen(long refusedMillis, long operationMillis, long lostWrites) {}

    /** One run, after which the cluster is whole again. REJECTED for a name that there is not. */
    public Seen run(String name) throws IOException, InterruptedException {
        Supplier<Event> maker = EVENTS.get(name);
        if (maker == null) {
            throw new RejectedException("there is no trial " + name, "name one of " + String.join(", ", names()));
        }
        runs++;
        TrialTable table = TrialTable.create(cluster.bigtable(), cluster.scheduler(), "trial-" + runs);
        try {
            table.spread(cluster.addresses());
            return run(maker.get(), new Scene(cluster, table, fillingBytes));
        } finally {
            table.drop();
            awaitDropped();
        }
    }

    private Seen run(Event event, Scene scene) throws IOException, InterruptedException {
        Table table = cluster.bigtable().table(scene.table().name());
        Filling filling = event.prepare(scene);
        filling.write(table);
        checkUncompacted(scene.table(), filling);
        List<String> rows =
                TrialTable.prefixes().stream().map(TrialTable::probed).toList();
        long lost;
        long refused;
        long took;
        try (Probes writers = Probes.connect(cluster.address(), cluster.scheduler());
                Probes lookUps = Probes.connect(cluster.address(), cluster.scheduler())) {
            writers.startAt(scene.table().name(), rows);
            Probes watched = event.isOfMetadata() ? lookUps.startAtMetadata() : writers;
            awaitAnswers(writers, lookUps);
            cluster.scheduler().pause(QUIET_MILLIS);
            watched.begin();
            long began = cluster.scheduler().clock().nanos();
            event.strike(scene);
            took = new Interval(began, cluster.scheduler().clock().nanos()).millis();
            awaitAnswers(writers, lookUps);
            cluster.awaitWhole();
            cluster.scheduler().pause(QUIET_MILLIS);
            awaitAnswers(writers, lookUps);
            refused = event.isOfOneTablet()
                    ? Refusals.ofOne(watched.operations())
                    : Refusals.ofSome(watched.operations());
            lost = writers.stopAndCount();
        }
        lost += filling.lostWrites(table);
        event.restore(scene);
        return new Seen(refused, took, lost);
    }

    private static void awaitAnswers(Probes writers, Probes lookUps) throws InterruptedException, UnavailableException {
        writers.awaitAnswers();
        lookUps.awaitAnswers();
    }

    private static void checkUncompacted(TrialTable table, Filling filling) throws BigtableException {
        long inMemory = table.bytesInMemory();
        if (inMemory < filling.bytes() * UNCOMPACTED) {
            throw new UnavailableException(
                    "of " + filling.bytes() + " bytes that were written only " + inMemory + " are in memory alone",
                    Outcome.UNKNOWN);
        }
    }

    /** Until no server has a tablet of a user any more. */
    private void awaitDropped() throws InterruptedException, BigtableException {
        Deadline deadline = Deadline.after(cluster.scheduler().clock(), DROP_MILLIS);
        while (cluster.userTablets() > 0) {
            if (deadline.isOver()) {
                throw new UnavailableException(
                        "a dropped table is still served after " + DROP_MILLIS + " ms", Outcome.UNKNOWN);
            }
            cluster.scheduler().pause(LOOK_MILLIS);
        }
    }

    /** Ends all processes. */
    @Override
    public void close() {
        cluster.close();
    }

    /** Deletes what they wrote, and their logs. After {@link #close}. */
    public void delete() throws IOException {
        cluster.delete();
    }
}
