package bt.simulation;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Bigtable;
import bt.client.Scan;
import bt.client.Scanner;
import bt.client.Table;
import bt.master.Graces;
import bt.master.MasterConfig;
import bt.master.MergeConfig;
import bt.model.ColumnKey;
import bt.model.Row;
import bt.testing.Checkup;
import bt.testing.SimCluster;
import bt.testing.SimScheduler;
import bt.testing.history.Additions;
import bt.testing.history.Additions.Total;
import bt.testing.history.Anomaly;
import bt.testing.history.Linearizability;
import bt.testing.history.Operation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * One simulated life of a cluster, from a seed: two masters, three tablet servers, some clients, and all kinds of trouble.
 * In the end everything works again; then what the clients were told, what is there, and what the doctor finds must fit
 * together.
 */
final class Life {
    private static final int SERVERS = 3;
    private static final int MASTERS = 2;
    private static final long RESTART_MILLIS = 3_000;
    private static final Path TRACES = Path.of("target", "simulation");

    /** So that METADATA's tablets, which the storm splits, are merged while it rages. */
    private static final MergeConfig SOON = new MergeConfig(MergeConfig.DEFAULT.bytes(), 20_000);

    /**
     * What is garbage goes soon, so that what is wrongly taken for garbage is missed. As little is checked with a pass as in a cluster
     * of many tablets, so that masters go by what they know.
     */
    private static final MasterConfig MASTER = new MasterConfig(
                    6_000, 300, 4_000, 5_000, new Graces(60_000, 10_000, 30_000), SOON, 500, 0, 10_000)
            .checking(2);

    private final long seed;
    private final Script script;
    private final Sabotage sabotage;
    private final SimCluster cluster;
    private final SimScheduler scheduler;
    private final RandomGenerator random;
    private final Journal journal;
    private boolean over;

    /**
     * One that had nothing wrong with it.
     *
     * @param trace everything that happened as one number
     * @param counts how often what happened, of {@link Trouble}, {@link bt.testing.Mishap} and the steps of crashes
     */
    record Lived(long trace, Map<Enum<?>, Long> counts) {}

    private Life(long seed, Script script, Sabotage sabotage) {
        this.seed = seed;
        this.script = script;
        this.sabotage = sabotage;
        this.cluster = new SimCluster(seed, script.sizes());
        this.scheduler = cluster.scheduler();
        this.random = scheduler.random("life");
        this.journal = new Journal(scheduler);
    }

    /**
     * Lives it; an {@link AssertionError} says what was wrong.
     */
    static Lived live(long seed, Script script) {
        return live(seed, script, (cluster, bigtable) -> {});
    }

    /** Something that no cluster does by itself. */
    interface Sabotage {
        void of(SimCluster cluster, Bigtable bigtable) throws BigtableException;
    }

    /** The same, sabotaged when the trouble is over and before anybody looks. */
    static Lived live(long seed, Script script, Sabotage sabotage) {
        Life life = new Life(seed, script, sabotage);
        try {
            life.cluster.run(Duration.ofMinutes(40), life::run);
        } catch (AssertionError wrong) {
            throw life.told(wrong);
        }
        return new Lived(life.scheduler.trace(), life.scheduler.counts());
    }

    private void run() throws InterruptedException {
        cluster.mastersAre(MASTER);
        var keeper = scheduler.start("keeper", this::keepAlive);
        try (Bigtable bigtable = cluster.client()) {
            bigtable.admin().createTable(Layout.SCHEMA, script.splits());
            List<CompletableFuture<Void>> customers = Customer.startAll(cluster, journal, script.clients());
            Storm storm = new Storm(cluster, script.clients().number());
            storm.rage(script);
            storm.end();
            for (CompletableFuture<Void> customer : customers) {
                scheduler.await(customer, Duration.ofMinutes(10).toMillis());
            }
            awaitServed(bigtable);
            if (random.nextBoolean()) {
                // What is read now comes from files and logs.
                cluster.servers().forEach(cluster::kill);
            }
            sabotage.of(cluster, bigtable);
            judge(bigtable.table(Layout.TABLE));
            awaitServed(bigtable);
            over = true;
            keeper.join(2 * RESTART_MILLIS);
            Checkup.of(cluster.ports());
        } catch (BigtableException failed) {
            throw new AssertionError("the cluster did not recover: " + failed, failed);
        }
    }

