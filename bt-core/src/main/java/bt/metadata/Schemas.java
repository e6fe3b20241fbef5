package bt.metadata;

import bt.base.BigtableException;
import bt.base.CorruptionException;
import bt.base.MistakeException;
import bt.base.RejectedException;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.model.DroppedTable;
import bt.model.TableSchema;
import bt.record.TablePhase;
import bt.record.TableRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The tables of the cluster, as the lock service's files {@code tables/<id>} describe them, with a cache. What is not in
 * the cache is looked up, what is in it may be old: {@link #refresh} asks again. Tables that are dropped are not seen.
 * METADATA is a constant. Any thread.
 */
public final class Schemas {
    private final LockService locks;
    private final Map<Long, TableSchema> cache = new ConcurrentHashMap<>();

    public Schemas(LockService locks) {
        this.locks = locks;
    }

    /** The table as it is now; that it bore the name before only makes it faster to find. */
    public Optional<TableSchema> byName(String name) throws BigtableException {
        if (name.equals(MetadataSchema.SCHEMA.name())) {
            return Optional.of(MetadataSchema.SCHEMA);
        }
        Optional<TableSchema> known = named(name, cache.values());
        if (known.isPresent()) {
            Optional<TableSchema> now = refresh(known.get().id());
            if (now.isPresent() && now.get().name().equals(name)) {
                return now;
            }
        }
        return find(name);
    }

    /**
     * The table as it is now, METADATA not among them. CORRUPTION where none of those that can be read bears the name, and the file of
     * another is damaged: that may be the one.
     */
    public Optional<TableSchema> find(String name) throws BigtableException {
        List<CorruptionException> damage = new ArrayList<>();
        Optional<TableSchema> found = named(name, all(damage));
        if (found.isEmpty() && !damage.isEmpty()) {
            throw damage.get(0);
        }
        return found;
    }

    public Optional<TableSchema> byId(long tableId) throws BigtableException {
        if (tableId == TableSchema.METADATA_ID) {
            return Optional.of(MetadataSchema.SCHEMA);
        }
        TableSchema known = cache.get(tableId);
        return known != null ? Optional.of(known) : refresh(tableId);
    }

    /** What was last seen of the table, without asking anybody. */
    public Optional<TableSchema> known(long tableId) {
        return Optional.ofNullable(cache.get(tableId));
    }

    /** The table as it is now; empty when it is dropped or never was. */
    public Optional<TableSchema> refresh(long tableId) throws BigtableException {
        if (tableId == TableSchema.METADATA_ID) {
            return Optional.of(MetadataSchema.SCHEMA);
        }
        Optional<SmallFile> file = locks.read(Paths.table(tableId));
        return seen(tableId, file);
    }

    /** What became of a look at one of several tables: its schema, nothing where it is dropped, or what is wrong with its file. */
    public record Looked(Optional<TableSchema> now, Optional<CorruptionException> damage) {
        /** What {@link Schemas#refresh} returns, or throws. */
        public Optional<TableSchema> orThrow() throws CorruptionException {
            if (damage.isPresent()) {
                throw damage.get();
            }
            return now;
        }
    }

    /** The same of each of many tables, in their order and far fewer round trips, METADATA not among them. */
    public List<Looked> refreshEach(List<Long> tableIds) throws BigtableException {
        Iterator<Optional<SmallFile>> files =
                locks.readEach(tableIds.stream().map(Paths::table).toList()).iterator();
        List<Looked> looked = new ArrayList<>();
        for (long tableId : tableIds) {
            try {
                looked.add(new Looked(seen(tableId, files.next()), Optional.empty()));
            } catch (CorruptionException damaged) {
                looked.add(new Looked(Optional.empty(), Optional.of(damaged)));
            }
        }
        return looked;
    }

    private Optional<TableSchema> seen(long tableId, Optional<SmallFile> file) throws CorruptionException {
        String path = Paths.table(tableId);
        Optional<TableSchema> now =
                file.isEmpty() ? Optional.empty() : active(path, new Stored(path, file.get()).record());
        if (now.isPresent()) {
            cache.put(tableId, now.get());
        } else {
            cache.remove(tableId);
        }
        return now;
    }

    /** Every table as it is now, by id, without METADATA and without those whose files are damaged, of which the master tells. */
    public List<TableSchema> all() throws BigtableException {
        return all(new ArrayList<>());
    }

    private List<TableSchema> all(List<CorruptionException> damage) throws BigtableException {
        List<TableSchema> tables = new ArrayList<>();
        for (Stored stored : stored()) {
            try {
                active(stored.path(), stored.record()).ifPresent(tables::add);
            } catch (CorruptionException damaged) {
                damage.add(damaged);
            }
        }
        tables.sort((a, b) -> Long.compare(a.id(), b.id()));
        cache.keySet().retainAll(tables.stream().map(TableSchema::id).toList());
        tables.forEach(table -> cache.put(table.id(), table));
        return tables;
    }

    /** The dropped tables that can come back, by id; those whose files are damaged cannot. */
    public List<DroppedTable> dropped() throws BigtableException {
        List<DroppedTable> tables = new ArrayList<>();
        for (Stored stored : stored()) {
            try {
                TableRecord table = stored.record();
                if (table.getPhase() == TablePhase.DROPPED) {
                    tables.add(new DroppedTable(schema(stored.path(), table), table.getDroppedMicros()));
                }
            } catch (CorruptionException damaged) {
                // The master and the doctor tell of it; all others can come back.
            }
        }
        tables.sort(Comparator.comparingLong(table -> table.schema().id()));
        return tables;
    }

    /** The record of a table that is not dropped. */
    public static TableRecord encode(TableSchema schema) {
        return SchemaCodec.encode(schema);
    }

    /** REJECTED when the record describes no table that could be. */
    public static TableSchema decode(TableRecord table) throws RejectedException {
        try {
            return SchemaCodec.decode(table);
        } catch (IllegalArgumentException malformed) {
            throw RejectedException.of("table " + table.getName(), malformed, "correct its schema");
        }
    }

    private static Optional<TableSchema> active(String path, TableRecord table) throws CorruptionException {
        return table.getPhase() == TablePhase.ACTIVE ? Optional.of(schema(path, table)) : Optional.empty();
    }

    /** The file of a table, which may be damaged. */
    private record Stored(String path, SmallFile file) {
        TableRecord record() throws CorruptionException {
            return TableFile.decode("file " + path, file.content());
        }
    }

    /** Those of all tables: where there are many, in far fewer round trips. */
    private List<Stored> stored() throws BigtableException {
        List<String> paths = locks.children(Paths.TABLES).stream()
                .map(name -> Paths.TABLES + "/" + name)
                .toList();
        Iterator<Optional<SmallFile>> files = locks.readEach(paths).iterator();
        List<Stored> all = new ArrayList<>();
        for (String path : paths) {
            files.next().ifPresent(file -> all.add(new Stored(path, file)));
        }
        return all;
    }

    private static TableSchema schema(String path, TableRecord table) throws CorruptionException {
        try {
            return SchemaCodec.decode(table);
        } catch (IllegalArgumentException malformed) {
            throw new CorruptionException("file " + path + ": " + MistakeException.fact(malformed));
        }
    }

    private static Optional<TableSchema> named(String name, Iterable<TableSchema> tables) {
        for (TableSchema table : tables) {
            if (table.name().equals(name)) {
                return Optional.of(table);
            }
        }
        return Optional.empty();
    }
}
