package bt.shell;

import static java.util.Objects.requireNonNullElse;

import bt.base.Bytes;
import bt.command.Command;
import bt.command.Invocation;
import bt.command.UsageException;
import bt.model.Change;
import bt.model.ColumnKey;
import bt.model.RowMutation;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bt delete}. */
@picocli.CommandLine.Command(
        name = "delete",
        description = "Deletes a row, or one family or column of it, or versions of a column; fine if there is none.",
        footerHeading = Command.EXAMPLES,
        footer = {
            "  bt delete webtable com.cnn.www anchor:cnnsi.com",
            "  bt delete webtable com.cnn.www anchor",
            "  bt delete webtable com.cnn.www",
            "  bt delete webtable com.cnn.www anchor --if 'family=anchor & value=CNN'"
        })
public final class DeleteCommand implements Command {
    @Parameters(index = "0", paramLabel = "TABLE")
    private String table = "";

    @Parameters(index = "1", paramLabel = "ROW")
    private String row = "";

    @Parameters(index = "2", arity = "0..1", paramLabel = "FAMILY[:QUALIFIER]", description = "Only this.")
    private @Nullable String what;

    @Option(names = "--timestamp", paramLabel = "MICROS", description = "Of the column only this version.")
    private @Nullable Long timestamp;

    @Option(names = "--oldest", paramLabel = "MICROS", description = "Of the column only versions from this one on.")
    private @Nullable Long oldest;

    @Option(names = "--newest", paramLabel = "MICROS", description = "Of the column only versions up to this one.")
    private @Nullable Long newest;

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
        RowMutation mutation = RowMutation.of(Bytes.parse(row)).add(change()).build();
        return condition.apply(table, mutation, invocation);
    }

    private Change change() throws UsageException {
        boolean ofVersions = timestamp != null || oldest != null || newest != null;
        String part = what;
        if (part != null && part.indexOf(':') >= 0) {
            ColumnKey column = ColumnKey.parse(part);
            return ofVersions ? versions(column) : new Change.DeleteColumn(column);
        }
        if (ofVersions) {
            throw new UsageException(
                    "--timestamp, --oldest and --newest choose versions of a column", "name FAMILY:QUALIFIER");
        }
        return part == null ? new Change.DeleteRow() : new Change.DeleteFamily(part);
    }

    private Change versions(ColumnKey column) throws UsageException {
        Long one = timestamp;
        if (one != null) {
            if (oldest != null || newest != null) {
                throw new UsageException("--timestamp is one version", "leave --oldest and --newest out");
            }
            return new Change.DeleteVersion(column, one);
        }
        return new Change.DeleteVersions(
                column, requireNonNullElse(oldest, Long.MIN_VALUE), requireNonNullElse(newest, Long.MAX_VALUE));
    }
}
