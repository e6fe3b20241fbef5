package bt.model;

import static bt.base.Check.checkGiven;

import bt.base.ByteRange;
import bt.base.Bytes;
import bt.base.MistakeException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What a read wants of the cells in its range, evaluated in the tablet server. A filter is shown the cells of one row, in
 * order, deletions and garbage-collection rules already applied, and lets each of them pass or not, as it is or
 * changed; a row of which nothing passes is not returned. Its text form is {@link FilterText}'s. Section 3 of the paper
 * limits rows, columns and timestamps of a scan so.
 *
 * <p>No filter is larger than {@link Limits} says: whoever makes one that is gets an IllegalArgumentException at once.
 */
public sealed interface Filter {
    /** Lets every cell pass. */
    Filter ALL = new All();

    /** Lets no cell pass. */
    Filter NONE = new None();

    /** Which one it is, for a {@code switch}. */
    Kind kind();

    /** For a {@code switch} that must name them all; the numbers are on the wire. */
    enum Kind {
        ALL(1),
        FAMILIES(2),
        COLUMNS(3),
        LATEST(4),
        TIMES(5),
        SCRIPT(6),
        CHAIN(7),
        NONE(8),
        MATCHES(9),
        WITHIN(10),
        SKIP_LATEST(11),
        FIRST(12),
        SKIP_FIRST(13),
        SAMPLE(14),
        KEYS(15),
        LABEL(16),
        INTERLEAVE(17),
        CONDITION(18),
        NOT(19);

        private final int number;

        Kind(int number) {
            this.number = number;
        }

        /** As it is on the wire. */
        public int number() {
            return number;
        }
    }

    /** What of a cell a filter looks at; a family as the UTF-8 of its name. The numbers are on the wire. */
    enum Part {
        ROW(1),
        FAMILY(2),
        QUALIFIER(3),
        VALUE(4);

        private final int number;

        Part(int number) {
            this.number = number;
        }

        /** As it is on the wire. */
        public int number() {
            return number;
        }
    }

    /** The chain of these, however many there are. */
    static Filter chain(List<Filter> filters) {
        return filters.isEmpty() ? ALL : filters.size() == 1 ? filters.get(0) : new Chain(filters);
    }

    /**
     * Lets those cells pass that the filter does not. IllegalArgumentException where it does not judge each cell by itself, as
     * those do that compare a part of it, and chains, interleavings and conditions of such.
     */
    static Filter not(Filter filter) {
        return switch (filter.kind()) {
            case ALL -> NONE;
            case NONE -> ALL;
            case NOT -> ((Not) filter).filter();
            case CHAIN -> new Interleave(notEach(((Chain) filter).filters()));
            case INTERLEAVE -> new Chain(notEach(((Interleave) filter).filters()));
            case CONDITION -> {
                Condition condition = (Condition) filter;
                yield new Condition(condition.predicate(), not(condition.then()), not(condition.otherwise()));
            }
            case FAMILIES, COLUMNS, MATCHES, WITHIN, TIMES, SAMPLE -> new Not(filter);
            case LATEST, SKIP_LATEST, FIRST, SKIP_FIRST, KEYS, LABEL, SCRIPT -> throw Not.impossible(filter);
        };
    }

    private static List<Filter> notEach(List<Filter> filters) {
        return filters.stream().map(Filter::not).toList();
    }

    /** Lets every cell pass. */
    record All() implements Filter {
        @Override
        public Kind kind() {
            return Kind.ALL;
        }
    }

    /** Lets no cell pass. */
    record None() implements Filter {
        @Override
        public Kind kind() {
            return Kind.NONE;
        }
    }

    /** Only these families; the others are not even read. REJECTED where the table has one of them not. */
    record Families(List<String> names) implements Filter {
        public Families {
            names = List.copyOf(names);
            checkGiven(!names.isEmpty(), "filter: no family is named", "name one");
            FilterSize.checkOperands(FilterSize.ofFamilies(names));
        }

        @Override
        public Kind kind() {
            return Kind.FAMILIES;
        }
    }

    /**
     * Only these columns, of which none has a longer qualifier than {@link Limits#NAMED_QUALIFIER_BYTES}. REJECTED where the
     * table has not the family of one.
     */
    record Columns(List<ColumnKey> columns) implements Filter {
        public Columns {
            columns = List.copyOf(columns);
            checkGiven(!columns.isEmpty(), "filter: no column is named", "name one");
            columns.forEach(FilterSize::checkNamed);
            FilterSize.checkOperands(FilterSize.ofColumns(columns));
        }

        /** Any number of columns as lists that a filter holds each, beside others as small as they are few. */
        public static List<List<ColumnKey>> portions(List<ColumnKey> columns) {
            List<List<ColumnKey>> portions = new ArrayList<>();
            long bytes = Limits.FILTER_BYTES;
            for (ColumnKey column : columns) {
                bytes += FilterSize.ofColumns(List.of(column));
                if (bytes > Limits.FILTER_BYTES - FilterSize.BESIDE_BYTES) {
                    bytes = FilterSize.ofColumns(List.of(column));
                    portions.add(new ArrayList<>());
                }
                portions.get(portions.size() - 1).add(column);
            }
            return portions;
        }

        @Override
        public Kind kind() {
            return Kind.COLUMNS;
        }
    }

    /** Cells of which this part matches, all of it. */
    record Matches(Part part, Regex regex) implements Filter {
        @Override
        public Kind kind() {
            return Kind.MATCHES;
        }
    }

