package bt.shell;

import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.model.AccessList;
import bt.model.SchemaChange;
import picocli.CommandLine.Mixin;

/** {@code bt grant}. */
@picocli.CommandLine.Command(
        name = "grant",
        description = "Gives a user rights for a table, a family or the cluster; from its first list on, a thing is for"
                + " those in its lists.",
        footerHeading = Command.EXAMPLES,
        footer = {
            "  bt grant ada all",
            "  bt grant alice read,write webtable",
            "  bt grant '*' read webtable:anchor",
        })
public final class GrantCommand implements Command {
    @Mixin
    private RightsWords words = new RightsWords();

    @Override
    public Group group() {
        return Group.TABLES;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        invocation
                .err()
                .println(words.apply(
                        AccessList::grant,
                        SchemaChange::grant,
                        Connected.to(invocation).admin()));
        return ExitCode.DONE;
    }
}
