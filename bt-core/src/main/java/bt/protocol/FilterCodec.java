package bt.protocol;

import bt.base.BigtableException;
import bt.base.ByteRange;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.Filter.Part;
import bt.model.FilterSize;
import bt.model.Regex;
import java.util.ArrayList;
import java.util.List;

/** A {@link Filter}: its length in bytes, then a tree of kinds and their fields, in depth and length bounded. */
final class FilterCodec {
    /** Once: each call of {@code values()} is an array of its own. */
    private static final Filter.Kind[] KINDS = Filter.Kind.values();

    private FilterCodec() {}

    static void encode(Filter filter, Output out) {
        Output tree = new Output();
        node(filter, tree);
        out.varint(tree.size()).raw(tree.array(), 0, tree.size());
    }

    /** IllegalArgumentException when it is a filter, and larger than one may be. */
    static Filter decode(Input in) throws BigtableException {
        int length = in.length("filter length", in.remaining());
        FilterSize.checkBytes(length);
        Input tree = Input.of("filter", in.raw("filter", length));
        Filter filter = node(tree, 1);
        tree.end("the filter");
        return filter;
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

    private static Filter node(Input in, int depth) throws BigtableException {
        FilterSize.checkDepth(depth);
        return switch (Fields.kind(in, "filter kind", KINDS, Filter.Kind::number)) {
            case ALL -> Filter.ALL;
            case NONE -> Filter.NONE;
            case KEYS -> new Filter.Keys();
            case FAMILIES -> new Filter.Families(names(in));
            case COLUMNS -> new Filter.Columns(columns(in));
            case LATEST -> new Filter.Latest(count(in));
            case SKIP_LATEST -> new Filter.SkipLatest(count(in));
            case FIRST -> new Filter.First(count(in));
            case SKIP_FIRST -> new Filter.SkipFirst(count(in));
            case TIMES -> new Filter.Times(in.u64("oldest timestamp"), in.u64("newest timestamp"));
            case MATCHES -> new Filter.Matches(part(in), Regex.of(in.text("regular expression")));
            case WITHIN ->
                new Filter.Within(
                        part(in), new ByteRange(in.bytes("begin of range"), Fields.optional(in, "end of range")));
            case SAMPLE -> new Filter.Sample(Double.longBitsToDouble(in.u64("share of a sample")));
            case LABEL -> new Filter.Label(in.text("label"));
            case SCRIPT ->
                new Filter.Script(in.text("script engine"), in.text("script source"), in.bytes("script argument"));
            case NOT -> new Filter.Not(node(in, depth + 1));
            case CHAIN -> new Filter.Chain(nodes(in, depth));
            case INTERLEAVE -> new Filter.Interleave(nodes(in, depth));
            case CONDITION -> new Filter.Condition(node(in, depth + 1), node(in, depth + 1), node(in, depth + 1));
        };
    }

    private static int count(Input in) throws CorruptionException {
        return in.length("number of cells", Integer.MAX_VALUE);
    }

    private static Part part(Input in) throws CorruptionException {
        return Fields.kind(in, "part of a cell", Part.values(), Part::number);
    }

    private static List<String> names(Input in) throws CorruptionException {
        int count = Fields.count(in, "families", 1);
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add(in.text("family"));
        }
        return names;
    }

    private static List<ColumnKey> columns(Input in) throws CorruptionException {
        int count = Fields.count(in, "columns", 2);
        List<ColumnKey> columns = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            columns.add(Fields.column(in));
        }
        return columns;
    }

    private static List<Filter> nodes(Input in, int depth) throws BigtableException {
        int count = Fields.count(in, "filters beside each other", 1);
        List<Filter> filters = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            filters.add(node(in, depth + 1));
        }
        return filters;
    }
}
