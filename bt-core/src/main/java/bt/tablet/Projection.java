package bt.tablet;

import bt.base.ByteRange;
import bt.base.ByteRanges;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.CellKey;
import bt.model.ColumnKey;
import bt.model.FamilySchema;
import bt.model.Filter;
import bt.model.Filter.Part;
import bt.model.TableSchema;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The families and columns that a read has to look at; everything else it skips, files too. */
final class Projection {
    /** Whatever families there are: most reads want that, and none should pay for it. */
    static final Projection EVERY = new Projection(Collections.emptyNavigableMap(), true);

    private static final Projection NOTHING = new Projection(Collections.emptyNavigableMap());

    /** The qualifiers of each family, by its id. */
    private final NavigableMap<Integer, ByteRanges> families;

    private final boolean every;

    private Projection(NavigableMap<Integer, ByteRanges> families) {
        this(Collections.unmodifiableNavigableMap(families), false);
    }

    private Projection(NavigableMap<Integer, ByteRanges> families, boolean every) {
        this.families = families;
        this.every = every;
    }

    /** The same where not all families are shown, and the schema has the others not. */
    static Projection of(Filter filter, TableSchema schema, Shown shown) throws RejectedException {
        Projection wanted = of(filter, schema);
        return shown.families().isEmpty() ? wanted : wanted.intersect(all(schema));
    }

    /** What the filter must be shown. REJECTED when it names a family that the table does not have. */
    static Projection of(Filter filter, TableSchema schema) throws RejectedException {
        return switch (filter.kind()) {
            case ALL, LATEST, SKIP_LATEST, FIRST, SKIP_FIRST, TIMES, SAMPLE, KEYS, LABEL, SCRIPT -> EVERY;
            case NONE -> NOTHING;
            case FAMILIES -> ofFamilies((Filter.Families) filter, schema);
            case COLUMNS -> ofColumns((Filter.Columns) filter, schema);
            case MATCHES -> {
                Filter.Matches matches = (Filter.Matches) filter;
                yield switch (matches.part()) {
                    case FAMILY -> ofFamiliesThat(matches.regex()::matches, schema);
                    case QUALIFIER ->
                        matches.regex().range().isPresent()
                                ? ofQualifiers(matches.regex().range().get(), schema)
                                : EVERY;
                    case ROW, VALUE -> EVERY;
                };
            }
            case WITHIN -> {
                Filter.Within within = (Filter.Within) filter;
                yield switch (within.part()) {
                    case FAMILY -> ofFamiliesThat(within.range()::contains, schema);
                    case QUALIFIER -> ofQualifiers(within.range(), schema);
                    case ROW, VALUE -> EVERY;
                };
            }
            case NOT -> without(((Filter.Not) filter).filter(), schema);
            case CHAIN -> ofChain(((Filter.Chain) filter).filters(), schema);
            case INTERLEAVE -> {
                Projection projection = NOTHING;
                for (Filter part : ((Filter.Interleave) filter).filters()) {
                    projection = projection.union(of(part, schema));
                }
                yield projection;
            }
            case CONDITION -> {
                Filter.Condition condition = (Filter.Condition) filter;
                // Read by itself, but what it names is looked up before anything is read.
                of(condition.predicate(), schema);
                yield of(condition.then(), schema).union(of(condition.otherwise(), schema));
            }
        };
    }

    /** What is left of all where a filter is negated that speaks of families and qualifiers, and says just which they are. */
    private static Projection without(Filter filter, TableSchema schema) throws RejectedException {
        // Of any filter: what it names is looked up.
        Projection unwanted = of(filter, schema);
        return tellsColumns(filter) ? unwanted.complement(schema) : EVERY;
    }

    private static boolean tellsColumns(Filter filter) {
        if (filter.kind() == Filter.Kind.WITHIN) {
            Part part = ((Filter.Within) filter).part();
            return part == Part.FAMILY || part == Part.QUALIFIER;
        }
        if (filter.kind() == Filter.Kind.MATCHES) {
            return ((Filter.Matches) filter).part() == Part.FAMILY;
        }
        return filter.kind() == Filter.Kind.FAMILIES || filter.kind() == Filter.Kind.COLUMNS;
    }

    /** A part that counts cells has to be shown all that those before it let pass, whatever those behind it want of them. */
    private static Projection ofChain(List<Filter> parts, TableSchema schema) throws RejectedException {
        Projection projection = EVERY;
        boolean counted = false;
        for (Filter part : parts) {
            Projection wanted = of(part, schema);
            projection = counted ? projection : projection.intersect(wanted);
            counted |= FilterShape.countsCells(part);
        }
        return projection;
    }

    private static Projection all(TableSchema schema) {
        return ofFamiliesThat(name -> true, schema);
    }

