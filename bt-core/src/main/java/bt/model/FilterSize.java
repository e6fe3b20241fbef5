package bt.model;

import static bt.base.Check.checkGiven;

import bt.base.ByteRange;
import bt.base.Bytes;
import bt.model.Filter.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * How large a filter is, measured against {@link Limits} when it is made: by client, server and gateway alike, and before
 * anything walks through it. Who builds filters from bytes or text asks {@link #checkDepth} on the way down, and keeps a
 * {@link FilterTally} of what there is already. The paper has no such bounds.
 */
public record FilterSize(int depth, int parts, int conditions, long bytes, long steps) {
    /** More than the wire's kind, counts and numbers take. */
    static final long PART_BYTES = 20;

    /** Room for a few parts more. */
    static final long BESIDE_BYTES = 10 * PART_BYTES;

    /** More than the length of an operand takes. */
    static final long OPERAND_BYTES = 5;

    /** IllegalArgumentException where filters stand deeper in filters than {@link Limits#FILTER_DEPTH}. */
    public static void checkDepth(int depth) {
        checkGiven(
                depth <= Limits.FILTER_DEPTH,
                "filter: nested deeper than %d",
                "put parts beside each other, or read twice",
                Limits.FILTER_DEPTH);
    }

    /** IllegalArgumentException where operands have more bytes than {@link Limits#FILTER_BYTES}. */
    public static void checkBytes(long bytes) {
        // Asked first: every filter that is read comes here, and what the message is made of would be made for each.
        if (bytes > Limits.FILTER_BYTES) {
            checkGiven(
                    false,
                    "filter: %d bytes, more than %d",
                    "ask for fewer columns, or for families",
                    bytes,
                    Limits.FILTER_BYTES);
        }
    }

    /** IllegalArgumentException beyond {@link Limits#FILTER_PARTS}. */
    static void checkParts(int parts) {
        // Asked first, as above.
        if (parts > Limits.FILTER_PARTS) {
            checkGiven(
                    false,
                    "filter: %d parts, more than %d",
                    "name columns in one list, or read twice",
                    parts,
                    Limits.FILTER_PARTS);
        }
    }

    /** IllegalArgumentException where regular expressions unfold to more together than {@link Limits#FILTER_STEPS}. */
    static void checkSteps(long steps) {
        checkGiven(
                steps <= Limits.FILTER_STEPS,
                "filter: regular expressions unfold to %d steps together, more than %d",
                "repeat less, or read twice",
                steps,
                Limits.FILTER_STEPS);
    }

    static void checkNamed(ColumnKey column) {
        checkGiven(
                column.qualifier().length() <= Limits.NAMED_QUALIFIER_BYTES,
                "a column with a qualifier of %d bytes is not read by its name, at most %d are",
                "use a shorter one, or" + " read its family or a range of qualifiers",
                column.qualifier().length(),
                Limits.NAMED_QUALIFIER_BYTES);
    }

    static void checkOperands(long bytes) {
        checkBytes(PART_BYTES + bytes);
    }

    /** Measures a filter. */
    public static FilterSize of(Filter filter) {
        return switch (filter.kind()) {
            case CHAIN -> ofParts(Kind.CHAIN, ((Filter.Chain) filter).filters());
            case INTERLEAVE -> ofParts(Kind.INTERLEAVE, ((Filter.Interleave) filter).filters());
            case CONDITION -> {
                Filter.Condition condition = (Filter.Condition) filter;
                yield ofParts(Kind.CONDITION, List.of(condition.predicate(), condition.then(), condition.otherwise()));
            }
            case NOT -> ofParts(Kind.NOT, List.of(((Filter.Not) filter).filter()));
            case FAMILIES -> ofLeaf(ofFamilies(((Filter.Families) filter).names()));
            case COLUMNS -> ofLeaf(ofColumns(((Filter.Columns) filter).columns()));
            case MATCHES -> ofRegex(((Filter.Matches) filter).regex());
            case WITHIN -> ofLeaf(ofRange(((Filter.Within) filter).range()));
            case SCRIPT -> {
                Filter.Script script = (Filter.Script) filter;
                yield ofLeaf(ofScript(script.engine(), script.source(), script.argument()));
            }
            case LABEL -> ofLeaf(ofText(((Filter.Label) filter).label()));
            case ALL, NONE, LATEST, SKIP_LATEST, FIRST, SKIP_FIRST, TIMES, SAMPLE, KEYS -> ofLeaf(0);
        };
    }

    static void checkParts(Kind kind, List<Filter> filters) {
        FilterSize size = ofParts(kind, filters);
        checkDepth(size.depth);
        checkParts(size.parts);
        checkGiven(
                size.conditions <= Limits.FILTER_CONDITIONS,
                "filter: %d conditions, more than %d",
                "read twice",
                size.conditions,
                Limits.FILTER_CONDITIONS);
        checkBytes(size.bytes);
        checkSteps(size.steps);
    }

    /** With the parts of what is of the same kind in their place, measured. */
    static List<Filter> joined(Kind kind, List<Filter> filters) {
        checkGiven(
                filters.size() > 1,
                "filter: %d parts, where two at least stand beside each other",
                "leave out what joins them",
                filters.size());
        List<Filter> joined = new ArrayList<>();
        for (Filter filter : filters) {
            if (filter.kind() != kind) {
                joined.add(filter);
            } else {
                joined.addAll(
                        kind == Kind.CHAIN
                                ? ((Filter.Chain) filter).filters()
                                : ((Filter.Interleave) filter).filters());
            }
        }
        checkParts(kind, joined);
        return List.copyOf(joined);
    }

    static long ofFamilies(List<String> names) {
        return names.stream().mapToLong(FilterSize::ofText).sum();
    }

    static long ofColumns(List<ColumnKey> columns) {
        return columns.stream()
                .mapToLong(column -> ofText(column.family()) + ofBytes(column.qualifier()))
                .sum();
    }

    static long ofRange(ByteRange range) {
        return ofBytes(range.from()) + range.to().map(FilterSize::ofBytes).orElse(0L);
    }

    static long ofScript(String engine, String source, Bytes argument) {
        return ofText(engine) + ofText(source) + ofBytes(argument);
    }

    private static long ofText(String text) {
        return OPERAND_BYTES + text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static long ofBytes(Bytes bytes) {
        return OPERAND_BYTES + bytes.length();
    }

    private static FilterSize ofLeaf(long operandBytes) {
        return new FilterSize(1, 1, 0, PART_BYTES + operandBytes, 0);
    }

    private static FilterSize ofRegex(Regex regex) {
        return new FilterSize(1, 1, 0, PART_BYTES + ofText(regex.text()), regex.steps());
    }

    private static FilterSize ofParts(Kind kind, List<Filter> filters) {
        int depth = 0;
        int parts = 1;
        int conditions = kind == Kind.CONDITION ? 1 : 0;
        long bytes = PART_BYTES;
        long steps = 0;
        for (Filter filter : filters) {
            FilterSize size = of(filter);
            depth = Math.max(depth, size.depth);
            parts += size.parts;
            conditions += size.conditions;
            bytes += size.bytes;
            steps += size.steps;
        }
        return new FilterSize(depth + 1, parts, conditions, bytes, steps);
    }
}
