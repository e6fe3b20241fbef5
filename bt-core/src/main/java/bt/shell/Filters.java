package bt.shell;

import bt.command.Invocation;
import bt.command.UsageException;
import bt.model.Filter;
import bt.model.FilterText;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a command line says in filters, and what it asks of the cells it reads. */
final class Filters {
    private Filters() {}

    /** A filter in text, if there is one; what is wrong with it is shown in it before it is said. */
    static Optional<Filter> parse(@Nullable String given, Invocation invocation) throws UsageException {
        if (given == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(FilterText.parse(given));
        } catch (FilterText.Malformed wrong) {
            // One line, so that the mark stands below what it marks.
            invocation.err().println(given.replaceAll("\\p{Cntrl}", " "));
            invocation.err().println(" ".repeat(wrong.at()) + "^");
            throw new UsageException(String.valueOf(wrong.getMessage()));
        }
    }

    /**
     * First the columns, then the filter, then the time and the versions, then the script: a script sees what would be printed without
     * it, and never brings an older version to light by refusing the newest.
     */
    static Filter of(Optional<Filter> columns, FilterOption option, Optional<Filter> script, Invocation invocation)
            throws UsageException {
        return Filter.chain(Stream.of(columns, option.filter(invocation), option.times(), option.latest(), script)
                .flatMap(Optional::stream)
                .toList());
    }
}
