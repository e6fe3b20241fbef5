package bt.shell;

import bt.base.Bytes;
import bt.client.Bigtable;
import bt.client.TabletEvent;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Parameters;

/** {@code bt history}. */
@picocli.CommandLine.Command(
        name = "history",
        description =
                "Prints what happened to a table's tablets, or to the one that holds a row, the oldest first: loads, compactions,"
                        + " splits, merges, moves. METADATA keeps the last hundred events of each; the root tablet has none.",
        footerHeading = Command.EXAMPLES,
        footer = {"  bt history webtable", "  bt history webtable com.cnn.www"})
public final class HistoryCommand implements Command {
    @Parameters(index = "0", paramLabel = "TABLE", description = "METADATA is one too.")
    private String table = "";

    @Parameters(index = "1", arity = "0..1", paramLabel = "ROW", description = "Any row of the tablet.")
    private @Nullable String row;

    @Override
    public Group group() {
        return Group.TABLES;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        Optional<Bytes> key = Optional.ofNullable(row).map(Bytes::parse);
        List<TabletEvent> events;
        Bigtable bigtable = Connected.to(invocation);
        events = bigtable.admin().history(table, key);
        for (TabletEvent event : events) {
            print(invocation, event);
        }
        return events.isEmpty() ? ExitCode.NOTHING_FOUND : ExitCode.DONE;
    }

    private void print(Invocation invocation, TabletEvent event) {
        String time = Instant.EPOCH.plus(event.micros(), ChronoUnit.MICROS).toString();
        if (invocation.json()) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("time", time);
            document.put("tablet", event.tablet().toString());
            document.put("event", event.what());
            Json.print(invocation.out(), document);
        } else {
            invocation.out().println(time + "\t" + event.tablet() + "\t" + event.what());
        }
    }
}
