package bt.shell;

import bt.base.Bytes;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.model.ColumnKey;
import java.util.Map;
import picocli.CommandLine.Parameters;

/** {@code bt increment}. */
@picocli.CommandLine.Command(
        name = "increment",
        description = "Adds to a counter of 64 bits, which is 0 where there is none, and prints the sum;"
                + " -- before the words lets AMOUNT begin with a dash.",
        footerHeading = Command.EXAMPLES,
        footer = {
            "  bt increment webtable com.cnn.www anchor:visits",
            "  bt increment webtable com.cnn.www anchor:visits -- -2"
        })
public final class IncrementCommand implements Command {
    @Parameters(index = "0", paramLabel = "TABLE")
    private String table = "";

    @Parameters(index = "1", paramLabel = "ROW")
    private String row = "";

    @Parameters(index = "2", paramLabel = "FAMILY:QUALIFIER")
    private String column = "";

    @Parameters(index = "3", arity = "0..1", paramLabel = "AMOUNT", description = "Default: 1.")
    private long amount = 1;

    @Override
    public Group group() {
        return Group.DATA;
    }

    @Override
    public boolean isWrite() {
        return true;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        long sum = Connected.toWrite(invocation, table).increment(Bytes.parse(row), ColumnKey.parse(column), amount);
        if (invocation.json()) {
            Json.print(invocation.out(), Map.of("sum", sum));
        } else {
            invocation.out().println(sum);
        }
        return ExitCode.DONE;
    }
}
