package bt.shell;

import bt.client.Bigtable;
import bt.client.Table;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bt describe}. */
@picocli.CommandLine.Command(
        name = "describe",
        description =
                "Shows a table's families, locality groups and tablets; the bytes of a tablet are those of its files.",
        footerHeading = Command.EXAMPLES,
        footer = {"  bt describe webtable", "  bt describe webtable --sizes"})
public final class DescribeCommand implements Command {
    @Parameters(paramLabel = "TABLE")
    private String table = "";

    @Option(
            names = "--sizes",
            description =
                    "Shows what families and locality groups take in memory and on disk instead; asks every server.")
    private boolean sizes;

    @Override
    public Group group() {
        return Group.TABLES;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        Bigtable bigtable = Connected.to(invocation);
        if (sizes) {
            print(invocation, new SizeDescription(table, bigtable.admin().sizes(table)));
        } else {
            Table open = bigtable.table(table);
            print(
                    invocation,
                    new Description(
                            open.schema(), open.tablets(), bigtable.admin().use(table)));
        }
        return ExitCode.DONE;
    }

    private static void print(Invocation invocation, Told told) {
        if (invocation.json()) {
            Json.print(invocation.out(), told.document());
        } else {
            told.lines().forEach(invocation.out()::println);
        }
    }

    /** In lines for people and their tools, or as a JSON document. */
    interface Told {
        List<String> lines();

        Map<String, Object> document();
    }
}
