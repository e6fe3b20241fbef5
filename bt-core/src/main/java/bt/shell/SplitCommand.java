package bt.shell;

import bt.base.Bytes;
import bt.client.Bigtable;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Parameters;

/** {@code bt split}. */
@picocli.CommandLine.Command(
        name = "split",
        description =
                "Splits the tablet that holds a row, so that it ends with it; without a row, every tablet in its middle."
                        + " Prints the rows that tablets end with now. A tablet of which all bytes are of one row cannot be split.",
        footerHeading = Command.EXAMPLES,
        footer = {"  bt split webtable com.m", "  bt split webtable"})
public final class SplitCommand implements Command {
    @Parameters(index = "0", paramLabel = "TABLE")
    private String table = "";

    @Parameters(index = "1", arity = "0..1", paramLabel = "ROW", description = "The last row of the lower half.")
    private @Nullable String row;

    @Override
    public Group group() {
        return Group.TABLES;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        Bigtable bigtable = Connected.to(invocation);
        for (Bytes end : split(bigtable)) {
            if (invocation.json()) {
                Json.print(invocation.out(), Map.of("end", end.toString()));
            } else {
                invocation.out().println(end);
            }
        }
        return ExitCode.DONE;
    }

    private List<Bytes> split(Bigtable bigtable) throws Exception {
        String last = row;
        if (last == null) {
            return bigtable.admin().splitTablets(table);
        }
        Bytes end = Bytes.parse(last);
        bigtable.admin().splitTablet(table, end);
        return List.of(end);
    }
}
