package bt.examples.bench;

import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.UsageException;
import bt.examples.paper.Baseline;
import bt.examples.paper.EchoTrial;
import bt.rpc.RpcNetwork;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bt bench rpc}. */
@picocli.CommandLine.Command(
        name = "rpc",
        description = {
            "The network alone: requests for a row, answered with 1,000 bytes by a server that has nothing behind it.",
            "Callers that wait for each answer; one that has many requests on their way; answers of 100 rows."
        },
        footerHeading = Command.EXAMPLES,
        footer = {"  bt bench rpc --clients 1,4"})
public final class RpcCommand implements Command {
    static final String ECHO = Baseline.ECHO.label();
    static final String IN_FLIGHT = "rpc echo (in flight)";
    static final String BATCHED = "rpc echo (batched)";

    private static final int ROWS_OF_A_BATCH = 100;
    private static final int MOST_CALLERS = 1_000;
    private static final double LEAST_SECONDS = 0.1;
    private static final double MOST_SECONDS = 3_600;

    @Option(
            names = "--clients",
            split = ",",
            paramLabel = "C",
            description = "Callers that wait, one measurement after the other (default: 1,16,64).")
    private List<Integer> callers = List.of(1, 16, 64);

    @Option(
            names = "--in-flight",
            paramLabel = "N",
            defaultValue = "256",
            description = "Requests on their way at once (default: ${DEFAULT-VALUE}).")
    private int inFlight = 256;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "4",
            description = "For each, after half as long to warm up (default: ${DEFAULT-VALUE}).")
    private double seconds = 4;

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
        try (EchoTrial trial = EchoTrial.start(directory.create("rpc"))) {
            for (int count : callers) {
                invocation.err().println(ECHO + ", " + count + " callers");
                results.add(PaperResults.of(trial.blocking(ECHO, count, 1, seconds)));
            }
            invocation.err().println(IN_FLIGHT + ", " + inFlight);
            results.add(PaperResults.of(trial.inFlight(IN_FLIGHT, inFlight, seconds)));
            for (int count : callers) {
                invocation.err().println(BATCHED + ", " + count + " callers");
                results.add(PaperResults.of(trial.blocking(BATCHED, count, ROWS_OF_A_BATCH, seconds)));
            }
        }
        Map<String, Object> options = Map.of("seconds", seconds, "inFlight", inFlight);
        output.write(new Report("rpc", machine, options, results), invocation);
        return ExitCode.DONE;
    }

    private void check() throws UsageException {
        for (int count : callers) {
            if (count < 1 || count > MOST_CALLERS) {
                throw new UsageException("bench rpc: --clients " + count, "write 1 to " + MOST_CALLERS);
            }
        }
        if (inFlight < 1 || inFlight > RpcNetwork.MAX_CALLS) {
            throw new UsageException(
                    "bench rpc: --in-flight " + inFlight,
                    "write 1 to " + RpcNetwork.MAX_CALLS + ", as many as one connection takes");
        }
        if (!(seconds >= LEAST_SECONDS && seconds <= MOST_SECONDS)) {
            throw new UsageException(
                    "bench rpc: --seconds " + seconds, "write " + LEAST_SECONDS + " to " + MOST_SECONDS);
        }
    }
}
