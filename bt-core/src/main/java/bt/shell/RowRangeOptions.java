package bt.shell;

import bt.base.Bytes;
import bt.base.LongLineException;
import bt.base.TextLines;
import bt.command.UsageException;
import bt.model.Limits;
import bt.model.RowRange;
import bt.model.RowSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which rows: those that every one of the options admits. */
final class RowRangeOptions {
    /** The longest row key, with each byte written {@code \xNN}, fits. */
    private static final int MAX_LINE_BYTES = 4 * Limits.ROW_BYTES + 2;

    private static final Pattern LINE_END = Pattern.compile("[\r\n]+$");

    @Option(names = "--from", paramLabel = "ROW", description = "The first row, included.")
    private @Nullable String from;

    @Option(names = "--to", paramLabel = "ROW", description = "The last row, excluded.")
    private @Nullable String to;

    @Option(names = "--prefix", paramLabel = "PREFIX", description = "Rows that begin so.")
    private @Nullable String prefix;

    @Option(names = "--row", paramLabel = "ROW", description = "This row; may be given several times.")
    private List<String> named = new ArrayList<>();

    @Option(
            names = "--rows",
            paramLabel = "FILE",
            description = "The rows of a file, one a line, written as bt prints them.")
    private @Nullable Path file;

    RowSet rows() throws UsageException {
        List<Bytes> alone = new ArrayList<>();
        named.forEach(row -> alone.add(Bytes.parse(row)));
        if (file != null) {
            alone.addAll(rowsOf(file));
        }
        RowRange range = range();
        return file == null && named.isEmpty()
                ? RowSet.of(range)
                : RowSet.rows(alone).intersect(range);
    }

    private static List<Bytes> rowsOf(Path file) throws UsageException {
        try (TextLines lines = new TextLines(Files.newInputStream(file), MAX_LINE_BYTES)) {
            return rowsOf(lines, "--rows " + file + ", line ");
        } catch (IOException unreadable) {
            throw new UsageException(
                    "--rows " + file + ": " + FileProblem.of(unreadable), "name a file with a row key in each line");
        }
    }

    private static List<Bytes> rowsOf(TextLines lines, String line) throws UsageException, IOException {
        List<Bytes> rows = new ArrayList<>();
        try {
            for (Optional<String> next = lines.next(); next.isPresent(); next = lines.next()) {
                if (lines.foreign().isPresent()) {
                    throw new UsageException(
                            line + lines.number() + ": bytes that are no UTF-8",
                            "write them \\xNN, or convert the file");
                }
                String row = LINE_END.matcher(next.get()).replaceFirst("");
                if (!row.isEmpty()) {
                    rows.add(row(row, line + lines.number()));
                }
            }
        } catch (LongLineException tooLong) {
            throw new UsageException(
                    line + lines.number() + ": " + tooLong.getMessage() + ", which no row key has",
                    "write one row key in each line");
        }
        return rows;
    }

    private static Bytes row(String text, String place) throws UsageException {
        try {
            return Bytes.parse(text);
        } catch (IllegalArgumentException wrong) {
            throw UsageException.of(place, wrong, "correct it");
        }
    }

    private RowRange range() throws UsageException {
        Bytes start = from == null ? Bytes.EMPTY : Bytes.parse(from);
        Optional<Bytes> end = Optional.ofNullable(to).map(Bytes::parse);
        if (end.isPresent() && start.compareTo(end.get()) > 0) {
            throw new UsageException(
                    "rows from " + start + " to " + end.get() + ": the first comes after the last",
                    "exchange --from and --to");
        }
        RowRange between = new RowRange(start, end);
        return prefix == null ? between : between.intersect(RowRange.prefix(Bytes.parse(prefix)));
    }
}
