package bt.shell;

import bt.client.Bigtable;
import bt.client.Table;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.connect.Connect;
import picocli.CommandLine.Parameters;

/** {@code bt describe}. */
@picocli.CommandLine.Command(
        name = "describe",
        description =
                "Shows a table's families, locality groups and tablets; the bytes of a tablet are those of its files.")
public final class DescribeCommand implements Command {
    @Parameters(paramLabel = "TABLE")
    private String table = "";

    @Override
    public Group group() {
        return Group.TABLES;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        try (Bigtable bigtable = Connect.to(invocation.setting("at"))) {
            Table open = bigtable.table(table);
            Description description = new Description(open.schema(), open.tablets());
            if (invocation.json()) {
                Json.print(invocation.out(), description.document());
            } else {
                description.lines().forEach(invocation.out()::println);
            }
        }
        return ExitCode.DONE;
    }
}