    /** Cells of which this part lies in the range. */
    record Within(Part part, ByteRange range) implements Filter {
        public Within {
            FilterSize.checkOperands(FilterSize.ofRange(range));
        }

        @Override
        public Kind kind() {
            return Kind.WITHIN;
        }
    }

    /** Timestamps from {@code oldest} to {@code newest}, both included. */
    record Times(long oldest, long newest) implements Filter {
        public Times {
            checkGiven(
                    oldest <= newest,
                    "filter: no time lies from %d to %d",
                    "name the earlier one first",
                    oldest,
                    newest);
        }

        @Override
        public Kind kind() {
            return Kind.TIMES;
        }
    }

    /** The newest {@code count} cells of each column. */
    record Latest(int count) implements Filter {
        public Latest {
            checkGiven(count > 0, "filter: the latest %d versions", "ask for 1 at least", count);
        }

        @Override
        public Kind kind() {
            return Kind.LATEST;
        }
    }

    /** Of each column all but the newest {@code count} cells. */
    record SkipLatest(int count) implements Filter {
        public SkipLatest {
            checkGiven(count > 0, "filter: all but the latest %d versions", "leave out 1 at least", count);
        }

        @Override
        public Kind kind() {
            return Kind.SKIP_LATEST;
        }
    }

    /** The first {@code count} cells of each row. */
    record First(int count) implements Filter {
        public First {
            checkGiven(count > 0, "filter: the first %d cells", "ask for 1 at least", count);
        }

        @Override
        public Kind kind() {
            return Kind.FIRST;
        }
    }

    /** Of each row all but the first {@code count} cells. */
    record SkipFirst(int count) implements Filter {
        public SkipFirst {
            checkGiven(count > 0, "filter: all but the first %d cells", "leave out 1 at least", count);
        }

        @Override
        public Kind kind() {
            return Kind.SKIP_FIRST;
        }
    }

    /** About this share of the rows, by a hash of their keys: always the same ones, and of a smaller share some of these. */
    record Sample(double share) implements Filter {
        public Sample {
            checkGiven(
                    share > 0 && share < 1,
                    "filter: a sample of %s, which is not between 0 and 1",
                    "name a share between them",
                    share);
        }

        /** Whether the row is in the sample. */
        public boolean holds(Bytes row) {
            return RowHash.share(row) < share;
        }

        @Override
        public Kind kind() {
            return Kind.SAMPLE;
        }
    }

    /** Every cell, with an empty value in the place of its own. */
    record Keys() implements Filter {
        @Override
        public Kind kind() {
            return Kind.KEYS;
        }
    }

    /** Every cell, with this label, by which a reader tells through which branch it came. */
    record Label(String label) implements Filter {
        public Label {
            Names.check("label", label);
        }

        @Override
        public Kind kind() {
            return Kind.LABEL;
        }
    }

    /** Cells that a script keeps; {@code engine} names the language, as in {@code groovy}. */
    record Script(String engine, String source, Bytes argument) implements Filter {
        public Script {
            FilterSize.checkOperands(FilterSize.ofScript(engine, source, argument));
        }

        @Override
        public Kind kind() {
            return Kind.SCRIPT;
        }
    }

    /** Cells that a filter which names families or columns, or compares, does not let pass; {@link #not} makes it of others too. */
    record Not(Filter filter) implements Filter {
        private static final Set<Kind> COMPARISONS =
                EnumSet.of(Kind.FAMILIES, Kind.COLUMNS, Kind.MATCHES, Kind.WITHIN, Kind.TIMES, Kind.SAMPLE);

        public Not {
            if (!COMPARISONS.contains(filter.kind())) {
                throw impossible(filter);
            }
            FilterSize.checkParts(Kind.NOT, List.of(filter));
        }

        private static IllegalArgumentException impossible(Filter filter) {
            return new MistakeException(
                    "filter: not " + FilterText.print(filter) + ": only what judges each cell by itself can be negated",
                    "negate a comparison, sample, all and none, and"
                            + " chains, interleavings and conditions of these");
        }

        @Override
        public Kind kind() {
            return Kind.NOT;
        }
    }

    /** Each filter sees what the one before it let pass. Two at least; a chain in a chain is part of it. */
    record Chain(List<Filter> filters) implements Filter {
        public Chain {
            filters = FilterSize.joined(Kind.CHAIN, filters);
        }

        @Override
        public Kind kind() {
            return Kind.CHAIN;
        }
    }

    /**
     * Cells that at least one of these lets pass, each once, in the order of the row, as the first of these that let it
     * pass makes it. Each is shown every cell. Two at least; an interleaving in an interleaving is part of it.
     */
    record Interleave(List<Filter> filters) implements Filter {
        public Interleave {
            filters = FilterSize.joined(Kind.INTERLEAVE, filters);
        }

        @Override
        public Kind kind() {
            return Kind.INTERLEAVE;
        }
    }

    /**
     * One filter for rows of which the predicate lets at least one cell pass, the other for the rest. The predicate is
     * shown the whole row, whatever stands before the condition in a chain.
     */
    record Condition(Filter predicate, Filter then, Filter otherwise) implements Filter {
        public Condition {
            FilterSize.checkParts(Kind.CONDITION, List.of(predicate, then, otherwise));
        }

        @Override
        public Kind kind() {
            return Kind.CONDITION;
        }
    }
}
