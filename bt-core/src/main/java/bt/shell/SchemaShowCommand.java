package bt.shell;

import bt.client.Bigtable;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import java.util.Map;
import picocli.CommandLine.Parameters;

/** {@code bt schema show}. */
@picocli.CommandLine.Command(
        name = "show",
        description = "Prints a table's schema as the JSON that bt schema apply reads.",
        footerHeading = Command.EXAMPLES,
        footer = {"  bt schema show webtable", "  bt schema show --at zk://zookeeper:2181/web webtable"})
public final class SchemaShowCommand implements Command {
    @Parameters(paramLabel = "TABLE")
    private String table = "";

    @Override
    public Group group() {
        return Group.TABLES;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        Bigtable bigtable = Connected.to(invocation);
        Map<String, Object> document = SchemaFile.document(bigtable.table(table).schema());
        if (invocation.json()) {
            Json.print(invocation.out(), document);
        } else {
            Json.printLaidOut(invocation.out(), document);
        }
        return ExitCode.DONE;
    }
}
