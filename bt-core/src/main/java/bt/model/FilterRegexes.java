package bt.model;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** The regular expressions of a filter, of all the filters in it too, equal ones once: so they are compiled. The paper has no such thing. */
public final class FilterRegexes {
    private FilterRegexes() {}

    /** In the order in which they stand there; the caller's. */
    public static Set<Regex> of(Filter filter) {
        Set<Regex> regexes = new LinkedHashSet<>();
        forEach(filter, regexes::add);
        return regexes;
    }

    /** Each as often as it stands there. */
    public static void forEach(Filter filter, Consumer<Regex> each) {
        switch (filter.kind()) {
            case MATCHES -> each.accept(((Filter.Matches) filter).regex());
            case NOT -> forEach(((Filter.Not) filter).filter(), each);
            case CHAIN -> forEach(((Filter.Chain) filter).filters(), each);
            case INTERLEAVE -> forEach(((Filter.Interleave) filter).filters(), each);
            case CONDITION -> {
                Filter.Condition condition = (Filter.Condition) filter;
                forEach(List.of(condition.predicate(), condition.then(), condition.otherwise()), each);
            }
            case ALL,
                    NONE,
                    FAMILIES,
                    COLUMNS,
                    WITHIN,
                    LATEST,
                    SKIP_LATEST,
                    FIRST,
                    SKIP_FIRST,
                    TIMES,
                    SAMPLE,
                    KEYS,
                    LABEL,
                    SCRIPT -> {}
        }
    }

    private static void forEach(List<Filter> filters, Consumer<Regex> each) {
        for (Filter filter : filters) {
            forEach(filter, each);
        }
    }
}
