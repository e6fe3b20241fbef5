package bt.shell;

import bt.base.Bytes;
import bt.client.Bigtable;
import bt.client.CellScanner;
import bt.client.Scan;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.model.Filter;
import bt.model.RowSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bt get}. */
@picocli.CommandLine.Command(
        name = "get",
        description =
                "Reads a row, or several: row, column, timestamp and value of each cell; exit code 1 when there is none.",
        footerHeading = Command.EXAMPLES,
        footer = {
            "  bt get webtable com.cnn.www",
            "  bt get webtable com.cnn.www anchor contents: --versions 2",
            "  bt get webtable com.cnn.www --also com.cnn.edition --also org.apache.www",
            "  bt get webtable 'key\\x00\\xff' --filter 'value~CNN.*'"
        })
public final class GetCommand implements Command {
    @Parameters(index = "0", paramLabel = "TABLE")
    private String table = "";

    @Parameters(index = "1", paramLabel = "ROW")
    private String row = "";

    @Parameters(index = "2..*", arity = "0..*", paramLabel = "FAMILY[:QUALIFIER]", description = "Only these.")
    private List<String> columns = new ArrayList<>();

    @Option(
            names = "--also",
            paramLabel = "ROW",
            description = "This row too; may be given several times. They come in the order of their keys, and of which"
                    + " there is nothing is told.")
    private List<String> others = new ArrayList<>();

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
        List<Bytes> keys =
                Stream.concat(Stream.of(row), others.stream()).map(Bytes::parse).toList();
        Bigtable bigtable = Connected.to(invocation);
        Scan scan = Scan.of(RowSet.rows(keys)).filtered(wanted);
        try (CellScanner scanner = bigtable.table(table).cells(scan)) {
            CellStream cells = new CellStream(scanner, invocation.err());
            if (!others.isEmpty()) {
                cells.awaiting(keys);
            }
            boolean found = new RowPrinter(invocation, ScanEnd.none()).print(cells);
            if (found) {
                cells.missing().forEach(key -> invocation.err().println("nothing of row " + key));
            }
            return found ? ExitCode.DONE : ExitCode.NOTHING_FOUND;
        }
    }
}
