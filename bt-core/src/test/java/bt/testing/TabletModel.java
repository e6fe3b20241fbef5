package bt.testing;

import bt.base.Bytes;
import bt.model.Cell;
import bt.model.Change;
import bt.model.ColumnKey;
import bt.model.FamilySchema;
import bt.model.Filter;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.TableSchema;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * What a tablet has to answer, said as simply as possible: a list of all changes ever made, asked again for every read.
 * Order of versions, deletions, version limits and ages are those of the data model's rules, and share no code with the
 * tablet's. One thread.
 */
public final class TabletModel {
    private final TableSchema schema;
    private final List<Made> changes = new ArrayList<>();

    public TabletModel(TableSchema schema) {
        this.schema = schema;
    }

    private record Made(long sequence, Bytes row, Change change, long serverTimestamp) {
        long timestamp(Change.SetCell set) {
            return set.timestamp() == Change.SERVER_TIME ? serverTimestamp : set.timestamp();
        }
    }

    /** The put that a version of a column is: of those with one timestamp, the last. */
    private record Version(Bytes row, ColumnKey column, long timestamp, long sequence, Bytes value) {}

    public void apply(RowMutation mutation, long firstSequence, long serverTimestamp) {
        long sequence = firstSequence;
        for (Change change : mutation.changes()) {
            changes.add(new Made(sequence++, mutation.row(), change, serverTimestamp));
        }
    }

    /** What a read of the rows sees, in order, with the changes up to a sequence, at a time. */
    public List<Cell> read(RowRange rows, Filter filter, long sequence, long nowMicros) {
        List<Made> seen = changes.stream()
                .filter(made -> made.sequence <= sequence && rows.contains(made.row))
                .toList();
        List<Cell> cells = new ArrayList<>();
        columns(seen).values().forEach(versions -> cells.addAll(visible(versions, seen, nowMicros)));
        return FilterModel.keep(cells, filter);
    }

    /** The newest version first, by row, then by family in the order of ids, then by qualifier. */
    private NavigableMap<ColumnOfRow, NavigableMap<Long, Version>> columns(List<Made> seen) {
        NavigableMap<ColumnOfRow, NavigableMap<Long, Version>> columns = new TreeMap<>();
        for (Made made : seen) {
            if (made.change instanceof Change.SetCell set) {
                long timestamp = made.timestamp(set);
                int family = schema.family(set.column().family()).orElseThrow().id();
                columns.computeIfAbsent(
                                new ColumnOfRow(made.row, family, set.column().qualifier()),
                                column -> new TreeMap<>(Comparator.reverseOrder()))
                        .merge(
                                timestamp,
                                new Version(made.row, set.column(), timestamp, made.sequence, set.value()),
                                (a, b) -> a.sequence > b.sequence ? a : b);
            }
        }
        return columns;
    }

    private record ColumnOfRow(Bytes row, int family, Bytes qualifier) implements Comparable<ColumnOfRow> {
        private static final Comparator<ColumnOfRow> ORDER = Comparator.comparing(ColumnOfRow::row)
                .thenComparing(ColumnOfRow::family)
                .thenComparing(ColumnOfRow::qualifier);

        @Override
        public int compareTo(ColumnOfRow that) {
            return ORDER.compare(this, that);
        }
    }

    private List<Cell> visible(NavigableMap<Long, Version> versions, List<Made> seen, long nowMicros) {
        List<Cell> cells = new ArrayList<>();
        for (Version version : versions.values()) {
            FamilySchema family = schema.family(version.column.family()).orElseThrow();
            if (!isDeleted(version, seen) && !isGarbage(family.garbage(), version, seen, nowMicros)) {
                cells.add(new Cell(version.row, version.column, version.timestamp, version.value));
            }
        }
        return cells;
    }

    private static boolean isDeleted(Version version, List<Made> seen) {
        return seen.stream()
                .anyMatch(made -> made.sequence > version.sequence
                        && made.row.equals(version.row)
                        && hides(made.change, version.column, version.timestamp));
    }

    /**
     * The timestamps that the version's column holds in the end, when it never holds more than the limit: with every
     * change what it hides goes, what is written comes, and the oldest falls out if that is one too many.
     */
    private static NavigableSet<Long> held(Version version, int limit, List<Made> seen) {
        NavigableSet<Long> held = new TreeSet<>();
        for (Made made : seen) {
            if (made.row.equals(version.row)) {
                held.removeIf(timestamp -> hides(made.change, version.column, timestamp));
                if (made.change instanceof Change.SetCell set && set.column().equals(version.column)) {
                    held.add(made.timestamp(set));
                    if (held.size() > limit) {
                        held.pollFirst();
                    }
                }
            }
        }
        return held;
    }

    private static boolean hides(Change change, ColumnKey column, long timestamp) {
        return switch (change.kind()) {
            case SET_CELL, INCREMENT, APPEND -> false;
            case DELETE_ROW -> true;
            case DELETE_FAMILY -> ((Change.DeleteFamily) change).family().equals(column.family());
            case DELETE_COLUMN -> ((Change.DeleteColumn) change).column().equals(column);
            case DELETE_VERSIONS -> {
                Change.DeleteVersions range = (Change.DeleteVersions) change;
                yield range.column().equals(column) && range.oldest() <= timestamp && timestamp <= range.newest();
            }
            case DELETE_VERSION -> {
                Change.DeleteVersion one = (Change.DeleteVersion) change;
                yield one.column().equals(column) && one.timestamp() == timestamp;
            }
        };
    }

    private static boolean isGarbage(GcRule rule, Version version, List<Made> seen, long nowMicros) {
        Predicate<GcRule> judge = part -> isGarbage(part, version, seen, nowMicros);
        if (rule instanceof GcRule.MaxVersions limit) {
            return !held(version, limit.count(), seen).contains(version.timestamp);
        }
        if (rule instanceof GcRule.MaxAge age) {
            return version.timestamp < nowMicros - age.micros();
        }
        if (rule instanceof GcRule.Any any) {
            return any.rules().stream().anyMatch(judge);
        }
        if (rule instanceof GcRule.Every every) {
            return every.rules().stream().allMatch(judge);
        }
        return false;
    }
}
