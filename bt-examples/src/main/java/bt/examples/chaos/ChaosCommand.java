package bt.examples.chaos;

import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.UsageException;
import bt.examples.bench.BenchDirectory;
import bt.examples.bench.ReportOutput;
import bt.examples.hostile.HostileReport;
import bt.examples.hostile.HostileTrial;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bt chaos}. Exit code 4 when something was lost, strange or broken. */
@picocli.CommandLine.Command(
        name = "chaos",
        description =
                "Breaks the processes, files and connections of a real cluster, and checks everything that its clients were told.",
        footerHeading = Command.EXAMPLES,
        footer = {"  bt chaos --seed 7 --minutes 5", "  bt chaos --hostile 100000"})
public final class ChaosCommand implements Command {
    private static final double MOST_MINUTES = 24 * 60;

    @Option(names = "--seed", paramLabel = "N", description = "Which faults happen when; a random one is printed.")
    private @Nullable Long seed;

    @Option(names = "--minutes", paramLabel = "M", description = "For how long there are faults; 2 if nothing is said.")
    private double minutes = 2;

    @Option(
            names = "--hostile",
            paramLabel = "FRAMES",
            description =
                    "Instead of that: so many random and mutated frames at the ports of a cluster and a gateway in this"
                            + " process, beside honest callers.")
    private @Nullable Long hostileFrames;

    @Option(names = "--keep", description = "What the processes wrote, their logs too, stays in any case.")
    private boolean keep;

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
        if (!(minutes > 0 && minutes <= MOST_MINUTES)) {
            throw new UsageException("chaos: --minutes is " + minutes, "write a number above 0, 1440 at most");
        }
        long drawn = seed == null ? new Random().nextInt(1_000_000) : seed;
        if (hostileFrames != null) {
            return hostile(drawn, hostileFrames, invocation);
        }
        invocation.err().printf(Locale.ROOT, "chaos: --seed %d --minutes %s%n", drawn, minutes);
        return finish(reported(drawn, invocation, () -> run(drawn, invocation)), invocation);
    }

    /** What fails and has no report gets one that says so, and nothing more. */
    ChaosReport reported(long drawn, Invocation invocation, Callable<ChaosReport> running) throws Exception {
        try {
            return running.call();
        } catch (IOException | RuntimeException failed) {
            ChaosReport report = ChaosReport.failed(drawn, minutes, failed);
            output.write(report.json(), report.table(), invocation);
            throw failed;
        }
    }

    /** Writes the report; the exit code. */
    int finish(ChaosReport report, Invocation invocation) throws IOException {
        output.write(report.json(), report.table(), invocation);
        return report.isClean() ? ExitCode.DONE : ExitCode.CORRUPTION;
    }

    private int hostile(long drawn, long frames, Invocation invocation)
            throws IOException, InterruptedException, UsageException {
        if (frames < 1) {
            throw new UsageException("chaos: --hostile is " + frames, "write 1 or more");
        }
        invocation.err().printf(Locale.ROOT, "chaos: --seed %d --hostile %d%n", drawn, frames);
        HostileReport report = HostileTrial.run(drawn, frames);
        output.write(report.json(), report.table(), invocation);
        return report.isClean() ? ExitCode.DONE : ExitCode.CORRUPTION;
    }

    private ChaosReport run(long drawn, Invocation invocation) throws IOException, InterruptedException {
        Path own = directory.create("chaos");
        boolean clean = false;
        Campaign campaign = Campaign.start(own, invocation.err());
        try {
            ChaosReport report = campaign.run(drawn, minutes, Plan.of(drawn, Math.round(minutes * 60_000)));
            clean = report.isClean();
            return report;
        } finally {
            campaign.close();
            if (clean && !keep) {
                campaign.delete();
            } else {
                invocation.err().println("chaos: what its processes wrote, logs too, is in " + own);
            }
        }
    }
}
