package bt.protocol;

import bt.base.Output;
import bt.model.ColumnKey;
import bt.model.Filter;
import java.util.List;

/**
 * A {@link Filter} as bytes: its length, then a tree of kinds and their fields, in depth and length bounded. {@link
 * FilterDecoder} reads it back.
 */
final class FilterCodec {
    private FilterCodec() {}

    static void encode(Filter filter, Output out) {
        Output tree = new Output();
        node(filter, tree);
        out.varint(tree.size()).raw(tree.array(), 0, tree.size());
    }

    private static void node(Filter filter, Output out) {
        out.u8(filter.kind().number());
        switch (filter.kind()) {
            case ALL, NONE, KEYS -> {}
            case FAMILIES -> {
                List<String> names = ((Filter.Families) filter).names();
                out.varint(names.size());
                names.forEach(out::text);
            }
            case COLUMNS -> {
                List<ColumnKey> columns = ((Filter.Columns) filter).columns();
                out.varint(columns.size());
                columns.forEach(column -> Fields.column(column, out));
            }
            case LATEST -> out.varint(((Filter.Latest) filter).count());
            case SKIP_LATEST -> out.varint(((Filter.SkipLatest) filter).count());
            case FIRST -> out.varint(((Filter.First) filter).count());
            case SKIP_FIRST -> out.varint(((Filter.SkipFirst) filter).count());
            case TIMES -> {
                Filter.Times times = (Filter.Times) filter;
                out.u64(times.oldest()).u64(times.newest());
            }
            case MATCHES -> {
                Filter.Matches matches = (Filter.Matches) filter;
                out.u8(matches.part().number()).text(matches.regex().text());
            }
            case WITHIN -> {
                Filter.Within within = (Filter.Within) filter;
                out.u8(within.part().number()).bytes(within.range().from());
                Fields.optional(within.range().to(), out);
            }
            case SAMPLE -> out.u64(Double.doubleToRawLongBits(((Filter.Sample) filter).share()));
            case LABEL -> out.text(((Filter.Label) filter).label());
            case SCRIPT -> {
                Filter.Script script = (Filter.Script) filter;
                out.text(script.engine()).text(script.source()).bytes(script.argument());
            }
            case NOT -> node(((Filter.Not) filter).filter(), out);
            case CHAIN -> nodes(((Filter.Chain) filter).filters(), out);
            case INTERLEAVE -> nodes(((Filter.Interleave) filter).filters(), out);
            case CONDITION -> {
                Filter.Condition condition = (Filter.Condition) filter;
                node(condition.predicate(), out);
                node(condition.then(), out);
                node(condition.otherwise(), out);
            }
        }
    }

    private static void nodes(List<Filter> filters, Output out) {
        out.varint(filters.size());
        filters.forEach(next -> node(next, out));
    }
}
