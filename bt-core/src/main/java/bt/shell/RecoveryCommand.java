package bt.shell;

import bt.client.Bigtable;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.record.RecoveryLine;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code bt recovery}. */
@picocli.CommandLine.Command(
        name = "recovery",
        description =
                "Tells which dead servers are being recovered: how much of the log is sorted, how many tablets still"
                        + " wait for another server, and about how long that will take.",
        footerHeading = Command.EXAMPLES,
        footer = {"  bt recovery"})
public final class RecoveryCommand implements Command {
    @Override
    public Group group() {
        return Group.CLUSTER;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        Bigtable bigtable = Connected.to(invocation);
        List<RecoveryLine> lines = bigtable.admin().recoveries().getLines();
        if (invocation.json()) {
            Json.print(
                    invocation.out(),
                    Map.of(
                            "recoveries",
                            lines.stream().map(RecoveryCommand::document).toList()));
        } else if (lines.isEmpty()) {
            invocation.out().println("nothing is being recovered");
        } else {
            lines.forEach(line -> invocation.out().println(text(line)));
        }
        return ExitCode.DONE;
    }

    static String text(RecoveryLine line) {
        return String.join(
                "\t",
                line.getServer().isEmpty() ? "unknown" : line.getServer(),
                "epoch " + line.getEpoch(),
                "for " + seconds(line.getMillis()),
                line.getClosed() ? "log closed" : "log being closed",
                line.getSortedSegments() + " of " + line.getSegments() + " segments sorted",
                line.getSortedBytes() + " of " + line.getBytes() + " bytes",
                line.getTabletsWaiting() + " tablets wait",
                line.getTabletsServed() + " are served",
                line.getLeftMillis() < 0 ? "time left unknown" : "about " + seconds(line.getLeftMillis()) + " left");
    }

    private static String seconds(long millis) {
        return (millis + 999) / 1_000 + " s";
    }

    private static Map<String, Object> document(RecoveryLine line) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("server", line.getServer());
        document.put("epoch", line.getEpoch());
        document.put("millis", line.getMillis());
        document.put("logClosed", line.getClosed());
        document.put("segments", line.getSegments());
        document.put("sortedSegments", line.getSortedSegments());
        document.put("bytes", line.getBytes());
        document.put("sortedBytes", line.getSortedBytes());
        document.put("tabletsWaiting", line.getTabletsWaiting());
        document.put("tabletsServed", line.getTabletsServed());
        document.put("leftMillis", line.getLeftMillis());
        return document;
    }
}
