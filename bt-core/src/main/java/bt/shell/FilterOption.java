package bt.shell;

import bt.command.Invocation;
import bt.command.UsageException;
import bt.model.Filter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which cells, as a filter in text, and how many versions of each column. */
final class FilterOption {
    @Option(
            names = "--filter",
            paramLabel = "FILTER",
            description = "Only cells that it lets pass, as in \"family=anchor & latest(3)\"; see docs/filters.md.")
    private @Nullable String text;

    @Option(
            names = "--versions",
            paramLabel = "N",
            description = "The newest N of each column (default: 1, or with --filter as many as it lets pass).")
    private @Nullable Integer versions;

    @Option(
            names = "--as-of",
            paramLabel = "MICROS",
            description = "Of each column the newest versions up to this timestamp, in microseconds since 1970.")
    private @Nullable Long asOf;

    /** Only versions that are not too new, if that is asked for. */
    Optional<Filter> times() {
        return Optional.ofNullable(asOf).map(newest -> new Filter.Times(Long.MIN_VALUE, newest));
    }

    Optional<Filter> filter(Invocation invocation) throws UsageException {
        return Filters.parse(text, invocation);
    }

    /** How many versions of each column, if that is bounded. */
    Optional<Filter> latest() throws UsageException {
        Integer given = versions;
        if (given == null) {
            return text == null ? Optional.of(new Filter.Latest(1)) : Optional.empty();
        }
        if (given < 1) {
            throw new UsageException("--versions " + given + ": ask for at least one");
        }
        return Optional.of(new Filter.Latest(given));
    }
}
