package bt.tablet;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.CellKey;
import bt.model.ColumnKey;
import bt.model.FamilySchema;
import bt.model.Filter;
import bt.model.TableSchema;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** The families and columns that a read has to look at; everything else it skips, files too. */
final class Projection {
    /** Whatever families there are: most reads want that, and none should pay for it. */
    static final Projection EVERY = new Projection(Collections.emptyNavigableMap(), true);

    /** By family id. */
    private final NavigableMap<Integer, Columns> families;

    private final boolean every;

    private Projection(NavigableMap<Integer, Columns> families) {
        this(Collections.unmodifiableNavigableMap(families), false);
    }

    private Projection(NavigableMap<Integer, Columns> families, boolean every) {
        this.families = families;
        this.every = every;
    }

    /** REJECTED when the filter names a family that the table does not have. */
    static Projection of(Filter filter, TableSchema schema) throws RejectedException {
        return switch (filter.kind()) {
            case ALL, LATEST, TIMES, SCRIPT -> EVERY;
            case FAMILIES -> ofFamilies((Filter.Families) filter, schema);
            case COLUMNS -> ofColumns((Filter.Columns) filter, schema);
            case CHAIN -> {
                Projection projection = EVERY;
                for (Filter part : ((Filter.Chain) filter).filters()) {
                    projection = projection.intersect(of(part, schema));
                }
                yield projection;
            }
        };
    }

    private static Projection all(TableSchema schema) {
        NavigableMap<Integer, Columns> families = new TreeMap<>();
        schema.families().forEach(family -> families.put(family.id(), Columns.ALL));
        return new Projection(families);
    }

    private static Projection ofFamilies(Filter.Families filter, TableSchema schema) throws RejectedException {
        NavigableMap<Integer, Columns> families = new TreeMap<>();
        for (String name : filter.names()) {
            families.put(Families.named(name, schema).id(), Columns.ALL);
        }
        return new Projection(families);
    }

    private static Projection ofColumns(Filter.Columns filter, TableSchema schema) throws RejectedException {
        NavigableMap<Integer, NavigableSet<Bytes>> named = new TreeMap<>();
        for (ColumnKey column : filter.columns()) {
            FamilySchema family = Families.named(column.family(), schema);
            named.computeIfAbsent(family.id(), id -> new TreeSet<>()).add(column.qualifier());
        }
        NavigableMap<Integer, Columns> families = new TreeMap<>();
        named.forEach((id, qualifiers) -> families.put(id, new Columns(Bytes.EMPTY, Optional.of(qualifiers))));
        return new Projection(families);
    }

    private Projection intersect(Projection that) {
        if (every || that.every) {
            return every ? that : this;
        }
        NavigableMap<Integer, Columns> both = new TreeMap<>();
        families.forEach((id, columns) -> {
            Columns others = that.families.get(id);
            if (others != null) {
                both.put(id, columns.intersect(others));
            }
        });
        return new Projection(both);
    }

    /** What is left of it from one column on. */
    Projection from(int family, Bytes qualifier, TableSchema schema) {
        if (every) {
            return all(schema).from(family, qualifier, schema);
        }
        NavigableMap<Integer, Columns> rest = new TreeMap<>(families.tailMap(family, true));
        rest.computeIfPresent(family, (id, columns) -> columns.from(qualifier));
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

    /** The qualifiers that are wanted of a wanted family; empty when that may be any. */
    Optional<Iterable<Bytes>> named(int family) {
        return Optional.ofNullable(families.get(family)).flatMap(Columns::wanted);
    }

    boolean wants(int family, Bytes qualifier) {
        if (every) {
            return true;
        }
        Columns columns = families.get(family);
        return columns != null && columns.ceiling(qualifier).equals(Optional.of(qualifier));
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
                .flatMap(columns -> columns.ceiling(qualifier))
                .map(next -> CellKey.columnPrefix(row, family, next))
                .orElseGet(() -> afterFamily(row, family));
    }

    /** Columns of one family: those named, or all, from one on. */
    private record Columns(Bytes first, Optional<NavigableSet<Bytes>> named) {
        static final Columns ALL = new Columns(Bytes.EMPTY, Optional.empty());

        Columns from(Bytes qualifier) {
            return new Columns(first.compareTo(qualifier) >= 0 ? first : qualifier, named);
        }

        Columns intersect(Columns that) {
            if (named.isPresent() && that.named.isPresent()) {
                NavigableSet<Bytes> both = new TreeSet<>(named.get());
                both.retainAll(that.named.get());
                return new Columns(first, Optional.of(both)).from(that.first);
            }
            return new Columns(first, named.or(that::named)).from(that.first);
        }

        Optional<Iterable<Bytes>> wanted() {
            return named.map(all -> all.tailSet(first, true));
        }

        /** The first wanted one from here on. */
        Optional<Bytes> ceiling(Bytes qualifier) {
            Bytes from = first.compareTo(qualifier) >= 0 ? first : qualifier;
            return named.isEmpty()
                    ? Optional.of(from)
                    : Optional.ofNullable(named.get().ceiling(from));
        }
    }
}
