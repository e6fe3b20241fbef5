package bt.shell;

import bt.client.Admin;
import bt.client.Bigtable;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.UsageException;
import bt.record.GarbageLine;
import bt.record.GarbageReport;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** {@code bt gc}. */
@picocli.CommandLine.Command(
        name = "gc",
        description =
                "Tells what the master's last sweep of garbage did: it sweeps by itself, and deletes files and logs"
                        + " that no tablet has needed for a while.",
        footerHeading = Command.EXAMPLES,
        footer = {"  bt gc", "  bt gc --dry-run"})
public final class GcCommand implements Command {
    @Option(names = "--now", description = "Has it sweep now. Nothing is deleted earlier for that.")
    private boolean now;

    @Option(names = "--dry-run", description = "Has it look now and delete nothing: lists what is garbage.")
    private boolean dry;

    @Override
    public Group group() {
        return Group.CLUSTER;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        if (now && dry) {
            throw new UsageException("--now deletes what --dry-run would only list: choose one");
        }
        Bigtable bigtable = Connected.to(invocation);
        Admin admin = bigtable.admin();
        GarbageReport report = now || dry ? admin.sweepGarbage(dry) : admin.garbage();
        if (invocation.json()) {
            Json.print(invocation.out(), document(report));
        } else {
            print(report, invocation);
        }
        return report.getProblem() == null ? ExitCode.DONE : ExitCode.NOTHING_FOUND;
    }

    private static void print(GarbageReport report, Invocation invocation) {
        if (report.getBeganMicros() == 0) {
            invocation.err().println("this master has not swept yet: --now has it do so");
            return;
        }
        for (GarbageLine line : report.getLines()) {
            String when = line.getWaitsMillis() > 0
                    ? "waits " + (line.getWaitsMillis() + 999) / 1_000 + " s"
                    : report.getDry() ? "due" : "deleted";
            invocation.out().println("garbage\t" + line.getPath() + "\t" + line.getBytes() + " bytes\t" + when);
        }
        invocation
                .out()
                .println("sweep\t" + time(report) + "\t" + report.getMillis() + " ms\t" + report.getTables()
                        + " tables\t" + report.getFiles() + " files\t" + report.getBytes() + " bytes");
        invocation
                .out()
                .println((report.getDry() ? "due" : "deleted") + "\t" + report.getDeletedFiles() + " files\t"
                        + report.getDeletedBytes() + " bytes\t" + report.getDeletedLogs() + " logs");
        invocation
                .out()
                .println("waiting\t" + report.getWaitingFiles() + " files\t" + report.getWaitingBytes() + " bytes");
        if (report.getProblem() != null) {
            invocation.err().println("the sweep ended early: " + report.getProblem());
        }
    }

    private static String time(GarbageReport report) {
        return Instant.EPOCH
                .plus(report.getBeganMicros(), ChronoUnit.MICROS)
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
    }

    private static Map<String, Object> document(GarbageReport report) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("began", report.getBeganMicros() == 0 ? "" : time(report));
        document.put("millis", report.getMillis());
        document.put("dry", report.getDry());
        document.put("tables", report.getTables());
        document.put("files", report.getFiles());
        document.put("bytes", report.getBytes());
        document.put("waitingFiles", report.getWaitingFiles());
        document.put("waitingBytes", report.getWaitingBytes());
        document.put("deletedFiles", report.getDeletedFiles());
        document.put("deletedBytes", report.getDeletedBytes());
        document.put("deletedLogs", report.getDeletedLogs());
        document.put("removedRows", report.getRemovedRows());
        document.put("forgottenTables", report.getForgottenTables());
        List<Map<String, Object>> lines =
                report.getLines().stream().map(GcCommand::document).toList();
        document.put("garbage", lines);
        document.put("problem", report.getProblem() == null ? "" : report.getProblem());
        return document;
    }

    private static Map<String, Object> document(GarbageLine line) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("path", line.getPath());
        document.put("bytes", line.getBytes());
        document.put("waitsMillis", line.getWaitsMillis());
        return document;
    }
}
