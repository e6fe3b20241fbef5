package bt.shell;

import bt.client.Admin;
import bt.client.Bigtable;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.model.DroppedTable;
import bt.model.TableSchema;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;

/** {@code bt tables}. */
@picocli.CommandLine.Command(
        name = "tables",
        description = "Lists the tables, with the ids by which files and logs name them.",
        footerHeading = Command.EXAMPLES,
        footer = {"  bt tables", "  bt tables --dropped"})
public final class TablesCommand implements Command {
    @Option(
            names = "--dropped",
            description =
                    "Lists the dropped tables that bt undelete can bring back instead, and when they were dropped.")
    private boolean dropped;

    @Override
    public Group group() {
        return Group.TABLES;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        Bigtable bigtable = Connected.to(invocation);
        Admin admin = bigtable.admin();
        if (dropped) {
            for (DroppedTable table : admin.droppedTables()) {
                print(invocation, table);
            }
            return ExitCode.DONE;
        }
        for (TableSchema table : admin.tables()) {
            if (invocation.json()) {
                Json.print(invocation.out(), document(table));
            } else {
                invocation.out().println(text(table));
            }
        }
        return ExitCode.DONE;
    }

    private static void print(Invocation invocation, DroppedTable table) {
        String time = Instant.EPOCH
                .plus(table.droppedMicros(), ChronoUnit.MICROS)
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
        if (invocation.json()) {
            Map<String, Object> document = document(table.schema());
            document.put("dropped", time);
            Json.print(invocation.out(), document);
        } else {
            invocation.out().println(text(table.schema()) + "\tdropped=" + time);
        }
    }

    private static String text(TableSchema table) {
        return table.name() + "\tid=" + table.id();
    }

    private static Map<String, Object> document(TableSchema table) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("table", table.name());
        document.put("id", table.id());
        return document;
    }
}
