package bt.shell;

import static java.util.Objects.requireNonNull;

import bt.base.Bytes;
import bt.client.CellScanner;
import bt.client.Scan;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.UsageException;
import bt.model.Filter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bt scan}. */
@picocli.CommandLine.Command(
        name = "scan",
        description =
                "Reads rows in order: row, column, timestamp and value of each cell; exit code 1 when there are none.",
        footerHeading = Command.EXAMPLES,
        footer = {
            "  bt scan webtable --prefix com.cnn --limit 10",
            "  bt scan webtable --from com.a --to com.m --families anchor --versions 1",
            "  bt scan webtable --filter 'family=anchor & value~CNN.*'",
            "  bt scan webtable -e \"cell.text.contains('CNN')\""
        })
public final class ScanCommand implements Command {
    @Parameters(paramLabel = "TABLE")
    private String table = "";

    @Mixin
    private RowRangeOptions rows = new RowRangeOptions();

    @ArgGroup
    private @Nullable ScriptOptions script;

    @Option(names = "--limit", paramLabel = "N", description = "No more rows than these.")
    private long limit = Long.MAX_VALUE;

    @Option(names = "--limit-cells", paramLabel = "N", description = "End with the row that reaches so many cells.")
    private long limitCells = Long.MAX_VALUE;

    @Option(names = "--limit-bytes", paramLabel = "N", description = "End with the row that reaches so many bytes.")
    private long limitBytes = Long.MAX_VALUE;

    @Option(names = "--reverse", description = "From the last row to the first.")
    private boolean reversed;

    @Option(names = "--families", split = ",", paramLabel = "FAMILY", description = "Only these.")
    private List<String> families = new ArrayList<>();

    @Mixin
    private FilterOption filter = new FilterOption();

    @Override
    public Group group() {
        return Group.DATA;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        checkLimit("--limit", limit);
        checkLimit("--limit-cells", limitCells);
        checkLimit("--limit-bytes", limitBytes);
        ScanEnd end = new ScanEnd(limitCells, limitBytes);
        Optional<Filter> wanted = families.isEmpty() ? Optional.empty() : Optional.of(new Filter.Families(families));
        Optional<Filter> kept = script == null ? Optional.empty() : Optional.of(script.filter());
        Scan upwards = Scan.of(rows.rows())
                .filtered(filter.selection(wanted, kept, invocation).filter())
                .limited(end.rows(limit));
        Scan scan = reversed ? upwards.reversed() : upwards;
        try (CellScanner scanner = Connected.to(invocation).table(table).cells(scan)) {
            boolean found = new RowPrinter(invocation, end).print(new CellStream(scanner, invocation.err()));
            return found ? ExitCode.DONE : ExitCode.NOTHING_FOUND;
        }
    }

    private static void checkLimit(String option, long given) throws UsageException {
        if (given < 1) {
            throw new UsageException(option + " " + given, "ask for at least one");
        }
    }

    /** A script, from a file or from the command line. */
    static final class ScriptOptions {
        @Option(names = "--script", paramLabel = "FILE", description = "Only cells that this Groovy script keeps.")
        private @Nullable Path file;

        @Option(names = "-e", paramLabel = "GROOVY", description = "The same, the script itself.")
        private @Nullable String source;

        Filter filter() throws UsageException {
            String text = source != null ? source : ScriptFile.read(requireNonNull(file));
            return new Filter.Script("groovy", text, Bytes.EMPTY);
        }
    }
}
