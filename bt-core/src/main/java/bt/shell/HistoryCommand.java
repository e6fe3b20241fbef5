package bt.shell;

import bt.base.Bytes;
import bt.client.Admin;
import bt.client.TabletEvent;
import bt.client.TabletEvents;
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
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bt history}. */
@picocli.CommandLine.Command(
        name = "history",
        description =
                "Prints what happened to a table's tablets, or to the one that holds a row, the oldest first: loads, compactions,"
                        + " splits, merges, moves. METADATA keeps the last hundred events of each, of the root tablet twenty of each kind.",
        footerHeading = Command.EXAMPLES,
        footer = {"  bt history webtable", "  bt history webtable com.cnn.www", "  bt history webtable --last 20"})
public final class HistoryCommand implements Command {
    @Parameters(index = "0", paramLabel = "TABLE", description = "METADATA is one too.")
    private String table = "";

    @Parameters(index = "1", arity = "0..1", paramLabel = "ROW", description = "Any row of the tablet.")
    private @Nullable String row;

    @Option(names = "--last", paramLabel = "N", description = "The newest so many (default: ${DEFAULT-VALUE}).")
    private int last = 10_000;

    @Override
    public Group group() {
        return Group.TABLES;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        if (last < 1) {
            throw new UsageException("--last " + last, "ask for one event at least");
        }
        Optional<Bytes> key = Optional.ofNullable(row).map(Bytes::parse);
        Admin admin = Connected.to(invocation).admin();
        LastEvents events = new LastEvents(last);
        if (key.isPresent()) {
            admin.history(table, key.get()).forEach(events::add);
        } else {
            try (TabletEvents all = admin.history(table)) {
                for (Optional<TabletEvent> event = all.next(); event.isPresent(); event = all.next()) {
                    events.add(event.get());
                }
            }
        }
        List<TabletEvent> newest = events.oldestFirst();
        newest.forEach(event -> print(invocation, event));
        return newest.isEmpty() ? ExitCode.NOTHING_FOUND : ExitCode.DONE;
    }

    private void print(Invocation invocation, TabletEvent event) {
        String tablet = event.tablet().inTable(table);
        String time = Instant.EPOCH.plus(event.micros(), ChronoUnit.MICROS).toString();
        if (invocation.json()) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("time", time);
            document.put("tablet", tablet);
            document.put("event", event.what());
            Json.print(invocation.out(), document);
        } else {
            invocation.out().println(time + "\t" + tablet + "\t" + event.what());
        }
    }
}
