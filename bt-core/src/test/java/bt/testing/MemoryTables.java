package bt.testing;

import static java.util.Objects.requireNonNull;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Output;
import bt.base.RejectedException;
import bt.model.Cell;
import bt.model.Change;
import bt.model.ColumnKey;
import bt.model.Counter;
import bt.model.FamilySchema;
import bt.model.Filter;
import bt.model.GcRule;
import bt.model.RowRange;
import bt.model.RowWalk;
import bt.model.TableSchema;
import bt.protocol.Answer.Page;
import bt.protocol.Condition;
import bt.protocol.Request;
import bt.protocol.RowDigest;
import bt.protocol.RowResume;
import bt.protocol.Write;
import bt.protocol.WriteResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The data of a cluster as sorted maps, by the rules of a tablet: conditions, each write once, deletions that hide what was
 * before, newest versions first, pages that end with a row or inside a large one. What a script would do it refuses.
 */
final class MemoryTables {
    private static final Comparator<ColumnKey> COLUMNS =
            Comparator.comparing(ColumnKey::family).thenComparing(ColumnKey::qualifier);

    private final Map<Long, Data> tables = new HashMap<>();
    private final Map<List<Long>, WriteResult> outcomes = new HashMap<>();
    private long clockMicros = 1_000_000;

    private record Data(
            TableSchema schema, NavigableMap<Bytes, NavigableMap<ColumnKey, NavigableMap<Long, Bytes>>> rows) {}

    synchronized void add(TableSchema schema) {
        tables.put(schema.id(), new Data(schema, new TreeMap<>()));
    }

    synchronized WriteResult write(long tableId, Write write) {
        List<Long> name = List.of(write.id().client(), write.id().number());
        WriteResult known = outcomes.get(name);
        if (known != null) {
            return known;
        }
        NavigableMap<ColumnKey, NavigableMap<Long, Bytes>> row =
                table(tableId).rows().computeIfAbsent(write.mutation().row(), r -> new TreeMap<>(COLUMNS));
        WriteResult result;
        try {
            result = WriteResult.applied(apply(tableId, write, row));
        } catch (BigtableException refused) {
            return WriteResult.failed(refused);
        }
        outcomes.put(name, result);
        return result;
    }

    /** What it is answered. */
    private long apply(long tableId, Write write, NavigableMap<ColumnKey, NavigableMap<Long, Bytes>> row)
            throws BigtableException {
        check(tableId, write, row);
        OptionalLong held = OptionalLong.empty();
        List<Change> changes = write.mutation().changes();
        if (write.condition().isPresent()) {
            Condition condition = write.condition().get();
            if (condition instanceof Condition.Passes passes) {
                boolean passed = !filtered(
                                passes.filter(), cells(tableId, write.mutation().row(), row))
                        .isEmpty();
                held = OptionalLong.of(passed ? 1 : 0);
                changes = passed == passes.wanted() ? changes : passes.otherwise();
            } else if (condition instanceof Condition.Shows shows) {
                boolean shown = true;
                for (Condition.Seen seen : shows.seen()) {
                    List<Cell> now = filtered(
                            seen.filter(), cells(tableId, write.mutation().row(), row));
                    shown &= new RowDigest().add(now).digest().equals(seen.digest());
                }
                held = OptionalLong.of(shown ? 1 : 0);
                changes = shown ? changes : List.of();
            }
        }
        clockMicros++;
        long answer = clockMicros;
        for (Change change : changes) {
            answer = apply(row, change);
        }
        return held.orElse(changes.size() == 1 ? answer : clockMicros);
    }

    synchronized Page scan(Request.Scan scan, RowRange tablet) throws RejectedException {
        RowWalk here = scan.walk().within(tablet);
        List<Cell> cells = new ArrayList<>();
        long[] seen = new long[2];
        long bytes = 0;
        int rows = 0;
        var data = table(scan.tableId()).rows();
        for (var entry : (here.reversed() ? data.descendingMap() : data).entrySet()) {
            Bytes key = entry.getKey();
            if (!here.rows().contains(key)) {
                continue;
            }
            Bytes edge = here.reversed() ? key.successor() : key;
            if (rows == scan.bounds().rows()
                    || cells.size() >= scan.bounds().cells()
                    || bytes >= scan.bounds().bytes()) {
                return new Page(cells, Optional.of(edge), Optional.empty(), seen[0], seen[1]);
            }
            List<Cell> row = read(scan, key, entry.getValue(), seen);
            int from = scan.resume()
                    .filter(at -> key.equals(here.next()))
                    .map(at -> at.afterKey().length())
                    .orElse(0);
            for (int i = from; i < row.size(); i++) {
                // A row alone larger than a page ends it; the double remembers where by the length of the key.
                if (rows == 0
                        && i > from
                        && bytes + row.get(i).value().length() > scan.bounds().bytes()) {
                    Bytes after = Bytes.wrap(new byte[i]);
                    return new Page(
                            cells, Optional.of(edge), Optional.of(new RowResume(after, 1, 1)), seen[0], seen[1]);
                }
                cells.add(row.get(i));
                bytes += row.get(i).value().length();
            }
            // As a server does, which goes on after a row of which the filter lets nothing pass.
            rows += row.isEmpty() ? 0 : 1;
        }
        RowWalk rest = scan.walk().beyond(tablet);
        Optional<Bytes> next = rest.isEmpty() ? Optional.empty() : Optional.of(rest.edge());
        return new Page(cells, next, Optional.empty(), seen[0], seen[1]);
    }

