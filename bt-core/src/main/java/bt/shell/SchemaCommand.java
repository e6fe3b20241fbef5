package bt.shell;

import bt.command.Command;
import bt.command.Invocation;
import bt.command.UsageException;

/** {@code bt schema}. */
@picocli.CommandLine.Command(
        name = "schema",
        description = "A table's schema as a file: prints it, or makes a table what a file says.",
        subcommands = {SchemaShowCommand.class, SchemaApplyCommand.class},
        footerHeading = Command.EXAMPLES,
        footer = {"  bt schema show webtable > webtable.json", "  bt schema apply webtable.json"})
public final class SchemaCommand implements Command {
    @Override
    public Group group() {
        return Group.TABLES;
    }

    @Override
    public int run(Invocation invocation) throws UsageException {
        throw new UsageException("schema", "say show or apply (bt help schema)");
    }
}
