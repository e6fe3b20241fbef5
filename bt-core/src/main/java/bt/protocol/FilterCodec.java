package bt.protocol;

import bt.base.BigtableException;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;
import bt.base.RejectedException;
import bt.model.ColumnKey;
import bt.model.Filter;
import java.util.ArrayList;
import java.util.List;

/** A {@link Filter}: its length in bytes, then a tree of kinds and their fields, in depth and length bounded. */
final class FilterCodec {
    static final int FILTER_BYTES = 20 << 10;
    static final int DEPTH = 20;

    private FilterCodec() {}

    static void encode(Filter filter, Output out) {
        Output tree = new Output();
        node(filter, tree);
        out.varint(tree.size()).raw(tree.array(), 0, tree.size());
    }

    static Filter decode(Input in) throws BigtableException {
        int length = in.length("filter length", in.remaining());
        if (length > FILTER_BYTES) {
            throw new RejectedException("filter: " + length + " bytes, more than " + FILTER_BYTES
                    + ": ask for fewer columns, or for families");
        }
        Input tree = Input.of("filter", in.raw("filter", length));
        Filter filter = node(tree, 1);
        tree.end("the filter");
        return filter;
    }

    private static void node(Filter filter, Output out) {
        out.u8(filter.kind().number());
        switch (filter.kind()) {
            case ALL -> {}
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
            case TIMES -> {
                Filter.Times times = (Filter.Times) filter;
                out.u64(times.oldest()).u64(times.newest());
            }
            case SCRIPT -> {
                Filter.Script script = (Filter.Script) filter;
                out.text(script.engine()).text(script.source()).bytes(script.argument());
            }
            case CHAIN -> {
                List<Filter> filters = ((Filter.Chain) filter).filters();
                out.varint(filters.size());
                filters.forEach(next -> node(next, out));
            }
        }
    }

    private static Filter node(Input in, int depth) throws BigtableException {
        if (depth > DEPTH) {
            throw new RejectedException("filter: nested deeper than " + DEPTH + ": put chains beside each other");
        }
        return switch (Fields.kind(in, "filter kind", Filter.Kind.values(), Filter.Kind::number)) {
            case ALL -> Filter.ALL;
            case FAMILIES -> new Filter.Families(names(in));
            case COLUMNS -> new Filter.Columns(columns(in));
            case LATEST -> new Filter.Latest(in.length("latest versions", Integer.MAX_VALUE));
            case TIMES -> new Filter.Times(in.u64("oldest timestamp"), in.u64("newest timestamp"));
            case SCRIPT ->
                new Filter.Script(in.text("script engine"), in.text("script source"), in.bytes("script argument"));
            case CHAIN -> chain(in, depth);
        };
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

    private static Filter chain(Input in, int depth) throws BigtableException {
        int count = Fields.count(in, "filters of a chain", 1);
        List<Filter> filters = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            filters.add(node(in, depth + 1));
        }
        return new Filter.Chain(filters);
    }
}
