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
import bt.examples.paper.NotMeasured;
import bt.examples.paper.OwnSite;
import bt.examples.paper.Site;
import bt.examples.paper.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
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
        footer = {
            "  bt bench paper --minicluster",
            "  bt bench paper --minicluster --clients 1 --only \"random read (mem),rpc echo\" --json paper.json",
            "  bt bench paper --minicluster --rate 10000 --only \"random write\""
        })
public final class PaperCommand implements Command {
    @Mixin
    private PaperOptions options = new PaperOptions();

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
        options.check();
        if (plot != null) {
            ReportOutput.checkCanBeWritten(plot);
        }
        Machine machine = Machine.here();
        invocation.err().println(machine);
        List<Result> results = new ArrayList<>();
        for (int count : serverCounts(invocation)) {
            results.addAll(measure(count, invocation));
        }
        output.write(new Report("paper", machine, options.fields(), results), invocation);
        if (plot != null) {
            List<Result> workloads = results.stream()
                    .filter(result -> Workload.find(result.name()).isPresent())
                    .toList();
            Files.writeString(plot, PaperPlot.svg(workloads));
        }
        return results.isEmpty() ? ExitCode.NOTHING_FOUND : ExitCode.DONE;
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
        try (Site site = site(own, count, invocation);
                Measurement measurement =
                        new Measurement(site, options.load(count), own.resolve("clients"), invocation.err())) {
            for (Workload workload : Workload.values()) {
                if (options.wants(workload)) {
                    add(() -> measurement.run(workload), workload.label(), count, results, invocation);
                }
                for (Baseline baseline : Baseline.values()) {
                    if (baseline.follows() == workload && options.wants(baseline)) {
                        add(() -> measurement.run(baseline), baseline.label(), count, results, invocation);
                    }
                }
            }
        }
        return results;
    }

    private static void add(
            Callable<Measured> trial, String name, int serverCount, List<Result> results, Invocation invocation)
            throws Exception {
        try {
            Measured measured = trial.call();
            invocation.err().printf(Locale.ROOT, "%s: %,.0f a second%n", name, measured.perSecond());
            results.add(PaperResults.of(measured).with(Figure.SERVERS, serverCount));
        } catch (NotMeasured why) {
            invocation.err().println(name + " is not measured: " + why.getMessage());
        }
    }

    private List<Integer> serverCounts(Invocation invocation) throws IOException, UsageException {
        return options.miniCluster()
                ? options.servers()
                : List.of(new GivenSite(invocation.setting("at")).serverCount());
    }

    private Site site(Path own, int count, Invocation invocation)
            throws IOException, InterruptedException, UsageException {
        return options.miniCluster()
                ? OwnSite.start(own.resolve("cluster"), count, options.room())
                : new GivenSite(invocation.setting("at"));
    }
}
