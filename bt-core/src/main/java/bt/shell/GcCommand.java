package bt.shell;

import bt.client.Admin;
import bt.client.Bigtable;
import bt.client.GarbageSweep;
import bt.client.GarbageSweep.Garbage;
import bt.client.Operation;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.UsageException;
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
        footer = {"  bt gc", "  bt gc --dry-run", "  bt gc --now --no-wait"})
public final class GcCommand implements Command {
    @Option(names = "--now", description = "Has it sweep now. Nothing is deleted earlier for that.")
    private boolean now;

    @Option(names = "--dry-run", description = "Has it look now and delete nothing: lists what is garbage.")
    private boolean dry;

    @Option(
            names = "--no-wait",
            description = "Begins the sweep and prints its id, for bt operations: bt gc tells then what it came to.")
    private boolean noWait;

    @Override
    public Group group() {
        return Group.CLUSTER;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        if (now && dry) {
            throw new UsageException("--now deletes what --dry-run would only list", "choose one");
        }
        if (noWait && !now && !dry) {
            throw new UsageException("--no-wait is for a sweep that begins", "say --now or --dry-run too");
        }
        Bigtable bigtable = Connected.to(invocation);
        Admin admin = bigtable.admin();
        GarbageSweep report;
        if (now || dry) {
            Operation begun = admin.startSweep(dry);
            if (noWait) {
                OperationsCommand.printBegun(invocation, begun);
                return ExitCode.DONE;
            }
            Operation unused = OperationsCommand.await(invocation, admin, begun);
            report = admin.garbage(dry).after(begun.id());
        } else {
            report = admin.garbage(false);
        }
        if (invocation.json()) {
            Json.print(invocation.out(), document(report));
        } else {
            print(report, invocation);
        }
        return report.problem().isEmpty() ? ExitCode.DONE : ExitCode.NOTHING_FOUND;
    }

    private static void print(GarbageSweep report, Invocation invocation) {
        if (report.beganMicros().isEmpty()) {
            invocation.err().println("this master has not swept yet: --now has it do so");
            return;
        }
        for (Garbage line : report.garbage()) {
            String when = line.waitsMillis() > 0
                    ? "waits " + (line.waitsMillis() + 999) / 1_000 + " s"
                    : report.isDry() ? "due" : "deleted";
            invocation.out().println("garbage\t" + line.path() + "\t" + line.bytes() + " bytes\t" + when);
        }
        invocation
                .out()
                .println("sweep\t" + time(report) + "\t" + report.millis() + " ms\t" + report.tables() + " tables\t"
                        + report.files() + " files\t" + report.bytes() + " bytes");
        invocation
                .out()
                .println((report.isDry() ? "due" : "deleted") + "\t" + report.deletedFiles() + " files\t"
                        + report.deletedBytes() + " bytes\t" + report.deletedLogs() + " logs");
        invocation.out().println("waiting\t" + report.waitingFiles() + " files\t" + report.waitingBytes() + " bytes");
        report.problem().ifPresent(why -> invocation.err().println("the sweep ended early: " + why));
    }

    private static String time(GarbageSweep report) {
        return Instant.EPOCH
                .plus(report.beganMicros().orElse(0), ChronoUnit.MICROS)
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
    }

    private static Map<String, Object> document(GarbageSweep report) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("began", report.beganMicros().isEmpty() ? "" : time(report));
        document.put("millis", report.millis());
        document.put("dry", report.isDry());
        document.put("tables", report.tables());
        document.put("files", report.files());
        document.put("bytes", report.bytes());
        document.put("waitingFiles", report.waitingFiles());
        document.put("waitingBytes", report.waitingBytes());
        document.put("deletedFiles", report.deletedFiles());
        document.put("deletedBytes", report.deletedBytes());
        document.put("deletedLogs", report.deletedLogs());
        document.put("removedRows", report.removedRows());
        document.put("forgottenTables", report.forgottenTables());
        List<Map<String, Object>> lines =
                report.garbage().stream().map(GcCommand::document).toList();
        document.put("garbage", lines);
        document.put("problem", report.problem().orElse(""));
        return document;
    }

    private static Map<String, Object> document(Garbage line) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("path", line.path());
        document.put("bytes", line.bytes());
        document.put("waitsMillis", line.waitsMillis());
        return document;
    }
}
