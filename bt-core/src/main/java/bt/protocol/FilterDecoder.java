package bt.protocol;

import bt.base.BigtableException;
import bt.base.ByteRange;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.Filter.Part;
import bt.model.FilterSize;
import bt.model.FilterTally;
import bt.model.Limits;
import bt.model.Regex;
import bt.model.UncompiledRegex;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the {@link Filter}s of one request, as {@link FilterCodec} writes them. Anybody may send them, and they become much
 * more than their bytes before anybody has looked at rights: so each is counted piece by piece, all of a request together
 * are bounded too, and what they are made into is {@link Growth}. A regular expression that was there before is the same
 * object, and not compiled yet. One request; one thread.
 */
final class FilterDecoder {
    /** Once: each call of {@code values()} is an array of its own. */
    private static final Filter.Kind[] KINDS = Filter.Kind.values();

    /** In memory, of a part, and of an operand beside its bytes; of a step of a regular expression, with its text. */
    private static final int PART_BYTES = 64;

    private static final int OPERAND_BYTES = 80;
    private static final int STEP_BYTES = 64;

    private final Growth growth;
    /** Made with the first: few filters have any. */
    private Map<String, Regex> regexes = Map.of();

    /** Of the filter that is being read. */
    private FilterTally tally = new FilterTally();

    private long bytes;
    private long steps;

    FilterDecoder(Growth growth) {
        this.growth = growth;
    }

    /**
     * IllegalArgumentException when it is a filter, and larger than one may be; REJECTED where all that were read are;
     * OVERLOADED where there is no room for them.
     */
    Filter decode(Input in) throws BigtableException {
        int length = in.length("filter length", in.remaining());
        FilterSize.checkBytes(length);
        Input tree = Input.of("filter", in.raw("filter", length));
        tally = new FilterTally();
        Filter filter = node(tree, 1);
        tree.end("the filter");
        return filter;
    }

    private Filter node(Input in, int depth) throws BigtableException {
        FilterSize.checkDepth(depth);
        Filter.Kind kind = Fields.kind(in, "filter kind", KINDS, Filter.Kind::number);
        if (kind != Filter.Kind.CHAIN && kind != Filter.Kind.INTERLEAVE) {
            long before = tally.bytes();
            tally.part();
            counted(before, PART_BYTES);
        }
        return switch (kind) {
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
            case MATCHES -> new Filter.Matches(part(in), regex(in));
            case WITHIN -> new Filter.Within(part(in), range(in));
            case SAMPLE -> new Filter.Sample(Double.longBitsToDouble(in.u64("share of a sample")));
            case LABEL -> new Filter.Label(text(in, "label"));
            case SCRIPT ->
                new Filter.Script(text(in, "script engine"), text(in, "script source"), bytes(in, "script argument"));
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

    private List<String> names(Input in) throws BigtableException {
        int count = Fields.count(in, "families", 1);
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add(text(in, "family"));
        }
        return names;
    }

    private List<ColumnKey> columns(Input in) throws BigtableException {
        int count = Fields.count(in, "columns", 2);
        List<ColumnKey> columns = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            columns.add(new ColumnKey(text(in, "family"), bytes(in, "qualifier")));
        }
        return columns;
    }

    private ByteRange range(Input in) throws BigtableException {
        Bytes from = bytes(in, "begin of range");
        Optional<Bytes> to =
                Fields.present(in, "end of range") ? Optional.of(bytes(in, "end of range")) : Optional.empty();
        return new ByteRange(from, to);
    }

    private List<Filter> nodes(Input in, int depth) throws BigtableException {
        int count = Fields.count(in, "filters beside each other", 1);
        List<Filter> filters = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            filters.add(node(in, depth + 1));
        }
        return filters;
    }

    private Regex regex(Input in) throws BigtableException {
        String text = text(in, "regular expression");
        Regex known = regexes.get(text);
        if (known != null) {
            tally.steps(known.steps());
            return known;
        }
        UncompiledRegex read = UncompiledRegex.of(text);
        tally.steps(read.steps());
        steps += read.steps();
        if (steps > Limits.REQUEST_FILTER_STEPS) {
            throw tooMuch(
                    "regular expressions of its filters unfold to " + steps + " steps", Limits.REQUEST_FILTER_STEPS);
        }
        growth.by(read.steps(), STEP_BYTES);
        Regex regex = read.later();
        if (regexes.isEmpty()) {
            regexes = new HashMap<>();
        }
        regexes.put(text, regex);
        return regex;
    }

    private String text(Input in, String field) throws BigtableException {
        return operand(in.bytes(field)).toUtf8();
    }

    private Bytes bytes(Input in, String field) throws BigtableException {
        return operand(in.bytes(field));
    }

    private Bytes operand(Bytes operand) throws BigtableException {
        long before = tally.bytes();
        tally.operand(operand.length());
        counted(before, OPERAND_BYTES + operand.length());
        return operand;
    }

    private void counted(long before, int made) throws RejectedException, OverloadedException {
        bytes += tally.bytes() - before;
        if (bytes > Limits.REQUEST_FILTER_BYTES) {
            throw tooMuch("its filters have " + bytes + " bytes", Limits.REQUEST_FILTER_BYTES);
        }
        growth.by(1, made);
    }

    private static RejectedException tooMuch(String what, int most) {
        return new RejectedException("request: " + what + ", more than " + most, "send its writes in parts");
    }
}
