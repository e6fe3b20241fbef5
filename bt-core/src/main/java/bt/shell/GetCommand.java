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
import picocli.CommandLine.Mixin;
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

    @Mixin
    private FilterOption filter = new FilterOption();

    @Override
    public Group group() {
        return Group.DATA;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        Filter wanted = Filters.of(Columns.parse(columns).filter(), filter, Optional.empty(), invocation);
        Bytes key = Bytes.parse(row);
        try (Bigtable bigtable = Connect.to(invocation.setting("at"))) {
            Optional<Row> found = bigtable.table(table).read(key, wanted);
            found.ifPresent(new RowPrinter(invocation)::print);
            return found.isPresent() ? ExitCode.DONE : ExitCode.NOTHING_FOUND;
        }
    }
}
