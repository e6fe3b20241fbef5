package bt.model;

import static java.util.stream.Collectors.joining;

import bt.base.ByteRange;
import bt.base.Bytes;
import bt.model.Filter.Kind;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The one text of a filter. */
final class FilterPrinter {
    private FilterPrinter() {}

    static String print(Filter filter) {
        return switch (filter.kind()) {
            case ALL -> "all";
            case NONE -> "none";
            case KEYS -> "keys";
            case FAMILIES -> "family" + list(((Filter.Families) filter).names(), FilterPrinter::text);
            case COLUMNS ->
                "column"
                        + list(
                                ((Filter.Columns) filter).columns(),
                                column -> text(column.family()) + ":" + bytes(column.qualifier()));
            case MATCHES -> {
                Filter.Matches matches = (Filter.Matches) filter;
                yield name(matches.part()) + "~" + quoted(matches.regex().text());
            }
            case WITHIN -> {
                Filter.Within within = (Filter.Within) filter;
                yield name(within.part()) + range(within.part(), within.range());
            }
            case TIMES -> times((Filter.Times) filter);
            case LATEST -> "latest(" + ((Filter.Latest) filter).count() + ")";
            case SKIP_LATEST -> "skip_latest(" + ((Filter.SkipLatest) filter).count() + ")";
            case FIRST -> "first(" + ((Filter.First) filter).count() + ")";
            case SKIP_FIRST -> "skip_first(" + ((Filter.SkipFirst) filter).count() + ")";
            case SAMPLE -> "sample(" + ((Filter.Sample) filter).share() + ")";
            case LABEL -> "label(" + ((Filter.Label) filter).label() + ")";
            case SCRIPT -> {
                Filter.Script script = (Filter.Script) filter;
                String argument = script.argument().isEmpty() ? "" : ", " + bytes(script.argument());
                yield "script(" + text(script.engine()) + ", " + quoted(script.source()) + argument + ")";
            }
            case NOT -> "not " + print(((Filter.Not) filter).filter());
            case CHAIN ->
                ((Filter.Chain) filter)
                        .filters().stream()
                                .map(part -> part.kind() == Kind.INTERLEAVE ? "(" + print(part) + ")" : print(part))
                                .collect(joining(" & "));
            case INTERLEAVE ->
                ((Filter.Interleave) filter)
                        .filters().stream().map(FilterPrinter::print).collect(joining(" | "));
            case CONDITION -> {
                Filter.Condition condition = (Filter.Condition) filter;
                yield "if(" + print(condition.predicate()) + ", " + print(condition.then()) + ", "
                        + print(condition.otherwise()) + ")";
            }
        };
    }

    private static String name(Filter.Part part) {
        return part.name().toLowerCase(Locale.ROOT);
    }

    private static <T> String list(List<T> elements, Function<T, String> text) {
        return elements.size() == 1
                ? "=" + text.apply(elements.get(0))
                : " in {" + elements.stream().map(text).collect(joining(", ")) + "}";
    }

    private static String range(Filter.Part part, ByteRange range) {
        // "family=" names a family that has to be there.
        if (range.isOne() && part != Filter.Part.FAMILY) {
            return "=" + bytes(range.from());
        }
        return " in [" + (range.from().isEmpty() ? "" : bytes(range.from())) + ","
                + range.to().map(FilterPrinter::bytes).orElse("") + ")";
    }

    private static String times(Filter.Times times) {
        if (times.oldest() == times.newest()) {
            return "time=" + times.oldest();
        }
        return "time in [" + (times.oldest() == Long.MIN_VALUE ? "" : times.oldest()) + ","
                + (times.newest() == Long.MAX_VALUE ? "" : times.newest()) + "]";
    }

    private static String bytes(Bytes bytes) {
        return text(bytes.toString());
    }

    private static String text(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> FilterLexer.isOfWord((char) c)) ? text : quoted(text);
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }
}
