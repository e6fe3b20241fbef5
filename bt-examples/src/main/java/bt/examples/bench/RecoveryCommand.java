package bt.examples.bench;

import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.UsageException;
import bt.examples.recovery.Trials;
import bt.examples.recovery.Trials.Seen;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bt bench recovery}. */
@picocli.CommandLine.Command(
        name = "recovery",
        description = {
            "For how long some tablet refuses while a server is killed, drained or loses what it stands on: HDFS with"
                    + " three datanodes, ZooKeeper, two masters and three tablet servers, each a process of 127.0.0.1.",
            "Takes more than an hour. Clients write and read a row of every tablet each 20 ms and check it. It warms up: its"
                    + " processes have just begun, and what compiles them would be measured otherwise."
        },
        footerHeading = Command.EXAMPLES,
        footer = {"  bt bench recovery"})
public final class RecoveryCommand implements Command {
    private static final String SYSTEM = "bt";

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "NAME",
            description =
                    "Only these: kill-server, kill-server-unreported, hang-server, hang-root-server, hang-commits, kill-root-server,"
                            + " kill-master, pause-master, hang-master, drain, split, move-metadata, kill-datanode, hang-datanode, namenode-restart, zookeeper-outage.")
    private List<String> only = new ArrayList<>();

    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "10",
            description = "How often each happens (default: ${DEFAULT-VALUE}).")
    private int runs = 10;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            defaultValue = "2",
            description = "How often the first happens before all, told apart (default: ${DEFAULT-VALUE}).")
    private int warmUp = 2;

    @Option(
            names = "--log-bytes",
            paramLabel = "N",
            defaultValue = "268435456",
            description =
                    "Bytes in the log of the killed server that are in no other file (default: ${DEFAULT-VALUE}).")
    private long logBytes = 256L << 20;

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
        for (String name : only) {
            if (!Trials.names().contains(name)) {
                throw new UsageException(
                        "bench recovery: there is no trial " + name,
                        "name one of " + String.join(", ", Trials.names()));
            }
        }
        if (runs < 1) {
            throw new UsageException("bench recovery: --runs is " + runs, "write 1 or more");
        }
        if (warmUp < 0) {
            throw new UsageException("bench recovery: --warm-up is " + warmUp, "write 0 or more");
        }
        Machine machine = Machine.here();
        invocation.err().println(machine);
        Report report = new Report("recovery", machine, measure(invocation));
        output.write(report, invocation);
        boolean lost = report.results().stream()
                .anyMatch(result -> result.figure(Figure.LOST_WRITES).orElse(0) > 0);
        return lost ? ExitCode.CORRUPTION : ExitCode.DONE;
    }

    private List<Result> measure(Invocation invocation) throws IOException, InterruptedException {
        Path own = directory.create("recovery");
        boolean done = false;
        Trials trials = Trials.start(own, logBytes, List.of());
        try {
            List<Result> results = new ArrayList<>();
            List<String> chosen = Trials.names().stream()
                    .filter(name -> only.isEmpty() || only.contains(name))
                    .toList();
            if (warmUp > 0) {
                String first = chosen.get(0);
                results.add(result(first + " (warm-up)", happen(first, "warm-up", warmUp, trials, invocation)));
            }
            for (String name : chosen) {
                results.add(result(name, happen(name, "run", runs, trials, invocation)));
            }
            done = true;
            return results;
        } finally {
            trials.close();
            if (done) {
                trials.delete();
            } else {
                invocation.err().println("bench recovery: the logs of its processes are in " + own.resolve("logs"));
            }
        }
    }

    private static List<Seen> happen(String name, String what, int times, Trials trials, Invocation invocation)
            throws IOException, InterruptedException {
        List<Seen> seen = new ArrayList<>();
        for (int i = 1; i <= times; i++) {
            Seen one = trials.run(name);
            seen.add(one);
            invocation
                    .err()
                    .printf(
                            "%s, %s %d: refused for %d ms, done after %d ms, %d writes lost%n",
                            name, what, i, one.refusedMillis(), one.operationMillis(), one.lostWrites());
        }
        return seen;
    }

    private static Result result(String name, List<Seen> seen) {
        return Result.of(name, SYSTEM)
                .with(Figure.MEDIAN_MILLIS, median(seen, Seen::refusedMillis))
                .with(Figure.MAX_MILLIS, max(seen, Seen::refusedMillis))
                .with(Figure.MEDIAN_OPERATION_MILLIS, median(seen, Seen::operationMillis))
                .with(Figure.MAX_OPERATION_MILLIS, max(seen, Seen::operationMillis))
                .with(Figure.LOST_WRITES, (double)
                        seen.stream().mapToLong(Seen::lostWrites).sum())
                .with(Figure.RUNS, seen.size());
    }

    /** Of an even number the mean of the two in the middle. */
    static double median(List<Seen> seen, ToLongFunction<Seen> figure) {
        long[] sorted = seen.stream().mapToLong(figure).sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2.0;
    }

    private static double max(List<Seen> seen, ToLongFunction<Seen> figure) {
        return seen.stream().mapToLong(figure).max().orElse(0);
    }
}
