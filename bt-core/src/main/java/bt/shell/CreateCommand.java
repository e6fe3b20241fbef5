package bt.shell;

import bt.base.Bytes;
import bt.client.Bigtable;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.model.Quotas;
import bt.model.TableSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bt create}. */
@picocli.CommandLine.Command(
        name = "create",
        description = "Creates a table, as in: bt create web contents anchor:versions=3,ttl=7d",
        footerHeading = Command.EXAMPLES,
        footer = {
            "  bt create webtable contents:versions=3 anchor",
            "  bt create webtable contents --split com.m --no-wait",
            "  bt create webtable contents:group=big,ttl=7d anchor --group big:codec=zstd --split com.m --split com.t"
        })
public final class CreateCommand implements Command {
    @Parameters(index = "0", paramLabel = "TABLE", description = "Its name.")
    private String table = "";

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = FamilyText.FORM,
            description =
                    "Its column families: how many versions of a cell are kept, for how long (s, m, h, d), and the"
                            + " locality group that each is in, \"default\" where none is named; with purge=AGE, 30m at least,"
                            + " deleted data is off the disk within that time.")
    private List<String> families = new ArrayList<>();

    @Option(
            names = "--group",
            paramLabel = GroupText.FORM,
            description = "A locality group of families that are stored together, as in pages:codec=zstd,block=128k. In"
                    + " memory it is read from disk once. May be repeated.")
    private List<String> groups = new ArrayList<>();

    @Option(names = "--split", paramLabel = "ROW", description = "Ends a tablet with this row. May be repeated.")
    private List<String> splits = new ArrayList<>();

    @Option(
            names = "--no-wait",
            description =
                    "Returns when the table is there, with an id, by which bt operations --wait waits until all its tablets"
                            + " are served.")
    private boolean noWait;

    @Mixin
    private QuotaOptions quotaOptions = new QuotaOptions();

    @Override
    public Group group() {
        return Group.TABLES;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        TableSchema.Builder draft = TableSchema.draft(table);
        for (String group : groups) {
            draft.group(GroupText.parse(group));
        }
        for (String family : families) {
            FamilyText.parse(family).addTo(draft);
        }
        Quotas quotas = Quotas.NONE;
        for (UnaryOperator<Quotas> change : quotaOptions.changes()) {
            quotas = change.apply(quotas);
        }
        TableSchema schema = draft.quotas(quotas).build();
        List<Bytes> rows = splits.stream().map(Bytes::parse).toList();
        Bigtable bigtable = Connected.to(invocation);
        if (noWait) {
            OperationsCommand.printBegun(invocation, bigtable.admin().startCreation(schema, rows));
            return ExitCode.DONE;
        }
        bigtable.admin().createTable(schema, rows);
        String tablets = rows.isEmpty() ? "one tablet" : rows.size() + 1 + " tablets";
        invocation.err().println("table " + table + " is there, with " + tablets);
        return ExitCode.DONE;
    }
}
