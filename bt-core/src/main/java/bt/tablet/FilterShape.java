package bt.tablet;

import bt.base.ByteRange;
import bt.base.ByteRanges;
import bt.model.Filter;
import bt.model.Filter.Kind;
import bt.model.Filter.Part;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What a filter says before it is shown a cell. */
final class FilterShape {
    private static final Set<Kind> CELL_COUNTS = EnumSet.of(Kind.FIRST, Kind.SKIP_FIRST);

    /** Of cells, or of the versions of a column. */
    private static final Set<Kind> COUNTS = EnumSet.of(Kind.FIRST, Kind.SKIP_FIRST, Kind.LATEST, Kind.SKIP_LATEST);

    private FilterShape() {}

    /** Whether it counts the cells of a row: then what it lets pass depends on all that it is shown. */
    static boolean countsCells(Filter filter) {
        return has(CELL_COUNTS, filter);
    }

    private static boolean has(Set<Kind> kinds, Filter filter) {
        if (kinds.contains(filter.kind())) {
            return true;
        }
        List<Filter> parts = parts(filter);
        // By number: every read asks, and an iterator is an object.
        for (int i = 0; i < parts.size(); i++) {
            if (has(kinds, parts.get(i))) {
                return true;
            }
        }
        return false;
    }

    /** Those that are shown what it is shown, or what another of them let pass. */
    private static List<Filter> parts(Filter filter) {
        return switch (filter.kind()) {
            case NOT -> List.of(((Filter.Not) filter).filter());
            case CHAIN -> ((Filter.Chain) filter).filters();
            case INTERLEAVE -> ((Filter.Interleave) filter).filters();
            case CONDITION -> {
                Filter.Condition condition = (Filter.Condition) filter;
                yield List.of(condition.then(), condition.otherwise());
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
                    FIRST,
                    SKIP_FIRST,
                    SAMPLE,
                    KEYS,
                    LABEL,
                    SCRIPT -> List.of();
        };
    }

    /** The times of the versions that it may let pass; behind what counts versions or cells all matter that it is shown. */
    static TimeSpan times(Filter filter) {
        return switch (filter.kind()) {
            case NONE -> TimeSpan.NONE;
            case TIMES -> new TimeSpan(((Filter.Times) filter).oldest(), ((Filter.Times) filter).newest());
            case NOT -> timesWithout(((Filter.Not) filter).filter());
            case CHAIN -> timesOfChain(((Filter.Chain) filter).filters());
            case INTERLEAVE, CONDITION ->
                parts(filter).stream().map(FilterShape::times).reduce(TimeSpan.NONE, TimeSpan::hull);
            case ALL,
                    FAMILIES,
                    COLUMNS,
                    MATCHES,
                    WITHIN,
                    LATEST,
                    SKIP_LATEST,
                    FIRST,
                    SKIP_FIRST,
                    SAMPLE,
                    KEYS,
                    LABEL,
                    SCRIPT -> TimeSpan.ALL;
        };
    }

    /** A span has no gap: something follows from times alone that reach to an end. */
    private static TimeSpan timesWithout(Filter filter) {
        if (filter.kind() != Kind.TIMES) {
            return TimeSpan.ALL;
        }
        Filter.Times times = (Filter.Times) filter;
        boolean fromTheOldest = times.oldest() == Long.MIN_VALUE;
        if (times.newest() == Long.MAX_VALUE) {
            return fromTheOldest ? TimeSpan.NONE : new TimeSpan(Long.MIN_VALUE, times.oldest() - 1);
        }
        return fromTheOldest ? new TimeSpan(times.newest() + 1, Long.MAX_VALUE) : TimeSpan.ALL;
    }

    private static TimeSpan timesOfChain(List<Filter> parts) {
        TimeSpan times = TimeSpan.ALL;
        for (Filter part : parts) {
            times = times.intersect(times(part));
            if (has(COUNTS, part)) {
                break;
            }
        }
        return times;
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
            case NOT -> rowsWithout(((Filter.Not) filter).filter());
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

    private static ByteRanges rowsWithout(Filter filter) {
        if (filter.kind() != Kind.WITHIN) {
            return ByteRanges.ALL;
        }
        Filter.Within within = (Filter.Within) filter;
        return within.part() == Part.ROW ? ByteRanges.of(within.range()).complement() : ByteRanges.ALL;
    }

    /**
     * Of a filter that judges each cell by itself and has let one pass: which of those behind it then pass too, said as what
     * dropping that one would drop with it.
     */
    static Verdict whatShares(Filter filter) {
        return switch (filter.kind()) {
            case SAMPLE -> Verdict.DROP_ROW;
            case FAMILIES, COLUMNS -> Verdict.DROP_COLUMN;
            case MATCHES -> whatShares(((Filter.Matches) filter).part());
            case WITHIN -> whatShares(((Filter.Within) filter).part());
            // Versions come newest first.
            case TIMES -> ((Filter.Times) filter).oldest() == Long.MIN_VALUE ? Verdict.DROP_COLUMN : Verdict.DROP;
            case ALL,
                    NONE,
                    LATEST,
                    SKIP_LATEST,
                    FIRST,
                    SKIP_FIRST,
                    KEYS,
                    LABEL,
                    SCRIPT,
                    CHAIN,
                    INTERLEAVE,
                    CONDITION,
                    NOT -> Verdict.DROP;
        };
    }

    private static Verdict whatShares(Part part) {
        return switch (part) {
            case ROW -> Verdict.DROP_ROW;
            case FAMILY, QUALIFIER -> Verdict.DROP_COLUMN;
            case VALUE -> Verdict.DROP;
        };
    }
}
