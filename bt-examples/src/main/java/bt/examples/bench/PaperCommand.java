package bt.examples.bench;

import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.UsageException;
import bt.examples.cluster.Workplace;
import bt.examples.paper.Baseline;
import bt.examples.paper.GivenSite;
import bt.examples.paper.Measured;
import bt.examples.paper.Measurement;
import bt.examples.paper.Measurement.Load;
import bt.examples.paper.OwnSite;
import bt.examples.paper.OwnSite.Room;
import bt.examples.paper.Site;
import bt.examples.paper.Workload;
import bt.model.TableSchema.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bt bench paper}. */
@picocli.CommandLine.Command(
        name = "paper",
        description = {
            "Section 7 of the paper: reads, writes and scans of 1,000-byte values by client processes, beside the paper's numbers"
                    + " for one tablet server.",
            "At the cluster of --at, in tables of its own, or with --minicluster at one that it starts on this machine:"
                    + " ZooKeeper, NameNode, datanode, master, tablet servers, each a process."
        },
        footerHeading = Command.EXAMPLES,
        footer = {"  bt bench paper --minicluster"})
public final class PaperCommand implements Command {
    private static final int MOST_CALLERS = 1_000;
    private static final long ROW_BYTES = 1_050;
    private static final int PART_IN_MEMORY = 10;
    private static final String USUAL_BLOCK_CACHE = "5%";
    private static final long USUAL_LOCAL_CACHE_BYTES = 4L << 30;

    @Option(
            names = "--rows",
            paramLabel = "N",
            defaultValue = "1000000",
            description =
                    "Rows for each tablet server (default: ${DEFAULT-VALUE}; a tenth of them for what is in memory).")
    private long rows = 1_000_000;

    @Option(
            names = "--clients",
            paramLabel = "C",
            defaultValue = "16",
            description = "Callers in a client process, each waiting for its answer (default: ${DEFAULT-VALUE}).")
    private int callers = 16;

    @Option(
            names = "--processes",
            paramLabel = "P",
            defaultValue = "1",
            description = "Client processes (default: ${DEFAULT-VALUE}).")
    private int processes = 1;

    @Option(
            names = "--durability",
            paramLabel = "WHAT",
            defaultValue = "flush",
            description = "What an acknowledged write has survived: sync or flush (default: ${DEFAULT-VALUE}).")
    private String durability = "flush";

    @Option(
            names = "--rate",
            paramLabel = "N",
            description =
                    "So many operations of one row a second, of all callers together, each timed from when it was due;"
                            + " without scans and batches (default: as many as they can).")
    private long rate;

    @Option(names = "--minicluster", description = "At a cluster of its own.")
    private boolean miniCluster;

    @Option(
            names = "--servers",
            split = ",",
            paramLabel = "S",
            description =
                    "Tablet servers of --minicluster; of several numbers, one cluster after the other (default: 1).")
    private List<Integer> servers = List.of();

    @Option(
            names = "--block-cache",
            paramLabel = "SIZE",
            description = "What a server of --minicluster caches: bytes, or percent of its data (default: 5%).")
    private @Nullable String blockCache;

