package bt.shell;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Clock;
import bt.base.RejectedException;
import bt.client.Table;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.UsageException;
import bt.shell.transfer.CellFormat;
import bt.shell.transfer.CellReader;
import bt.shell.transfer.CsvLayout;
import bt.shell.transfer.Import;
import bt.shell.transfer.Import.Malformed;
import bt.shell.transfer.Import.Stamps;
import bt.shell.transfer.MalformedCellException;
import bt.shell.transfer.Unwritten;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bt import}. */
@picocli.CommandLine.Command(
        name = "import",
        description =
                "Writes the cells of a file to a table that is there. It ends at the first that cannot be written, with"
                        + " all before it written; a cell with a timestamp may be imported again. A file of CSV is one"
                        + " that bt export wrote, or with --key and --columns anybody's: a record a row.",
        footerHeading = Command.EXAMPLES,
        footer = {
            "  bt import webtable webtable.avro",
            "  bt import webtable cnn.csv --bad bad.csv",
            "  bt import webtable old.avro --server-time",
            "  bt import people people.csv --key id --columns name=info:name,age=info:age --raw",
            "  bt import pages crawl.csv --key url --columns html=contents:,title=anchor:title --timestamp fetched"
        })
public final class ImportCommand implements Command {
    @Parameters(index = "0", paramLabel = "TABLE")
    private String name = "";

    @Parameters(index = "1", paramLabel = "FILE", description = "See docs/formats/export.md.")
    private Path file = Path.of("");

    @Option(names = "--format", description = "${COMPLETION-CANDIDATES} (default: what the file's name ends with).")
    private @Nullable CellFormat format;

    @Option(
            names = "--bad",
            paramLabel = "FILE",
            description =
                    "Of CSV: lines that are no cells go there, and the import goes on; exit code 1 if there are any.")
    private @Nullable Path bad;

    @Option(
            names = "--server-time",
            description =
                    "Servers give the timestamps, whatever the file says: each cell is new. Of an export's versions of a"
                            + " column that stand together the first is written, which is the newest; with --key each is"
                            + " a version, the last the newest.")
    private boolean serverTime;

    @Mixin
    private CsvOptions csv = new CsvOptions();

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
        CellFormat chosen = format != null ? format : CellFormat.of(file);
        if (bad != null && chosen != CellFormat.CSV) {
            throw new UsageException("--bad " + bad + ": only lines of CSV can be set aside", "leave it out");
        }
        if (bad != null && Files.exists(bad)) {
            throw new UsageException("--bad " + bad + ": the file exists already", "name one that does not");
        }
        CsvLayout layout = csv.layout(chosen);
        Table table = Connected.toWrite(invocation, name);
        CsvOptions.checkFamilies(layout, table.schema());
        Progress progress = new Progress(invocation.err(), Clock.system());
        try (CellReader cells = open(chosen, layout);
                BadLines lines = new BadLines(file, bad, invocation.err())) {
            long written = written(
                    cells,
                    table,
                    stamps(layout),
                    lines,
                    soFar -> progress.say(() -> soFar + " cells, up to " + cells.place()));
            invocation.err().println(written + " cells of " + file + " are in table " + name);
            return lines.end() ? ExitCode.NOTHING_FOUND : ExitCode.DONE;
        } catch (IOException unreadable) {
            if (unreadable instanceof BigtableException failed) {
                throw failed;
            }
            throw new UsageException(file + ": " + FileProblem.of(unreadable), "name a file of cells that can be read");
        }
    }

    private long written(CellReader cells, Table table, Stamps stamps, BadLines lines, LongConsumer progress)
            throws BigtableException {
        try {
            return new Import(table, stamps).run(cells, malformed(lines), progress);
        } catch (BigtableException failed) {
            BigtableException all = Unwritten.of(failed).orElse(failed);
            throw BigtableException.of(all.kind(), file + ", " + all.getMessage(), all.outcome(), 0)
                    .causedBy(failed);
        } catch (IOException end) {
            throw ended(end, cells.place());
        }
    }

    /** A record at which an import ends, whose file can be read on. */
    private static final class EndException extends IOException {
        private final String advice;

        EndException(String fact, String advice) {
            super(fact);
            this.advice = advice;
        }
    }

    /** The place where it ended and why, and what became of what stands before. */
    private BigtableException ended(IOException end, String place) {
        Optional<BigtableException> unwritten = Unwritten.of(end);
        String before = unwritten
                .map(failed -> "of what stands before it not all is written: " + failed.getMessage())
                .orElse("what stands before it is written");
        String advice = end instanceof EndException known ? known.advice : "correct the file and import it again";
        return new RejectedException(
                        file + ", " + place + ": " + FileProblem.of(end) + "; " + before,
                        advice,
                        unwritten.map(BigtableException::outcome).orElse(Outcome.NOT_APPLIED))
                .causedBy(end);
    }

    private Stamps stamps(CsvLayout layout) {
        if (!serverTime) {
            return Stamps.FILE;
        }
        return layout.mapping().isPresent() ? Stamps.SERVERS : Stamps.SERVERS_TO_THE_FIRST;
    }

    private CellReader open(CellFormat chosen, CsvLayout layout) throws IOException {
        InputStream in = Files.newInputStream(file);
        try {
            return chosen == CellFormat.CSV ? layout.reader(in) : chosen.reader(in);
        } catch (MalformedCellException wrong) {
            in.close();
            throw new RejectedException(file + ", " + wrong.getMessage(), "correct the file, and import it again");
        } catch (IOException unreadable) {
            in.close();
            throw unreadable;
        }
    }

    private Malformed malformed(BadLines lines) {
        return bad != null
                ? (at, what) -> keep(lines, at, what)
                : (at, what) -> {
                    throw new EndException(
                            String.valueOf(what.getMessage()),
                            "correct it and import the file again, or set such lines aside with --bad FILE");
                };
    }

    private void keep(BadLines lines, CellReader at, MalformedCellException what) throws EndException {
        try {
            lines.keep(at, what);
        } catch (IOException full) {
            EndException end = new EndException(
                    "it cannot be set aside in " + bad + ": " + FileProblem.of(full),
                    "import the file again with another --bad FILE");
            end.initCause(full);
            throw end;
        }
    }
}
