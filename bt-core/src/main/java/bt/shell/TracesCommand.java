package bt.shell;

import bt.base.AvroBytes;
import bt.client.Bigtable;
import bt.client.SlowRequests;
import bt.client.SlowRequests.SlowRequest;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.UsageException;
import bt.model.TableSchema;
import bt.record.RequestTrace;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
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
            throw new UsageException("--count " + count + ": write a number above 0");
        }
        if (kind.isPresent() && !KINDS.contains(kind.get())) {
            throw new UsageException("--kind " + kind.get() + ": write one of " + String.join(", ", KINDS));
        }
        Map<Long, String> names = new HashMap<>();
        SlowRequests found;
        Bigtable bigtable = Connected.to(invocation);
        found = bigtable.admin().slowRequests(server, kind, count);
        names.put(TableSchema.METADATA_ID, "METADATA");
        bigtable.admin().tables().forEach(table -> names.put(table.id(), table.name()));
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
            print(invocation, request, names.getOrDefault(request.trace().getTableId(), "?"));
        }
        found.problems().forEach(invocation.err()::println);
        return found.slowest().isEmpty() || !found.problems().isEmpty() ? ExitCode.NOTHING_FOUND : ExitCode.DONE;
    }

    private static void print(Invocation invocation, SlowRequest request, String table) {
        RequestTrace trace = request.trace();
        String came =
                Instant.EPOCH.plus(trace.getCameMicros(), ChronoUnit.MICROS).toString();
        String row = AvroBytes.bytes(trace.getRow()).toString();
        if (invocation.json()) {
            Json.print(invocation.out(), document(request, table, came, row));
            return;
        }
        String failure =
                Optional.ofNullable(trace.getFailure()).map(text -> ": " + text).orElse("");
        invocation
                .out()
                .printf(
                        ROW,
                        trace.getTotalMicros(),
                        trace.getQueueMicros(),
                        trace.getLogMicros(),
                        trace.getMemtableMicros(),
                        trace.getDiskMicros(),
                        trace.getBlocksRead(),
                        trace.getBlocksFound() + trace.getEntriesFound(),
                        trace.getBytesRead(),
                        trace.getBytes(),
                        trace.getKind(),
                        table + " " + row + " at " + request.server() + " " + came + failure);
    }

    private static Map<String, Object> document(SlowRequest request, String table, String came, String row) {
        RequestTrace trace = request.trace();
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("server", request.server());
        document.put("time", came);
        document.put("kind", trace.getKind());
        document.put("table", table);
        document.put("row", row);
        document.put("user", trace.getUser());
        document.put("client", trace.getAddress());
        document.put("rows", trace.getRows());
        document.put("bytes", trace.getBytes());
        document.put("totalMicros", trace.getTotalMicros());
        document.put("queueMicros", trace.getQueueMicros());
        document.put("logMicros", trace.getLogMicros());
        document.put("memtableMicros", trace.getMemtableMicros());
        document.put("diskMicros", trace.getDiskMicros());
        document.put("memtables", trace.getMemtables());
        document.put("entriesFound", trace.getEntriesFound());
        document.put("blocksFound", trace.getBlocksFound());
        document.put("blocksRead", trace.getBlocksRead());
        document.put("bytesRead", trace.getBytesRead());
        Optional.ofNullable(trace.getFailure()).ifPresent(failure -> document.put("failure", failure));
        return document;
    }
}
