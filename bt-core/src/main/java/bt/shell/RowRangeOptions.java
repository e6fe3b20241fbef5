package bt.shell;

import bt.base.Bytes;
import bt.command.UsageException;
import bt.model.RowRange;
import bt.model.RowSet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which rows: those that every one of the options admits. */
final class RowRangeOptions {
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
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> !line.isEmpty()).map(Bytes::parse).toList();
        } catch (IOException | UncheckedIOException unreadable) {
            throw new UsageException("--rows " + file + ": "
                    + unreadable.getClass().getSimpleName() + ": name a file with a row key in each line");
        }
    }

    private RowRange range() throws UsageException {
        Bytes start = from == null ? Bytes.EMPTY : Bytes.parse(from);
        Optional<Bytes> end = Optional.ofNullable(to).map(Bytes::parse);
        if (end.isPresent() && start.compareTo(end.get()) > 0) {
            throw new UsageException("rows from " + start + " to " + end.get()
                    + ": the first comes after the last; exchange --from and --to");
        }
        RowRange between = new RowRange(start, end);
        return prefix == null ? between : between.intersect(RowRange.prefix(Bytes.parse(prefix)));
    }
}
