package bt.shell;

import bt.base.Bytes;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.MayBeEmpty;
import bt.model.ColumnKey;
import java.util.Map;
import picocli.CommandLine.Parameters;

/** {@code bt append}. */
@picocli.CommandLine.Command(
        name = "append",
        description = "Writes a column's newest value with VALUE behind it, and prints how many bytes it has then;"
                + " \\xNN stands for a byte, and -- before the words lets one begin with a dash.",
        footerHeading = Command.EXAMPLES,
        footer = {"  bt append webtable com.cnn.www anchor:log ' and more'"})
public final class AppendCommand implements Command {
    @Parameters(index = "0", paramLabel = "TABLE")
    private String table = "";

    @Parameters(index = "1", paramLabel = "ROW")
    private String row = "";

    @Parameters(index = "2", paramLabel = "FAMILY:QUALIFIER")
    private String column = "";

    @MayBeEmpty
    @Parameters(index = "3", paramLabel = "VALUE")
    private String value = "";

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
        long length = Connected.toWrite(invocation, table)
                .append(Bytes.parse(row), ColumnKey.parse(column), Bytes.parse(value));
        if (invocation.json()) {
            Json.print(invocation.out(), Map.of("bytes", length));
        } else {
            invocation.out().println(length);
        }
        return ExitCode.DONE;
    }
}
