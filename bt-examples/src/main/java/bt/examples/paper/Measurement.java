package bt.examples.paper;

import bt.base.BigtableException.Outcome;
import bt.base.ThreadScheduler;
import bt.base.UnavailableException;
import bt.examples.cluster.Workplace;
import bt.model.TableSchema.Durability;
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

    /** As in the paper: 1 GB a server, and 100 MB for what has to be in memory. */
    private static final int PART_IN_MEMORY = 10;

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

    private static final long REST_MILLIS = 2_000;
    private static final int MOST_RESTS = 60;
    private static final double CPU_OF_REST = 0.15;

    private final Site site;
    private final Load load;
    private final Workplace at;
    private final PrintStream progress;
    private final ThreadScheduler scheduler = new ThreadScheduler();
    private final Tables tables;
    private final LogBatches logs;

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
        tables.checkAbsent(List.of(WRITTEN, FILES, MEMORY));
        this.logs = new LogBatches(site.address(), scheduler);
    }

    /**
     * Rows of 1,000 bytes and a little, blocking callers in each of some client processes, servers; how long a workload warms
     * up at least; how many operations of one row a second they do while it is measured, 0 for as many as they can.
     */
    public record Load(
            long rows,
            int callers,
            int processes,
            Durability durability,
            int servers,
            double warmUpSeconds,
            long rate) {
        public int clients() {
            return callers * processes;
        }

        Pace pace() {
            return rate == 0 ? Pace.FULL : Pace.ofRate((double) rate / clients());
        }

        long rowsOf(Workload workload) {
            return workload.ground() == Workload.Ground.MEMORY ? Math.max(1, rows / PART_IN_MEMORY) : rows;
        }
    }

    /** Empty for what this cluster cannot be asked for. */
    public Optional<Measured> run(Workload workload) throws IOException, InterruptedException {
        if (!site.read(workload.below()) && workload.isOfOneWay()) {
            return Optional.empty();
        }
        try {
            return Optional.of(measure(workload, prepare(workload)));
        } finally {
            tables.drop(WRITTEN);
        }
    }

    private Measured measure(Workload workload, String table) throws IOException, InterruptedException {
        rest(workload.label());
        try (Clients clients = Clients.start(at, task(table, workload), load.processes())) {
            warmUp(workload, table, clients);
            Measured measured = measure(workload, clients);
            measured.rowsPerBatch().ifPresent(rows -> rowsPerBatch.put(workload, rows));
            return measured;
        }
    }

    /** Behind the workload that it follows. Empty of HDFS where the cluster is others' too, and of a log that nobody counted. */
    public Optional<Measured> run(Baseline baseline) throws Exception {
        rest(baseline.label());
        progress.println(baseline.label());
        double seconds = Math.max(LEAST_BASELINE_SECONDS, load.warmUpSeconds());
        if (baseline == Baseline.ECHO) {
            try (EchoTrial trial = EchoTrial.start(at.directory().resolve("echo"))) {
                return Optional.of(trial.blocking(baseline.label(), load.clients(), 1, seconds));
            }
        }
        Optional<Configuration> hdfs = site.hdfs();
        Optional<Double> batch = Optional.ofNullable(rowsPerBatch.get(baseline.follows()));
        if (hdfs.isEmpty() || (baseline == Baseline.APPEND && batch.isEmpty())) {
            return Optional.empty();
        }
        try (HdfsTrial trial = HdfsTrial.at(hdfs.get(), site.datanodes(), load)) {
            return Optional.of(
                    baseline == Baseline.APPEND
                            ? trial.append((int) Math.max(1, Math.round(batch.orElseThrow())), seconds / 2)
                            : trial.read(seconds / 2));
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

    /** Until servers have no compactions left over from what was before. */
    private void rest(String what) throws IOException, InterruptedException {
        List<Long> servers = site.servers();
        if (servers.isEmpty()) {
            progress.println(what + ", not waiting for compactions: no tablet server is on this machine");
            return;
        }
        progress.println(what + ", waiting for compactions");
        for (int i = 0; i < MOST_RESTS; i++) {
            double before = ProcessUse.cpuSeconds(servers);
            scheduler.pause(REST_MILLIS);
            if ((ProcessUse.cpuSeconds(servers) - before) * 1e3 / REST_MILLIS < CPU_OF_REST * servers.size()) {
                return;
            }
        }
        progress.println(what + ", beginning though the servers are still at work");
    }

    private void warmUp(Workload workload, String table, Clients clients) throws IOException, InterruptedException {
        long rows = load.rowsOf(workload);
        if (workload.ground() == Workload.Ground.LOCAL_CACHE) {
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
            rest(workload.label());
        }
    }

    private long operations(Workload workload) {
        return workload.action() == Workload.Action.SCAN ? PASSES_OF_SCANS * load.rows() : load.rows();
    }

    private Measured measure(Workload workload, Clients clients) throws IOException, InterruptedException {
        long operations = operations(workload);
        long rows = load.rowsOf(workload);
        Ranges ranges = workload.keys() == Workload.Keys.RANDOM
                ? new Ranges(0, operations, load.clients(), 1)
                : new Ranges(0, rows, load.clients(), (int) (operations / rows));
        List<Long> servers = site.servers();
        LogBatches.Count logged = logs.now();
        ProcessUse.Since ofServers = ProcessUse.since(servers);
        ProcessUse.Since ofDatanodes = ProcessUse.since(site.datanodes());
        ProcessUse.Since ofClients = ProcessUse.since(clients.pids());
        long began = System.nanoTime();
        Histogram latencies = clients.run(ranges, load.pace(), new Progress(progress, workload.label(), operations));
        double seconds = (System.nanoTime() - began) / 1e9;
        double serverCpu = ofServers.cpuNow();
        double datanodeCpu = ofDatanodes.cpuNow();
        ProcessUse used = ofClients.until(ofClients.cpuNow());
        if (!site.servers().equals(servers)) {
            throw new UnavailableException(workload.label() + ": a tablet server has died", Outcome.UNKNOWN);
        }
        return new Measured(
                workload.label(),
                Measured.BT,
                load.clients(),
                clients.operations(),
                seconds,
                latencies,
                used,
                servers.isEmpty() ? Optional.empty() : Optional.of(ofServers.until(serverCpu)),
                site.datanodes().isEmpty() ? Optional.empty() : Optional.of(ofDatanodes.until(datanodeCpu)),
                workload.writes() ? logs.now().rowsSince(logged) : OptionalDouble.empty());
    }

    @Override
    public void close() throws IOException {
        for (String table : filled) {
            tables.drop(table);
        }
        tables.close();
        logs.close();
        scheduler.close();
    }
}
