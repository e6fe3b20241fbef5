package bt.shell;

import bt.base.Bytes;
import bt.client.Bigtable;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.connect.Connect;
import bt.model.Filter;
import bt.model.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bt get}. */
@picocli.CommandLine.Command(
        name = "get",
        description = "Reads a row: row, column, timestamp and value of each cell; exit code 1 when there is none.")
public final class GetCommand implements Command {
    @Parameters(index = "0", paramLabel = "TABLE")
    private String table = "";

    @Parameters(index = "1", paramLabel = "ROW")
    private String row = "";

    @Parameters(index = "2..*", arity = "0..*", paramLabel = "FAMILY[:QUALIFIER]", description = "Only these.")
    private List<String> columns = new ArrayList<>();

    @Option(names = "--versions", paramLabel = "N", description = "The newest N of each column (default: 1).")
    private int versions = 1;

    @Override
    public Group group() {
        return Group.DATA;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        Filter filter = Filters.of(Columns.parse(columns).filter(), versions, Optional.empty());
        Bytes key = Bytes.parse(row);
        try (Bigtable bigtable = Connect.to(invocation.setting("at"))) {
            Optional<Row> found = bigtable.table(table).read(key, filter);
            found.ifPresent(new RowPrinter(invocation)::print);
            return found.isPresent() ? ExitCode.DONE : ExitCode.NOTHING_FOUND;
        }
    }
}
