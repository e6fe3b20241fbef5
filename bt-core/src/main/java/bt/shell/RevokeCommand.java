package bt.shell;

import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.model.AccessList;
import bt.model.SchemaChange;
import picocli.CommandLine.Mixin;

/** {@code bt revoke}. */
@picocli.CommandLine.Command(
        name = "revoke",
        description =
                "Takes rights from a user; what another list gives stays, and a table whose lists are empty is for"
                        + " administrators alone.",
        footerHeading = Command.EXAMPLES,
        footer = {"  bt revoke alice write webtable", "  bt revoke '*' all webtable:anchor", "  bt revoke ada create"})
public final class RevokeCommand implements Command {
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
                        AccessList::revoke,
                        SchemaChange::revoke,
                        Connected.to(invocation).admin()));
        return ExitCode.DONE;
    }
}
