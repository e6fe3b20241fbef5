package bt.shell;

import bt.client.Bigtable;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.connect.Connect;
import bt.model.TableSchema;
import java.util.Map;

/** {@code bt tables}. */
@picocli.CommandLine.Command(name = "tables", description = "Lists the tables.")
public final class TablesCommand implements Command {
    @Override
    public Group group() {
        return Group.TABLES;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        try (Bigtable bigtable = Connect.to(invocation.setting("at"))) {
            for (TableSchema table : bigtable.admin().tables()) {
                if (invocation.json()) {
                    Json.print(invocation.out(), Map.of("table", table.name()));
                } else {
                    invocation.out().println(table.name());
                }
            }
        }
        return ExitCode.DONE;
    }
}