    /** Who dies is started again after a while, as YARN would. */
    private void keepAlive() throws InterruptedException {
        while (!over) {
            if (cluster.masters().size() < MASTERS) {
                cluster.startMaster();
            }
            if (cluster.servers().size() < SERVERS) {
                cluster.startServer();
            }
            boolean complete =
                    cluster.masters().size() == MASTERS && cluster.servers().size() == SERVERS;
            scheduler.pause(
                    scheduler.elapsed().toSeconds() < 1 ? 10 : complete ? 500 : random.nextLong(RESTART_MILLIS));
        }
    }

    private void awaitServed(Bigtable bigtable) throws BigtableException, InterruptedException {
        int rounds = 0;
        while (bigtable.admin().clusterStatus().unassigned() > 0) {
            scheduler.pause(500);
            if (++rounds > 1_000) {
                throw new AssertionError(
                        "some tablets are not served: " + bigtable.admin().clusterStatus());
            }
        }
    }

    private void judge(Table table) throws BigtableException {
        long begun = journal.nowNanos();
        List<Row> rows = scan(table);
        Remains.order(rows.stream().map(row -> row.key().toUtf8()).toList()).forEach(journal::saw);
        Map<String, Row> there = new LinkedHashMap<>();
        rows.forEach(row -> there.put(row.key().toUtf8(), row));
        rows.forEach(journal::saw);
        Map<String, List<Operation>> operations = journal.history().rows();
        for (String account : Layout.ACCOUNTS) {
            Optional<Row> read = table.read(Bytes.utf8(account));
            journal.read(Operation.read(
                    "the end",
                    account,
                    read.flatMap(row -> row.value(Layout.LEFT)).map(Layout::tag),
                    begun,
                    journal.nowNanos()));
            List<Operation> done = operations.getOrDefault(account, List.of());
            Remains.account(account, done, read, Optional.ofNullable(there.get(account)))
                    .forEach(journal::saw);
        }
        for (String counter : Layout.COUNTERS) {
            Optional<Row> row = Optional.ofNullable(there.get(counter));
            added(counter, Layout.COUNT, row.map(Layout::sums).orElse(List.of()));
            added(counter, Layout.TAGS, row.map(Layout::lengths).orElse(List.of()));
        }
        Remains.nodes(there, journal.acknowledgedNodes()).forEach(journal::saw);
        for (List<Operation> row : journal.history().rows().values()) {
            Linearizability.check(row).ifPresent(journal::saw);
        }
        cluster.anomalies().forEach(journal::saw);
        if (!journal.anomalies().isEmpty()) {
            throw new AssertionError(report());
        }
    }

    private void added(String row, ColumnKey column, List<Total> totals) {
        String value = Layout.value(row, column);
        Additions.check(value, journal.additions(value), journal.seen(value), totals)
                .forEach(journal::saw);
    }

    private static List<Row> scan(Table table) throws BigtableException {
        List<Row> rows = new ArrayList<>();
        try (Scanner scanner = table.scan(Scan.all())) {
            for (Optional<Row> row = scanner.next(); row.isPresent(); row = scanner.next()) {
                rows.add(row.get());
            }
        }
        return rows;
    }

    /** What is wrong. */
    private String report() {
        String wrong =
                journal.anomalies().stream().limit(10).map(Anomaly::toString).collect(Collectors.joining("\n  "));
        return journal.anomalies().size() + " anomalies\n  " + wrong;
    }

    /** All that whoever looks for the cause needs; the most of it is in a file, whose name it says. */
    private AssertionError told(AssertionError wrong) {
        Story story = new Story(journal, cluster);
        Path all = TRACES.resolve("seed-" + seed + ".txt");
        story.write(all);
        String repeat = script.equals(Script.drawn(seed))
                ? "repeat it with: mvn -pl bt-core test -Psimulate -Dseed=" + seed
                : "seed " + seed + " with " + script;
        String message = "-Dseed=" + seed + ": " + wrong.getMessage() + repeat + "\nall that happened is in "
                + all.toAbsolutePath() + "\n" + story.ofWrong();
        return new AssertionError(message, wrong);
    }
}
