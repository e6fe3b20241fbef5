package bt.shell;

import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.model.AccessList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** {@code bt rights}. */
@picocli.CommandLine.Command(
        name = "rights",
        description = "Lists who creates tables and administers the cluster; bt describe TABLE tells of a table.",
        footerHeading = Command.EXAMPLES,
        footer = {"  bt rights"})
public final class RightsCommand implements Command {
    @Override
    public Group group() {
        return Group.CLUSTER;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        Optional<AccessList> list = Connected.to(invocation).admin().access();
        if (invocation.json()) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("open", list.isEmpty());
            document.put("users", AccessDescription.users(list.orElse(AccessList.NOBODY)));
            Json.print(invocation.out(), document);
        } else if (list.isEmpty()) {
            invocation.err().println("there is no list: everybody may do everything");
        } else {
            AccessDescription.lines("cluster", list.get()).forEach(invocation.out()::println);
        }
        return ExitCode.DONE;
    }
}
