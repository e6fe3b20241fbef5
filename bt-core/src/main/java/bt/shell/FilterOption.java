package bt.shell;

import bt.command.Invocation;
import bt.command.UsageException;
import bt.model.Filter;
import bt.model.Selection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which cells, as a filter in text, and how many versions of each column. */
final class FilterOption {
    @Option(
            names = "--filter",
            paramLabel = "FILTER",
            description = "Only cells that it lets pass, as in \"family=anchor & latest(3)\"; see"
                    + " docs/guide/filters.md.")
    private @Nullable String text;

    @Option(
            names = "--versions",
            paramLabel = "N",
            description = "The newest N of each column (default: 1, or with --filter and without --as-of as many as it"
                    + " lets pass).")
    private @Nullable Integer versions;

    @Option(
            names = "--as-of",
            paramLabel = "MICROS",
            description = "Only versions up to this timestamp, in microseconds since 1970; --versions says how many.")
    private @Nullable Long asOf;

    /** What it is asked of cells beside what else a command line says: columns before it, a script behind. */
    Selection selection(Optional<Filter> columns, Optional<Filter> script, Invocation invocation)
            throws UsageException {
        Selection selection = Selection.ALL
                .passing(columns.orElse(Filter.ALL))
                .passing(Filters.parse(text, invocation).orElse(Filter.ALL))
                .then(script.orElse(Filter.ALL));
        boolean isOneMeant = versions == null && text == null;
        return Filters.narrowed(selection, asOf, isOneMeant ? Integer.valueOf(1) : versions);
    }
}
