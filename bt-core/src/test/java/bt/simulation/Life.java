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
import bt.model.Cell;
import bt.model.Row;
import bt.testing.Checkup;
import bt.testing.SimCluster;
import bt.testing.SimScheduler;
import bt.testing.history.Anomaly;
import bt.testing.history.Chain;
import bt.testing.history.Linearizability;
import bt.testing.history.Operation;
import bt.testing.history.Versions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
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

    /** What is garbage goes soon, so that what is wrongly taken for garbage is missed. */
    private static final MasterConfig MASTER =
            new MasterConfig(6_000, 300, 4_000, 5_000, new Graces(60_000, 10_000, 30_000), MergeConfig.DEFAULT, 500, 0);

    private final Script script;
    private final SimCluster cluster;
    private final SimScheduler scheduler;
    private final RandomGenerator random;
    private final Journal journal;
    private boolean over;

    private Life(long seed, Script script) {
        this.script = script;
        this.cluster = new SimCluster(seed, script.flushBytes());
        this.scheduler = cluster.scheduler();
        this.random = scheduler.random("life");
        this.journal = new Journal(scheduler);
    }

    /**
     * Lives it; an {@link AssertionError} says what was wrong.
     *
     * @return everything that happened as one number
     */
    static long live(long seed, Script script) {
        Life life = new Life(seed, script);
        try {
            life.cluster.run(Duration.ofMinutes(40), life::run);
        } catch (AssertionError wrong) {
            throw new AssertionError("-Dseed=" + seed + ": " + wrong.getMessage(), wrong);
        }
        return life.scheduler.trace();
    }

    private void run() throws InterruptedException {
        cluster.mastersAre(MASTER);
        var keeper = scheduler.start("keeper", this::keepAlive);
        try (Bigtable bigtable = cluster.client()) {
            bigtable.admin().createTable(Layout.SCHEMA, Layout.SPLITS);
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
        while (bigtable.admin().clusterStatus().getUnassigned() > 0) {
            scheduler.pause(500);
            if (++rounds > 1_000) {
                throw new AssertionError(
                        "some tablets are not served: " + bigtable.admin().clusterStatus());
            }
        }
    }

    private void judge(Table table) throws BigtableException {
        Map<String, Row> there = new LinkedHashMap<>();
        long begun = journal.nowNanos();
        String last = "";
        try (Scanner scanner = table.scan(Scan.all())) {
            for (Optional<Row> row = scanner.next(); row.isPresent(); row = scanner.next()) {
                String key = row.get().key().toUtf8();
                if (key.compareTo(last) <= 0) {
                    journal.saw(new Anomaly("scan", key, "comes after " + last));
                }
                last = key;
                there.put(key, row.get());
            }
        }
        Map<String, List<Operation>> operations = journal.history().rows();
        for (String account : Layout.ACCOUNTS) {
            Optional<Row> read = table.read(Bytes.utf8(account));
            read.flatMap(Layout::torn).ifPresent(journal::saw);
            Optional<Row> scanned = Optional.ofNullable(there.get(account));
            if (!read.map(Row::cells).equals(scanned.map(Row::cells))) {
                journal.saw(new Anomaly("scan", account, "a scan sees " + scanned + ", a read " + read));
            }
            journal.read(Operation.read(
                    "the end",
                    account,
                    read.flatMap(row -> row.value(Layout.LEFT)).map(Layout::tag),
                    begun,
                    journal.nowNanos()));
            versions(account, operations.getOrDefault(account, List.of()), read);
        }
        chain(there);
        for (List<Operation> row : journal.history().rows().values()) {
            Linearizability.check(row).ifPresent(journal::saw);
        }
        if (!journal.anomalies().isEmpty()) {
            throw new AssertionError(report());
        }
    }

    private void versions(String account, List<Operation> operations, Optional<Row> row) {
        List<String> left = row.map(found -> Layout.tags(found, Layout.LEFT)).orElse(List.of());
        List<String> right = row.map(found -> Layout.tags(found, Layout.RIGHT)).orElse(List.of());
        Versions.check(account, operations, left).forEach(journal::saw);
        if (!right.equals(left.subList(0, Math.min(Layout.VERSIONS, left.size())))) {
            journal.saw(new Anomaly(
                    "version limit",
                    account,
                    "the newest " + Layout.VERSIONS + " of " + left + " are to be kept, there are " + right));
        }
    }

    private void chain(Map<String, Row> there) {
        Map<String, String> links = new TreeMap<>();
        there.forEach((key, row) -> {
            if (key.contains(Layout.NODE)) {
                links.put(key, row.value(Layout.LINK).map(Bytes::toUtf8).orElse(""));
                long versions = row.cells().stream()
                        .map(Cell::column)
                        .filter(Layout.LINK::equals)
                        .count();
                if (versions != 1) {
                    journal.saw(new Anomaly("applied twice", key, row.cells().toString()));
                }
            }
        });
        Chain.check(links).forEach(journal::saw);
        journal.acknowledgedNodes().stream()
                .filter(node -> !links.containsKey(node))
                .forEach(node -> journal.saw(new Anomaly("lost", node, "was acknowledged and is not there")));
    }

    /** What is wrong, and for a row or two all that happened to it. */
    private String report() {
        String wrong =
                journal.anomalies().stream().limit(10).map(Anomaly::toString).collect(Collectors.joining("\n  "));
        List<String> rows = journal.anomalies().stream()
                .map(Anomaly::row)
                .filter(journal.history().rows()::containsKey)
                .distinct()
                .limit(2)
                .map(journal.history()::of)
                .toList();
        List<String> lines = new ArrayList<>(rows);
        return journal.anomalies().size() + " anomalies\n  " + wrong + "\n  " + String.join("\n  ", lines);
    }
}
