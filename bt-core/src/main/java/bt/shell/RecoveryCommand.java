package bt.shell;

import bt.client.Bigtable;
import bt.client.RecoveryInfo;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
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
        List<RecoveryInfo> lines = bigtable.admin().recoveries();
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

    static String text(RecoveryInfo line) {
        return String.join(
                "\t",
                line.server().orElse("unknown"),
                "epoch " + line.epoch(),
                "for " + seconds(line.millis()),
                line.isLogClosed() ? "log closed" : "log being closed",
                line.sortedSegments() + " of " + line.segments() + " segments sorted",
                line.sortedBytes() + " of " + line.bytes() + " bytes",
                line.tabletsWaiting() + " tablets wait",
                line.tabletsServed() + " are served",
                line.millisLeft().isPresent()
                        ? "about " + seconds(line.millisLeft().getAsLong()) + " left"
                        : "time left unknown");
    }

    private static String seconds(long millis) {
        return (millis + 999) / 1_000 + " s";
    }

    private static Map<String, Object> document(RecoveryInfo line) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("server", line.server().orElse(""));
        document.put("epoch", line.epoch());
        document.put("millis", line.millis());
        document.put("logClosed", line.isLogClosed());
        document.put("segments", line.segments());
        document.put("sortedSegments", line.sortedSegments());
        document.put("bytes", line.bytes());
        document.put("sortedBytes", line.sortedBytes());
        document.put("tabletsWaiting", line.tabletsWaiting());
        document.put("tabletsServed", line.tabletsServed());
        document.put("leftMillis", line.millisLeft().orElse(-1));
        return document;
    }
}
