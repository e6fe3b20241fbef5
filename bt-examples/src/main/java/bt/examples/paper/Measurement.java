package bt.examples.paper;

import bt.base.BigtableException.Outcome;
import bt.base.ThreadScheduler;
import bt.base.UnavailableException;
import bt.examples.cluster.Workplace;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.conf.Configuration;

/** Workloads at one cluster, one after the other; tables are filled when one first wants them, and dropped at the end. One thread. */
public final class Measurement implements AutoCloseable {
    private static final String WRITTEN = "paper_written";
    private static final String FILES = "paper_files";
    private static final String MEMORY = "paper_memory";
    private static final String CACHED = "paper_cached";

    private static final int TABLETS_OF_A_SERVER = 4;
    private static final int LOADERS = 2;
    private static final int PART_OF_WARM_UP = 10;
    private static final long MOST_OF_WARM_UP = 100_000;

    /** What is measured without bt takes as long, however few rows there are. */
    private static final double LEAST_BASELINE_SECONDS = 0.5;

    /** So a scan takes seconds as well. */
    private static final int PASSES_OF_SCANS = 5;

    /** Fewer than a block has rows. */
    private static final int STEP_OF_FILLING = 40;

    /** A server copies one block at a time, and none that is read meanwhile: the second finds few of these. */
    private static final int PASSES_OF_FILLING = 2;

    private final Site site;
    private final Load load;
    private final Workplace at;
    private final PrintStream progress;
    private final ThreadScheduler scheduler = new ThreadScheduler();
    private final Tables tables;
    private final ServerLooks looks;
    private final Rest rest;

    /** Of what was measured so far. */
    private final Map<Workload, Double> rowsPerBatch = new EnumMap<>(Workload.class);

    private final Set<String> filled = new HashSet<>();

    /** Client processes log to {@code directory}. REJECTED when the cluster has tables by these names, which may be somebody's. */
    public Measurement(Site site, Load load, Path directory, PrintStream progress) throws IOException {
        this.site = site;
        this.load = load;
        this.at = Workplace.make(directory);
        this.progress = progress;
        this.tables = new Tables(site.address(), load.durability(), TABLETS_OF_A_SERVER * load.servers());
        tables.checkAbsent(List.of(WRITTEN, FILES, MEMORY, CACHED));
        this.looks = new ServerLooks(site.address(), scheduler);
        this.rest = new Rest(site, looks, scheduler, progress);
    }

    /** Where this cluster can show it. */
    public Measured run(Workload workload) throws IOException, InterruptedException, NotMeasured {
        if (!site.read(workload.below()) && workload.isOfOneWay()) {
            throw new NotMeasured("this cluster is not the bench's own, which says how its servers read blocks");
        }
        try {
            return measure(workload, prepare(workload));
        } finally {
            tables.drop(WRITTEN);
        }
    }

    private Measured measure(Workload workload, String table) throws IOException, InterruptedException, NotMeasured {
        rest.before(workload.label());
        try (Clients clients = Clients.start(at, task(table, workload), load.processes())) {
            warmUp(workload, table, clients);
            Measured measured = measure(workload, table, clients);
            measured.rowsPerBatch().ifPresent(rows -> rowsPerBatch.put(workload, rows));
            return measured;
        }
    }

    /** Behind the workload that it follows. Not of HDFS where the cluster is others' too, nor of a log that nobody counted. */
    public Measured run(Baseline baseline) throws Exception {
        rest.before(baseline.label());
        progress.println(baseline.label());
        double seconds = Math.max(LEAST_BASELINE_SECONDS, load.warmUpSeconds());
        if (baseline == Baseline.ECHO) {
            try (EchoTrial trial = EchoTrial.start(at.directory().resolve("echo"))) {
                return trial.blocking(baseline.label(), load.clients(), 1, seconds);
            }
        }
        Configuration hdfs = site.hdfs()
                .orElseThrow(() -> new NotMeasured("this cluster is not the bench's own, and HDFS is others' too"));
        try (HdfsTrial trial = HdfsTrial.at(hdfs, site.datanodes(), load)) {
            if (!baseline.isOfLogs()) {
                return trial.read(baseline, seconds / 2);
            }
            double batch = Optional.ofNullable(rowsPerBatch.get(baseline.follows()))
                    .orElseThrow(() -> new NotMeasured(
                            "no log had a batch in " + baseline.follows().label()));
            return trial.append(baseline, (int) Math.max(1, Math.round(batch)), seconds / 2);
        }
    }

    private ClientProcess.Task task(String table, Workload workload) {
        return new ClientProcess.Task(site.address(), table, workload, load.callers(), load.rowsOf(workload));
    }

