package bt.shell;

import bt.base.Bytes;
import bt.command.UsageException;
import bt.model.RowRange;
import java.util.Optional;
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

    RowRange range() throws UsageException {
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
