package bt.model;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What of a filter its user needs rights for: the families that it names, and whether a script is part of it. The paper
 * has no such thing.
 */
public record FilterUse(Set<String> families, boolean runsScript) {
    public FilterUse {
        families = Set.copyOf(families);
    }

    /** What a filter needs, with all the filters in it. */
    public static FilterUse of(Filter filter) {
        Set<String> families = new HashSet<>();
        boolean runsScript = addTo(families, filter);
        return new FilterUse(families, runsScript);
    }

    /** Whether there is a script in it. */
    private static boolean addTo(Set<String> families, Filter filter) {
        return switch (filter.kind()) {
            case FAMILIES -> {
                families.addAll(((Filter.Families) filter).names());
                yield false;
            }
            case COLUMNS -> {
                ((Filter.Columns) filter).columns().forEach(column -> families.add(column.family()));
                yield false;
            }
            case SCRIPT -> true;
            case NOT -> addTo(families, ((Filter.Not) filter).filter());
            case CHAIN -> addAll(families, ((Filter.Chain) filter).filters());
            case INTERLEAVE -> addAll(families, ((Filter.Interleave) filter).filters());
            case CONDITION -> {
                Filter.Condition condition = (Filter.Condition) filter;
                yield addAll(families, List.of(condition.predicate(), condition.then(), condition.otherwise()));
            }
            case ALL, NONE, MATCHES, WITHIN, LATEST, SKIP_LATEST, FIRST, SKIP_FIRST, TIMES, SAMPLE, KEYS, LABEL ->
                false;
        };
    }

    private static boolean addAll(Set<String> families, List<Filter> filters) {
        boolean runsScript = false;
        for (Filter filter : filters) {
            runsScript |= addTo(families, filter);
        }
        return runsScript;
    }
}
