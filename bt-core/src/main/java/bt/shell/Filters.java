package bt.shell;

import bt.command.Invocation;
import bt.command.UsageException;
import bt.model.Filter;
import bt.model.FilterText;
import bt.model.Selection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a command line says in filters. */
final class Filters {
    private Filters() {}

    /** A filter in text, if there is one; what is wrong with it is shown in it before it is said, or with JSON a field of that. */
    static Optional<Filter> parse(@Nullable String given, Invocation invocation) throws UsageException {
        if (given == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(FilterText.parse(given));
        } catch (FilterText.Malformed wrong) {
            if (!invocation.json()) {
                // One line, so that the mark stands below what it marks.
                invocation.err().println(given.replaceAll("\\p{Cntrl}", " "));
                invocation.err().println(" ".repeat(wrong.at()) + "^");
            }
            throw UsageException.of(wrong, "correct it there").at(wrong.at() + 1);
        }
    }

    /** As of a time and so many versions of each column, as far as that was said. */
    static Selection narrowed(Selection selection, @Nullable Long asOf, @Nullable Integer versions)
            throws UsageException {
        Selection narrowed = asOf == null ? selection : selection.asOf(asOf);
        if (versions == null) {
            return narrowed;
        }
        if (versions < 1) {
            throw new UsageException("--versions " + versions, "ask for at least one");
        }
        return narrowed.versions(versions);
    }
}
