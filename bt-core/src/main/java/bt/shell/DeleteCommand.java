package bt.shell;

import bt.base.Bytes;
import bt.client.Bigtable;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.connect.Connect;
import bt.model.ColumnKey;
import bt.model.RowMutation;
import picocli.CommandLine.Parameters;

/** {@code bt delete}. */
@picocli.CommandLine.Command(
        name = "delete",
        description = "Deletes a row, or one family or column of it; fine if there is none.")
public final class DeleteCommand implements Command {
    @Parameters(index = "0", paramLabel = "TABLE")
    private String table = "";

    @Parameters(index = "1", paramLabel = "ROW")
    private String row = "";

    @Parameters(index = "2", arity = "0..1", paramLabel = "FAMILY[:QUALIFIER]", description = "Only this.")
    private String what = "";

    @Override
    public Group group() {
        return Group.DATA;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        RowMutation.Builder mutation = RowMutation.of(Bytes.parse(row));
        if (what.isEmpty()) {
            mutation.deleteRow();
        } else if (what.indexOf(':') < 0) {
            mutation.deleteFamily(what);
        } else {
            mutation.deleteColumn(ColumnKey.parse(what));
        }
        try (Bigtable bigtable = Connect.to(invocation.setting("at"))) {
            bigtable.table(table).apply(mutation.build());
        }
        return ExitCode.DONE;
    }
}
