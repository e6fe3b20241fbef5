package bt.tablet;

import bt.base.ByteRange;
import bt.base.ByteRanges;
import bt.model.Filter;
import bt.model.Filter.Part;
import java.util.List;

/** What a filter says before it is shown a cell. */
final class FilterShape {
    private FilterShape() {}

    /** Whether it counts the cells of a row: then what it lets pass depends on all that it is shown. */
    static boolean countsCells(Filter filter) {
        return switch (filter.kind()) {
            case FIRST, SKIP_FIRST -> true;
            case CHAIN -> anyCountsCells(((Filter.Chain) filter).filters());
            case INTERLEAVE -> anyCountsCells(((Filter.Interleave) filter).filters());
            case CONDITION -> {
                Filter.Condition condition = (Filter.Condition) filter;
                yield countsCells(condition.then()) || countsCells(condition.otherwise());
            }
            case ALL,
                    NONE,
                    FAMILIES,
                    COLUMNS,
                    MATCHES,
                    WITHIN,
                    TIMES,
                    LATEST,
                    SKIP_LATEST,
                    SAMPLE,
                    KEYS,
                    LABEL,
                    SCRIPT -> false;
        };
    }

    private static boolean anyCountsCells(List<Filter> filters) {
        return filters.stream().anyMatch(FilterShape::countsCells);
    }

    /** The rows of which it may let anything pass. */
    static ByteRanges rows(Filter filter) {
        return switch (filter.kind()) {
            case NONE -> ByteRanges.NONE;
            case MATCHES -> {
                Filter.Matches matches = (Filter.Matches) filter;
                yield matches.part() == Part.ROW
                        ? matches.regex().range().map(ByteRanges::of).orElse(ByteRanges.ALL)
                        : ByteRanges.ALL;
            }
            case WITHIN -> {
                Filter.Within within = (Filter.Within) filter;
                ByteRange range = within.range();
                yield within.part() == Part.ROW ? ByteRanges.of(range) : ByteRanges.ALL;
            }
            // A row is a row whatever was counted in it, so here all parts of a chain say something.
            case CHAIN ->
                ((Filter.Chain) filter)
                        .filters().stream().map(FilterShape::rows).reduce(ByteRanges.ALL, ByteRanges::intersect);
            case INTERLEAVE ->
                ((Filter.Interleave) filter)
                        .filters().stream().map(FilterShape::rows).reduce(ByteRanges.NONE, ByteRanges::union);
            case CONDITION -> {
                Filter.Condition condition = (Filter.Condition) filter;
                yield rows(condition.then()).union(rows(condition.otherwise()));
            }
            case ALL, FAMILIES, COLUMNS, TIMES, LATEST, SKIP_LATEST, FIRST, SKIP_FIRST, SAMPLE, KEYS, LABEL, SCRIPT ->
                ByteRanges.ALL;
        };
    }
}
