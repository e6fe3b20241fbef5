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
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The tables of the cluster, as the lock service's files {@code tables/<id>} describe them, with a cache. What is not in
 * the cache is looked up, what is in it may be old: {@link #refresh} asks again. Tables that are dropped are not seen.
 * METADATA is a constant. Any thread.
 */
public final class Schemas {
    private final LockService locks;

    /** By the paths of their files. */
    private final Map<String, Known> cache = new ConcurrentHashMap<>();

    public Schemas(LockService locks) {
        this.locks = locks;
    }

    /** What was read last of a table's file, and which file that was. */
    private record Known(long createdTransaction, long version, TableSchema schema) {
        static Known of(SmallFile file, TableSchema schema) {
            return new Known(file.createdTransaction(), file.version(), schema);
        }

        boolean isOf(SmallFile file) {
            return version == file.version() && createdTransaction == file.createdTransaction();
        }
    }

    /** The table as it is now; that it bore the name before only makes it faster to find. */
    public Optional<TableSchema> byName(String name) throws BigtableException {
        if (name.equals(MetadataSchema.SCHEMA.name())) {
            return Optional.of(MetadataSchema.SCHEMA);
        }
        Optional<TableSchema> known =
                named(name, cache.values().stream().map(Known::schema).toList());
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
        Optional<TableSchema> known = known(tableId);
        return known.isPresent() ? known : refresh(tableId);
    }

    /** What was last seen of the table, without asking anybody. */
    public Optional<TableSchema> known(long tableId) {
        return Optional.ofNullable(cache.get(Paths.table(tableId))).map(Known::schema);
    }

    /**
     * The table as it is now; empty when it is dropped or never was. As long as its file is the same so is the object: a server's
     * tablets have one between them, however long it is.
     */
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
        if (file.isPresent()) {
            return seen(new Stored(path, file.get()));
        }
        cache.remove(path);
        return Optional.empty();
    }

    private Optional<TableSchema> seen(Stored stored) throws CorruptionException {
        Known known = cache.get(stored.path());
        if (known != null && known.isOf(stored.file())) {
            return Optional.of(known.schema());
        }
        TableRecord table = stored.record();
        if (table.getPhase() != TablePhase.ACTIVE) {
            cache.remove(stored.path());
            return Optional.empty();
        }
        TableSchema now = schema(stored.path(), table);
        cache.put(stored.path(), Known.of(stored.file(), now));
        return Optional.of(now);
    }

    /** Every table as it is now, by id, without METADATA and without those whose files are damaged, of which the master tells. */
    public List<TableSchema> all() throws BigtableException {
        return all(new ArrayList<>());
    }

    private List<TableSchema> all(List<CorruptionException> damage) throws BigtableException {
        List<TableSchema> tables = new ArrayList<>();
        Set<String> present = new HashSet<>();
        for (Stored stored : stored()) {
            try {
                Optional<TableSchema> table = seen(stored);
                table.ifPresent(tables::add);
                table.ifPresent(active -> present.add(stored.path()));
            } catch (CorruptionException damaged) {
                damage.add(damaged);
            }
        }
        tables.sort((a, b) -> Long.compare(a.id(), b.id()));
        cache.keySet().retainAll(present);
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

    /** REJECTED where a table that is to be like this has too many families, and more than the so many that it had before. */
    public static void checkFamilies(TableSchema wanted, int before) throws RejectedException {
        try {
            TableSchema unused = wanted.checkFamilies(before);
        } catch (IllegalArgumentException tooMany) {
            throw RejectedException.of("table " + wanted.name(), tooMany, "correct its schema");
        }
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
