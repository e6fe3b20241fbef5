package bt.shell;

import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.model.AccessList;
import bt.model.Right;
import bt.model.SchemaChange;
import java.util.Optional;
import java.util.Set;
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
                .println(words.apply(new Taking(), Connected.to(invocation).admin()));
        return ExitCode.DONE;
    }

    private record Taking() implements RightsWords.Change {
        @Override
        public AccessList list(AccessList now, String user, Set<Right> rights) {
            return now.revoke(user, rights);
        }

        @Override
        public SchemaChange schema(SchemaChange now, String user, Set<Right> rights, Optional<String> family) {
            return now.revoke(user, rights, family);
        }
    }
}
