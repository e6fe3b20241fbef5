package bt.shell;

import bt.base.BigtableException;
import bt.base.Clock;
import bt.base.UnavailableException;
import bt.client.CellScanner;
import bt.client.Scan;
import bt.client.Table;
import bt.client.TabletInfo;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.UsageException;
import bt.model.Cell;
import bt.model.Filter;
import bt.model.Selection;
import bt.shell.transfer.CellFormat;
import bt.shell.transfer.CellWriter;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bt export}. */
@picocli.CommandLine.Command(
        name = "export",
        description = "Writes the cells of a table to a file, every version of them; bt import reads it back.",
        footerHeading = Command.EXAMPLES,
        footer = {
            "  bt export webtable webtable.avro",
            "  bt export webtable cnn.csv --prefix com.cnn --families anchor",
            "  bt export webtable newest.csv --versions 1",
            "  bt export webtable links.avro --filter \"family=anchor & value~'CNN.*'\" --as-of 1700000000000000"
        })
public final class ExportCommand implements Command {
    @Parameters(index = "0", paramLabel = "TABLE")
    private String name = "";

    @Parameters(index = "1", paramLabel = "FILE", description = "Is there when all is in it, until then as FILE.part.")
    private Path file = Path.of("");

    @Option(names = "--format", description = "${COMPLETION-CANDIDATES} (default: what the file's name ends with).")
    private @Nullable CellFormat format;

    @Mixin
    private RowRangeOptions rows = new RowRangeOptions();

    @Option(names = "--families", split = ",", paramLabel = "FAMILY", description = "Only these.")
    private List<String> families = new ArrayList<>();

    @Option(
            names = "--filter",
            paramLabel = "FILTER",
            description =
                    "Only cells that it lets pass, as in \"qualifier~'.*cnn.*'\"; see docs/guide/filters.md. The file"
                            + " has no labels.")
    private @Nullable String filter;

    @Option(
            names = "--versions",
            paramLabel = "N",
            description = "The newest N of each column (default: all, or with --as-of 1).")
    private @Nullable Integer versions;

    @Option(
            names = "--as-of",
            paramLabel = "MICROS",
            description = "Only versions up to this timestamp, in microseconds since 1970; --versions says how many.")
    private @Nullable Long asOf;

    @Override
    public Group group() {
        return Group.DATA;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        CellFormat chosen = format != null ? format : CellFormat.of(file);
        Scan scan = Scan.of(rows.rows()).filtered(filter(invocation));
        Table table = Connected.to(invocation).table(name);
        try (PartFile part = PartFile.open(file, invocation.err())) {
            long cells;
            try (CellWriter out = chosen.writer(part.out())) {
                cells = copy(table, scan, out::write, invocation.err());
            }
            part.finish();
            invocation.err().println(cells + " cells of table " + name + " are in " + file);
            return ExitCode.DONE;
        } catch (FileAlreadyExistsException another) {
            throw new UsageException(
                    PartFile.partOf(file) + " is there already: another export writes it, or was" + " killed",
                    "wait for its end, or remove it, or name another file");
        } catch (IOException full) {
            if (full instanceof BigtableException failed) {
                throw failed;
            }
            throw new UsageException(
                    PartFile.partOf(file) + ": " + FileProblem.of(full), "name a file that can be written");
        }
    }

    private Filter filter(Invocation invocation) throws UsageException {
        Filter ofFamilies = families.isEmpty() ? Filter.ALL : new Filter.Families(families);
        Selection selection = Selection.ALL
                .passing(ofFamilies)
                .passing(Filters.parse(filter, invocation).orElse(Filter.ALL));
        return Filters.narrowed(selection, asOf, versions).filter();
    }

    /** Where the cells go. */
    @FunctionalInterface
    interface Sink {
        void write(Cell cell) throws IOException;
    }

    /** How many there were. */
    static long copy(Table table, Scan scan, Sink out, PrintStream err) throws IOException {
        Progress progress = new Progress(err, Clock.system());
        List<TabletInfo> tablets = table.tablets();
        long cells = 0;
        // Cell by cell: a row may be larger than memory.
        try (CellScanner scanner = table.cells(scan)) {
            CellStream stream = new CellStream(scanner, err);
            for (Optional<Cell> next = stream.next(); next.isPresent(); next = stream.next()) {
                Cell cell = next.get();
                out.write(cell);
                cells++;
                long soFar = cells;
                progress.say(
                        () -> soFar + " cells, up to row " + cell.row() + ", " + Progress.tablets(tablets, cell.row()));
                if (Thread.currentThread().isInterrupted()) {
                    throw new UnavailableException(
                            "export of table " + table.schema().name() + ": interrupted after " + soFar
                                    + " cells, and part of them is no export: begin it again");
                }
            }
        }
        return cells;
    }
}
