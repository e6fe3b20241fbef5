package bt.shell;

import bt.client.SlowRequest;
import bt.client.SlowRequests;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.UsageException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** {@code bt traces}. */
@picocli.CommandLine.Command(
        name = "traces",
        description = {
            "Prints the slowest requests of the last minutes, of those that servers traced, and where each spent its time.",
            "Times are in microseconds: total, of that waiting for a thread, of a write until the log had it and in the memtable,"
                    + " of a read waiting for the disk. Blocks read came from files; found are blocks, and look-ups, that a"
                    + " cache had. The key tabletserver.trace.one.of says how many requests are traced."
        },
        footerHeading = Command.EXAMPLES,
        footer = {"  bt traces", "  bt traces --kind scan --count 5"})
public final class TracesCommand implements Command {
    private static final List<String> KINDS = List.of("get", "scan", "write");
    private static final String ROW = "%9s %9s %9s %9s %9s %6s %6s %10s %10s  %-5s  %s%n";

    @Option(names = "--server", paramLabel = "SERVER", description = "Only this server's: its id or address.")
    private Optional<String> server = Optional.empty();

    @Option(names = "--kind", paramLabel = "KIND", description = "Only of this kind: get, scan or write.")
    private Optional<String> kind = Optional.empty();

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "20",
            description = "So many; 20 where nothing is said.")
    private int count;

    @Override
    public Group group() {
        return Group.CLUSTER;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        if (count < 1) {
            throw new UsageException("--count " + count, "write a number above 0");
        }
        if (kind.isPresent() && !KINDS.contains(kind.get())) {
            throw new UsageException("--kind " + kind.get(), "write one of " + String.join(", ", KINDS));
        }
        SlowRequests found = Connected.to(invocation).admin().slowRequests(server, kind, count);
        if (!invocation.json()) {
            invocation
                    .out()
                    .printf(
                            ROW,
                            "TOTAL",
                            "QUEUE",
                            "LOG",
                            "MEMTABLE",
                            "DISK",
                            "READ",
                            "FOUND",
                            "DISKBYTES",
                            "BYTES",
                            "KIND",
                            "OF");
        }
        for (SlowRequest request : found.slowest()) {
            print(invocation, request);
        }
        found.problems().forEach(invocation.err()::println);
        return found.slowest().isEmpty() || !found.problems().isEmpty() ? ExitCode.NOTHING_FOUND : ExitCode.DONE;
    }

    private static void print(Invocation invocation, SlowRequest request) {
        String came =
                Instant.EPOCH.plus(request.cameMicros(), ChronoUnit.MICROS).toString();
        if (invocation.json()) {
            Json.print(invocation.out(), document(request, came));
            return;
        }
        String failure = request.failure().map(text -> ": " + text).orElse("");
        SlowRequest.Times times = request.times();
        SlowRequest.Reading reading = request.reading();
        invocation
                .out()
                .printf(
                        ROW,
                        times.total(),
                        times.queue(),
                        times.log(),
                        times.memtable(),
                        times.disk(),
                        reading.blocksRead(),
                        reading.blocksFound() + reading.entriesFound(),
                        reading.bytesRead(),
                        request.bytes(),
                        request.kind(),
                        request.table() + " " + request.row() + " at " + request.server() + " " + came + failure);
    }

    private static Map<String, Object> document(SlowRequest request, String came) {
        SlowRequest.Times times = request.times();
        SlowRequest.Reading reading = request.reading();
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("server", request.server());
        document.put("time", came);
        document.put("kind", request.kind());
        document.put("table", request.table());
        document.put("row", request.row().toString());
        document.put("user", request.user());
        document.put("client", request.client());
        document.put("rows", request.rows());
        document.put("bytes", request.bytes());
        document.put("totalMicros", times.total());
        document.put("queueMicros", times.queue());
        document.put("logMicros", times.log());
        document.put("memtableMicros", times.memtable());
        document.put("diskMicros", times.disk());
        document.put("memtables", reading.memtables());
        document.put("entriesFound", reading.entriesFound());
        document.put("blocksFound", reading.blocksFound());
        document.put("blocksRead", reading.blocksRead());
        document.put("bytesRead", reading.bytesRead());
        request.failure().ifPresent(failure -> document.put("failure", failure));
        return document;
    }
}