    private void check(long tableId, Write write, NavigableMap<ColumnKey, NavigableMap<Long, Bytes>> row)
            throws BigtableException {
        TableSchema schema = table(tableId).schema();
        for (Change change : write.mutation().changes()) {
            if (change instanceof Change.SetCell set
                    && schema.family(set.column().family()).isEmpty()) {
                throw new RejectedException(
                        schema.name() + " has no family " + set.column().family(), "ask for another");
            }
        }
        if (write.condition().isPresent() && write.condition().get() instanceof Condition.Newest condition) {
            if (!newest(row, condition.column()).equals(condition.value())) {
                throw new RejectedException("condition on " + condition.column() + " does not hold", "ask for another");
            }
        }
    }

    private static Optional<Bytes> newest(NavigableMap<ColumnKey, NavigableMap<Long, Bytes>> row, ColumnKey column) {
        return Optional.ofNullable(row.get(column))
                .filter(versions -> !versions.isEmpty())
                .map(versions -> versions.firstEntry().getValue());
    }

    private long apply(NavigableMap<ColumnKey, NavigableMap<Long, Bytes>> row, Change change) throws RejectedException {
        if (change instanceof Change.Increment increment) {
            try {
                long before =
                        newest(row, increment.column()).map(Counter::decode).orElse(0L);
                long count = Math.addExact(before, increment.amount());
                set(row, increment.column(), Counter.encode(count));
                return count;
            } catch (IllegalArgumentException | ArithmeticException refused) {
                throw RejectedException.of(refused, "correct it");
            }
        }
        if (change instanceof Change.Append append) {
            Bytes before = newest(row, append.column()).orElse(Bytes.EMPTY);
            Bytes value = new Output().raw(before).raw(append.value()).toBytes();
            set(row, append.column(), value);
            return value.length();
        }
        applySimple(row, change);
        return clockMicros;
    }

    private void set(NavigableMap<ColumnKey, NavigableMap<Long, Bytes>> row, ColumnKey column, Bytes value) {
        applySimple(row, new Change.SetCell(column, Change.SERVER_TIME, value));
    }

    private void applySimple(NavigableMap<ColumnKey, NavigableMap<Long, Bytes>> row, Change change) {
        if (change instanceof Change.SetCell set) {
            long timestamp = set.timestamp() == Change.SERVER_TIME ? clockMicros : set.timestamp();
            row.computeIfAbsent(set.column(), c -> new TreeMap<>(Comparator.reverseOrder()))
                    .put(timestamp, set.value());
        } else if (change instanceof Change.DeleteRow) {
            row.clear();
        } else if (change instanceof Change.DeleteFamily family) {
            row.keySet().removeIf(column -> column.family().equals(family.family()));
        } else if (change instanceof Change.DeleteColumn column) {
            row.remove(column.column());
        } else if (change instanceof Change.DeleteVersions versions) {
            row.getOrDefault(versions.column(), new TreeMap<>())
                    .keySet()
                    .removeIf(t -> t >= versions.oldest() && t <= versions.newest());
        } else if (change instanceof Change.DeleteVersion version) {
            row.getOrDefault(version.column(), new TreeMap<>()).remove(version.timestamp());
        }
    }

    private List<Cell> read(
            Request.Scan scan, Bytes key, NavigableMap<ColumnKey, NavigableMap<Long, Bytes>> row, long[] seen)
            throws RejectedException {
        List<Cell> cells = cells(scan.tableId(), key, row);
        seen[0]++;
        seen[1] += cells.size();
        return filtered(scan.filter(), cells);
    }

    private List<Cell> cells(long tableId, Bytes key, NavigableMap<ColumnKey, NavigableMap<Long, Bytes>> row) {
        List<Cell> cells = new ArrayList<>();
        row.forEach((column, versions) -> versions.entrySet().stream()
                .limit(kept(tableId, column.family()))
                .forEach(version -> cells.add(new Cell(key, column, version.getKey(), version.getValue()))));
        return cells;
    }

    private long kept(long tableId, String family) {
        Optional<GcRule> rule = table(tableId).schema().family(family).map(FamilySchema::garbage);
        return rule.isPresent() && rule.get() instanceof GcRule.MaxVersions max ? max.count() : Long.MAX_VALUE;
    }

    private Data table(long tableId) {
        return requireNonNull(tables.get(tableId), "a table that no test made");
    }

    private static List<Cell> filtered(Filter filter, List<Cell> cells) throws RejectedException {
        if (filter.kind() == Filter.Kind.SCRIPT) {
            throw new RejectedException("not in memory: " + filter.kind(), "ask for another");
        }
        return FilterModel.keep(cells, filter);
    }
}
