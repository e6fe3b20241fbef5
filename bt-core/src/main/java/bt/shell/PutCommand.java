package bt.shell;

import bt.base.Bytes;
import bt.command.Command;
import bt.command.Invocation;
import bt.command.MayBeEmpty;
import bt.model.Change;
import bt.model.ColumnKey;
import bt.model.RowMutation;
import bt.model.Timestamps;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bt put}. */
@picocli.CommandLine.Command(
        name = "put",
        description = "Writes a cell; \\xNN stands for a byte, and -- before the words lets one begin with a dash.",
        footerHeading = Command.EXAMPLES,
        footer = {
            "  bt put webtable com.cnn.www anchor:cnnsi.com CNN",
            "  bt put webtable 'key\\x00\\xff' contents: '<html>' --timestamp 1700000000000000",
            "  bt put webtable com.cnn.www anchor:cnnsi.com CNN --unless \"column=anchor:'cnnsi.com'\""
        })
public final class PutCommand implements Command {
    @Parameters(index = "0", paramLabel = "TABLE")
    private String table = "";

    @Parameters(index = "1", paramLabel = "ROW")
    private String row = "";

    @Parameters(index = "2", paramLabel = "FAMILY:QUALIFIER")
    private String column = "";

    @MayBeEmpty
    @Parameters(index = "3", paramLabel = "VALUE")
    private String value = "";

    @Option(names = "--timestamp", paramLabel = "MICROS", description = "Since 1970 (default: the server's clock).")
    private @Nullable Long timestamp;

    @Mixin
    private ConditionOption condition = new ConditionOption();

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
        long given = timestamp == null ? Change.SERVER_TIME : Timestamps.given(timestamp);
        RowMutation mutation = RowMutation.of(Bytes.parse(row))
                .set(ColumnKey.parse(column), given, Bytes.parse(value))
                .build();
        return condition.apply(table, mutation, invocation);
    }
}