    private String prepare(Workload workload) throws IOException, InterruptedException {
        long rows = load.rowsOf(workload);
        return switch (workload.ground()) {
            case EMPTY -> {
                tables.create(WRITTEN, rows, false);
                yield WRITTEN;
            }
            case FILES, LOCAL_CACHE -> fill(FILES, rows, false);
            case MEMORY -> fill(MEMORY, rows, true);
            case BLOCK_CACHE -> fill(CACHED, rows, false);
        };
    }

    private String fill(String table, long rows, boolean inMemory) throws IOException, InterruptedException {
        if (filled.add(table)) {
            tables.create(table, rows, inMemory);
            ClientProcess.Task task =
                    new ClientProcess.Task(site.address(), table, Workload.SEQUENTIAL_WRITE_BATCHED, LOADERS, rows);
            try (Clients loaders = Clients.start(at, task, 1)) {
                loaders.run(
                        new Ranges(0, rows, LOADERS, 1), Pace.FULL, new Progress(progress, "filling " + table, rows));
            }
            tables.compact(table);
        }
        return table;
    }

    private void warmUp(Workload workload, String table, Clients clients) throws IOException, InterruptedException {
        long rows = load.rowsOf(workload);
        if (workload.isOfLocalCache() || workload.isOfBlockCache()) {
            long looks = rows / STEP_OF_FILLING;
            Progress filling = new Progress(progress, workload.label() + ", filling the cache", looks);
            for (int pass = 0; pass < PASSES_OF_FILLING; pass++) {
                clients.run(new Ranges(0, rows, load.clients(), 1), Pace.ofStep(STEP_OF_FILLING), filling);
                filling.again();
            }
        }
        long some = Math.max(1, Math.min(rows / PART_OF_WARM_UP, MOST_OF_WARM_UP));
        // Random ones are others than those that are measured.
        long first = workload.keys() == Workload.Keys.RANDOM ? operations(workload) : 0;
        long began = System.nanoTime();
        Progress warmingUp = new Progress(progress, workload.label() + ", warming up", some);
        do {
            clients.run(new Ranges(first, some, load.clients(), 1), Pace.FULL, warmingUp);
            warmingUp.again();
            first += workload.keys() == Workload.Keys.RANDOM ? some : 0;
        } while (System.nanoTime() - began < load.warmUpSeconds() * 1e9);
        if (load.warmUpSeconds() > 0) {
            // What so much work left to be compacted is not what is measured.
            if (table.equals(WRITTEN)) {
                tables.compact(table);
            }
            rest.before(workload.label());
        }
    }

    private long operations(Workload workload) {
        return workload.action() == Workload.Action.SCAN ? PASSES_OF_SCANS * load.rows() : load.rows();
    }

    private Measured measure(Workload workload, String table, Clients clients)
            throws IOException, InterruptedException, NotMeasured {
        long operations = operations(workload);
        long rows = load.rowsOf(workload);
        Ranges ranges = workload.keys() == Workload.Keys.RANDOM
                ? new Ranges(0, operations, load.clients(), 1)
                : new Ranges(0, rows, load.clients(), (int) (operations / rows));
        List<Long> servers = site.servers();
        ServerLook before = looks.now();
        ProcessUse.Since ofServers = ProcessUse.since(servers);
        List<Long> datanodes = site.datanodes();
        ProcessUse.Since ofDatanodes = ProcessUse.since(datanodes);
        ProcessUse.Since ofClients = ProcessUse.since(clients.pids());
        long began = System.nanoTime();
        Histogram latencies = clients.run(ranges, load.pace(), new Progress(progress, workload.label(), operations));
        double seconds = (System.nanoTime() - began) / 1e9;
        ProcessUse.Until serversUntil = ofServers.now();
        ProcessUse.Until datanodesUntil = ofDatanodes.now();
        ProcessUse used = ofClients.until(ofClients.now());
        ServerLook after = looks.now();
        if (!site.servers().equals(servers) || !after.isOfServersOf(before)) {
            throw new UnavailableException(workload.label() + ": a tablet server has died", Outcome.UNKNOWN);
        }
        Window window = after.since(before);
        Proof proof = new Proof(workload, after, window, after.fileBytes(tables.id(table)));
        proof.check(clients.operations());
        return new Measured(
                workload.label(),
                Measured.BT,
                load.clients(),
                clients.operations(),
                seconds,
                latencies,
                used,
                servers.isEmpty() ? Optional.empty() : Optional.of(ofServers.until(serversUntil)),
                datanodes.isEmpty() ? Optional.empty() : Optional.of(ofDatanodes.until(datanodesUntil)),
                workload.writes() ? window.rowsPerBatch() : OptionalDouble.empty(),
                Optional.of(window),
                proof.partInLocalCache());
    }

    @Override
    public void close() throws IOException {
        for (String table : filled) {
            tables.drop(table);
        }
        tables.close();
        looks.close();
        scheduler.close();
    }
}