    private static Projection ofFamilies(Filter.Families filter, TableSchema schema) throws RejectedException {
        NavigableMap<Integer, ByteRanges> families = new TreeMap<>();
        for (String name : filter.names()) {
            families.put(Families.named(name, schema).id(), ByteRanges.ALL);
        }
        return new Projection(families);
    }

    private static Projection ofFamiliesThat(Predicate<Bytes> wanted, TableSchema schema) {
        NavigableMap<Integer, ByteRanges> families = new TreeMap<>();
        for (FamilySchema family : schema.families()) {
            if (wanted.test(Bytes.utf8(family.name()))) {
                families.put(family.id(), ByteRanges.ALL);
            }
        }
        return new Projection(families);
    }

    private static Projection ofQualifiers(ByteRange range, TableSchema schema) {
        NavigableMap<Integer, ByteRanges> families = new TreeMap<>();
        schema.families().forEach(family -> families.put(family.id(), ByteRanges.of(range)));
        return new Projection(families);
    }

    private static Projection ofColumns(Filter.Columns filter, TableSchema schema) throws RejectedException {
        NavigableMap<Integer, List<ByteRange>> named = new TreeMap<>();
        for (ColumnKey column : filter.columns()) {
            FamilySchema family = Families.named(column.family(), schema);
            named.computeIfAbsent(family.id(), id -> new ArrayList<>()).add(ByteRange.only(column.qualifier()));
        }
        NavigableMap<Integer, ByteRanges> families = new TreeMap<>();
        named.forEach((id, qualifiers) -> families.put(id, new ByteRanges(qualifiers)));
        return new Projection(families);
    }

    private Projection intersect(Projection that) {
        if (every || that.every) {
            return every ? that : this;
        }
        NavigableMap<Integer, ByteRanges> both = new TreeMap<>();
        families.forEach((id, qualifiers) -> {
            ByteRanges others = that.families.get(id);
            if (others != null && !qualifiers.intersect(others).isEmpty()) {
                both.put(id, qualifiers.intersect(others));
            }
        });
        return new Projection(both);
    }

    private Projection union(Projection that) {
        if (every || that.every) {
            return EVERY;
        }
        NavigableMap<Integer, ByteRanges> either = new TreeMap<>(families);
        that.families.forEach((id, qualifiers) -> either.merge(id, qualifiers, ByteRanges::union));
        return new Projection(either);
    }

    private Projection complement(TableSchema schema) {
        NavigableMap<Integer, ByteRanges> rest = new TreeMap<>();
        for (FamilySchema family : schema.families()) {
            ByteRanges others =
                    families.getOrDefault(family.id(), ByteRanges.NONE).complement();
            if (!others.isEmpty()) {
                rest.put(family.id(), others);
            }
        }
        return new Projection(rest);
    }

    /** What is left of it from one column on. */
    Projection from(int family, Bytes qualifier, TableSchema schema) {
        if (every) {
            return all(schema).from(family, qualifier, schema);
        }
        NavigableMap<Integer, ByteRanges> rest = new TreeMap<>(families.tailMap(family, true));
        ByteRanges following = ByteRanges.of(new ByteRange(qualifier, Optional.empty()));
        rest.computeIfPresent(family, (id, qualifiers) -> qualifiers.intersect(following));
        return new Projection(rest);
    }

    /** Whether it wants all there is. */
    boolean isEvery() {
        return every;
    }

    boolean isEmpty() {
        return !every && families.isEmpty();
    }

    boolean wants(int family) {
        return every || families.containsKey(family);
    }

    /** The qualifiers that are wanted of a wanted family; empty when these may be any, or any of a range. */
    Optional<Iterable<Bytes>> named(int family) {
        ByteRanges wanted = families.get(family);
        return wanted != null && wanted.ranges().stream().allMatch(ByteRange::isOne)
                ? Optional.of(wanted.ranges().stream().map(ByteRange::from).toList())
                : Optional.empty();
    }

    boolean wants(int family, Bytes qualifier) {
        if (every) {
            return true;
        }
        ByteRanges qualifiers = families.get(family);
        return qualifiers != null && qualifiers.contains(qualifier);
    }

    /** The first key of the row that can be wanted behind this family. */
    Bytes afterFamily(Bytes row, int family) {
        if (every && family < Integer.MAX_VALUE) {
            return CellKey.familyPrefix(row, family + 1);
        }
        Integer next = families.higherKey(family);
        return next == null ? CellKey.rowEnd(row) : CellKey.familyPrefix(row, next);
    }

    /** The first key of the row that can be wanted behind this column, which is not wanted itself. */
    Bytes afterColumn(Bytes row, int family, Bytes qualifier) {
        return Optional.ofNullable(families.get(family))
                .flatMap(qualifiers -> qualifiers.ceiling(qualifier))
                .map(next -> CellKey.columnPrefix(row, family, next))
                .orElseGet(() -> afterFamily(row, family));
    }
}
