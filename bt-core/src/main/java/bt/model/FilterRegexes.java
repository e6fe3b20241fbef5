package bt.model;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The regular expressions of a filter, of all the filters in it too, equal ones once: so they are compiled. The paper has no such thing. */
public final class FilterRegexes {
    private FilterRegexes() {}

    /** In the order in which they stand there; the caller's. */
    public static Set<Regex> of(Filter filter) {
        Set<Regex> regexes = new LinkedHashSet<>();
        addTo(regexes, filter);
        return regexes;
    }

    private static void addTo(Set<Regex> regexes, Filter filter) {
        switch (filter.kind()) {
            case MATCHES -> regexes.add(((Filter.Matches) filter).regex());
            case NOT -> addTo(regexes, ((Filter.Not) filter).filter());
            case CHAIN -> addAll(regexes, ((Filter.Chain) filter).filters());
            case INTERLEAVE -> addAll(regexes, ((Filter.Interleave) filter).filters());
            case CONDITION -> {
                Filter.Condition condition = (Filter.Condition) filter;
                addAll(regexes, List.of(condition.predicate(), condition.then(), condition.otherwise()));
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

    private static void addAll(Set<Regex> regexes, List<Filter> filters) {
        filters.forEach(filter -> addTo(regexes, filter));
    }
}