    @Option(
            names = "--local-cache",
            paramLabel = "BYTES",
            description =
                    "What a server of --minicluster copies to its disk for reads and scans that do not say (tcp) or (mem) (default: 4294967296).")
    private @Nullable Long localCache;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description =
                    "How long a workload warms up at least, with a tenth of its rows again and again (default: ${DEFAULT-VALUE}).")
    private double warmUpSeconds = 10;

    @Option(names = "--only", split = ",", paramLabel = "NAME", description = "Only these workloads, by their names.")
    private List<String> only = new ArrayList<>();

    @Option(
            names = "--plot",
            paramLabel = "FILE",
            description = "Where a plot (SVG) of throughput against servers goes.")
    private @Nullable Path plot;

    @Mixin
    private BenchDirectory directory = new BenchDirectory();

    @Mixin
    private ReportOutput output = new ReportOutput();

    @Override
    public Group group() {
        return Group.DEVELOPMENT;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        output.check(invocation);
        check();
        Machine machine = Machine.here();
        invocation.err().println(machine);
        List<Result> results = new ArrayList<>();
        for (int count : serverCounts(invocation)) {
            results.addAll(measure(count, invocation));
        }
        if (plot != null) {
            List<Result> workloads = results.stream()
                    .filter(result -> Workload.find(result.name()).isPresent())
                    .toList();
            Files.writeString(plot, PaperPlot.svg(workloads));
        }
        output.write(new Report("paper", machine, results), invocation);
        return ExitCode.DONE;
    }

    private void check() throws UsageException {
        if (callers < 1 || callers > MOST_CALLERS || processes < 1 || rows < 100) {
            throw new UsageException(
                    "bench paper: 100 rows or more, 1 to " + MOST_CALLERS + " callers in a process, 1 process or more");
        }
        if (servers.stream().anyMatch(count -> count < 1)) {
            throw new UsageException("bench paper: --servers " + servers + ": write 1 or more");
        }
        if (!miniCluster && !(servers.isEmpty() && blockCache == null && localCache == null)) {
            throw new UsageException(
                    "bench paper: --servers, --block-cache and --local-cache say what --minicluster has;"
                            + " a cluster that runs has its own");
        }
        if (localCache != null && localCache < 0) {
            throw new UsageException("bench paper: --local-cache " + localCache + ": write bytes, 0 for none");
        }
        if (!(warmUpSeconds >= 0)) {
            throw new UsageException("bench paper: --warm-up " + warmUpSeconds + ": write seconds, 0 for one pass");
        }
        if (rate < 0) {
            throw new UsageException(
                    "bench paper: --rate " + rate + ": write operations a second, 0 for all that they can");
        }
        durability();
        cacheBytes();
        checkAppend();
        for (String name : only) {
            if (Workload.find(name).isEmpty() && Baseline.find(name).isEmpty()) {
                throw new UsageException("bench paper: there is no workload " + name + ": "
                        + Stream.concat(
                                        Arrays.stream(Workload.values()).map(Workload::label),
                                        Arrays.stream(Baseline.values()).map(Baseline::label))
                                .collect(Collectors.joining(", ")));
            }
        }
    }

    /** It repeats what the logs did in that one. */
    private void checkAppend() throws UsageException {
        String append = Baseline.APPEND.label();
        String follows = Baseline.APPEND.follows().label();
        if (only.contains(append) && !only.contains(follows)) {
            throw new UsageException("bench paper: " + append + " takes its rows per flush from " + follows
                    + ": write --only \"" + follows + "," + append + "\"");
        }
    }

    private Durability durability() throws UsageException {
        return switch (durability) {
            case "sync" -> Durability.SYNC;
            case "flush" -> Durability.FLUSH;
            default -> throw new UsageException("bench paper: --durability " + durability + ": write sync or flush");
        };
    }

    private long cacheBytes() throws UsageException {
        String size = blockCache == null ? USUAL_BLOCK_CACHE : blockCache;
        boolean percent = size.matches("[0-9]{1,3}%");
        if (!percent && !size.matches("[0-9]{1,12}")) {
            throw new UsageException("bench paper: --block-cache " + size + ": write bytes, or percent as 5%");
        }
        return percent
                ? rows * ROW_BYTES * Integer.parseInt(size.substring(0, size.length() - 1)) / 100
                : Long.parseLong(size);
    }

    private List<Result> measure(int count, Invocation invocation) throws Exception {
        Path own = directory.create("paper");
        boolean done = false;
        try {
            List<Result> results = measure(own, count, invocation);
            done = true;
            return results;
        } finally {
            if (done) {
                new Workplace(own).delete();
            } else {
                invocation.err().println("bench paper: the logs of its processes are in " + own);
            }
        }
    }

    private List<Result> measure(Path own, int count, Invocation invocation) throws Exception {
        List<Result> results = new ArrayList<>();
        try (Site site = site(own, count, invocation)) {
            Load load = new Load(rows * count, callers, processes, durability(), count, warmUpSeconds, rate);
            try (Measurement measurement = new Measurement(site, load, own.resolve("clients"), invocation.err())) {
                for (Workload workload : Workload.values()) {
                    if (isWanted(workload.label()) && (rate == 0 || workload.isOfOneRow())) {
                        add(measurement.run(workload), workload.label(), count, results, invocation);
                    }
                    for (Baseline baseline : Baseline.values()) {
                        if (rate == 0 && baseline.follows() == workload && isWanted(baseline.label())) {
                            add(measurement.run(baseline), baseline.label(), count, results, invocation);
                        }
                    }
                }
            }
        }
        return results;
    }

    private boolean isWanted(String name) {
        return only.isEmpty() || only.contains(name);
    }

    private void add(
            Optional<Measured> measured, String name, int serverCount, List<Result> results, Invocation invocation) {
        invocation
                .err()
                .println(measured.map(one -> String.format(Locale.ROOT, "%s: %,.0f a second", name, one.perSecond()))
                        .orElse(name + ": this cluster is not the bench's own, so it is not measured"));
        measured.map(one -> PaperResults.of(one, callers * processes).with(Figure.SERVERS, serverCount))
                .ifPresent(results::add);
    }

    private long localCacheBytes() {
        return localCache == null ? USUAL_LOCAL_CACHE_BYTES : localCache;
    }

    private List<Integer> serverCounts(Invocation invocation) throws IOException, UsageException {
        if (!servers.isEmpty()) {
            return servers;
        }
        return List.of(miniCluster ? 1 : new GivenSite(invocation.setting("at")).serverCount());
    }

    private Site site(Path own, int count, Invocation invocation)
            throws IOException, InterruptedException, UsageException {
        return miniCluster
                ? OwnSite.start(
                        own.resolve("cluster"),
                        count,
                        new Room(cacheBytes(), 2 * rows * ROW_BYTES / PART_IN_MEMORY, localCacheBytes()))
                : new GivenSite(invocation.setting("at"));
    }
}
