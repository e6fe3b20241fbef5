package bt.shell;

import bt.base.Bytes;
import bt.client.Bigtable;
import bt.client.CellScanner;
import bt.client.Scan;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.model.Filter;
import bt.model.RowRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code bt get}. */
@picocli.CommandLine.Command(
        name = "get",
        description = "Reads a row: row, column, timestamp and value of each cell; exit code 1 when there is none.",
        footerHeading = Command.EXAMPLES,
        footer = {
            "  bt get webtable com.cnn.www",
            "  bt get webtable com.cnn.www anchor contents: --versions 2",
            "  bt get webtable 'key\\x00\\xff' --filter 'value~CNN.*'"
        })
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
        Filter wanted = filter.selection(Columns.parse(columns).filter(), Optional.empty(), invocation)
                .filter();
        Bytes key = Bytes.parse(row);
        Bigtable bigtable = Connected.to(invocation);
        Scan scan = Scan.of(RowRange.row(key)).filtered(wanted);
        try (CellScanner scanner = bigtable.table(table).cells(scan)) {
            boolean found = new RowPrinter(invocation, ScanEnd.none()).print(new CellStream(scanner, invocation.err()));
            return found ? ExitCode.DONE : ExitCode.NOTHING_FOUND;
        }
    }
}
