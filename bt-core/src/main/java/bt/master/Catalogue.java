package bt.master;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.RejectedException;
import bt.coord.Lock;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.metadata.TableFile;
import bt.record.TablePhase;
import bt.record.TableRecord;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** The tables as the lock service keeps them, dropped ones included. Only the master writes here. Any thread. */
final class Catalogue {
    private final LockService locks;

    /** Of all tables, as of the last look at them. */
    private volatile Map<String, CorruptionException> damage = Map.of();

    /** Whether all have been looked at. */
    private volatile boolean isRead;

    /** See {@link #touched()}. */
    private final Set<Long> touched = ConcurrentHashMap.newKeySet();

    /** By the names of their files; those that come to be are among them. */
    private final Map<String, Known> known = new ConcurrentHashMap<>();

    /** See {@link #isComing}. */
    private final Set<Long> coming = ConcurrentHashMap.newKeySet();

    Catalogue(LockService locks) {
        this.locks = locks;
    }

    /** What the description of a table takes of memory, and what it says where that has been read: none is kept twice. */
    private record Known(long version, long weight, Optional<TableRecord> table) {
        /** No file has this version. */
        private static final long UNREAD = -1;

        static Known written(long weight) {
            return new Known(UNREAD, weight, Optional.empty());
        }

        static Known read(SmallFile file, TableRecord table) {
            return new Known(
                    file.version(), TableWeight.of(table, file.content().length()), Optional.of(table));
        }

        static Known damaged(SmallFile file) {
            return new Known(file.version(), TableWeight.ofFile(file.content().length()), Optional.empty());
        }
    }

    /**
     * Tables by id, and of each other one, by the name of its file, what is wrong with that. Of these is not known what they are, or
     * whether they are dropped.
     */
    record Found(Map<Long, TableRecord> tables, Map<String, CorruptionException> damage) {
        boolean isDamaged(long tableId) {
            return damage.containsKey(Long.toString(tableId));
        }

        /** For operators. */
        List<String> problems() {
            return damage.values().stream()
                    .map(damaged -> damaged.getMessage() + "; its tablets are left as they are")
                    .toList();
        }
    }

    /** For who must go on whatever is damaged. */
    Found readable() throws BigtableException {
        Map<Long, TableRecord> tables = new TreeMap<>();
        Map<String, CorruptionException> damage = new TreeMap<>();
        List<String> names = locks.children(Paths.TABLES);
        // Together: one after the other a pass would grow with the tables by a round trip for each.
        Iterator<Optional<SmallFile>> files = locks.readEach(
                        names.stream().map(name -> Paths.TABLES + "/" + name).toList())
                .iterator();
        for (String name : names) {
            Optional<SmallFile> file = files.next();
            if (file.isPresent()) {
                try {
                    TableRecord table = read(name, file.get());
                    tables.put(table.getId(), table);
                } catch (CorruptionException damaged) {
                    known.put(name, Known.damaged(file.get()));
                    damage.put(name, damaged);
                }
            }
        }
        Set<String> kept = new HashSet<>(names);
        coming.forEach(id -> kept.add(Long.toString(id)));
        known.keySet().retainAll(kept);
        this.damage = damage;
        isRead = true;
        return new Found(tables, damage);
    }

    private TableRecord read(String name, SmallFile file) throws CorruptionException {
        Known before = known.get(name);
        if (before != null
                && before.version() == file.version()
                && before.table().isPresent()) {
            return before.table().get();
        }
        TableRecord table = decode(name, file);
        known.put(name, Known.read(file, table));
        return table;
    }

    /** What was wrong with the table's file when all were last looked at: no server can load a tablet of it then. */
    Optional<CorruptionException> damage(long tableId) {
        return Optional.ofNullable(damage.get(Long.toString(tableId)));
    }

    /** Every table by its id, for who concludes from what is not there; CORRUPTION when one of their files is damaged. */
    Map<Long, TableRecord> tables() throws BigtableException {
        Found found = readable();
        Optional<CorruptionException> damaged = found.damage().values().stream().findFirst();
        if (damaged.isPresent()) {
            throw damaged.get();
        }
        return found.tables();
    }

    Optional<TableRecord> table(long tableId) throws BigtableException {
        Optional<SmallFile> file = locks.read(Paths.table(tableId));
        return file.isEmpty() ? Optional.empty() : Optional.of(decode(Long.toString(tableId), file.get()));
    }

    /** The same, as of the last look at all where it was not changed since: who asks again and again waits for no lock service. */
    Optional<TableRecord> known(long tableId) throws BigtableException {
        Optional<TableRecord> seen =
                Optional.ofNullable(known.get(Long.toString(tableId))).flatMap(Known::table);
        return seen.isPresent() ? seen : table(tableId);
    }

    /** The table that was dropped last under this name, and may come back; of an id, unless that is 0, the one that has it. */
    Optional<TableRecord> lastDropped(String name, long tableId) throws BigtableException {
        return lastDropped(tables().values(), name, tableId);
    }

    /** The same of these. */
    static Optional<TableRecord> lastDropped(Collection<TableRecord> tables, String name, long tableId) {
        return tables.stream()
                .filter(table -> table.getPhase() == TablePhase.DROPPED
                        && table.getName().equals(name)
                        && (tableId == 0 || table.getId() == tableId))
                .max(Comparator.comparingLong(TableRecord::getDroppedMicros));
    }

    /** An id that no table has had or will have; one is lost when the creation fails, which does no harm. */
    long nextId() throws BigtableException {
        SmallFile counter = locks.read(Paths.TABLES).orElseThrow();
        long next = number(counter.content());
        locks.write(Paths.TABLES, Bytes.utf8(Long.toString(next + 1)), counter.version());
        return next;
    }

    /** Has {@link #weight} count all tables, of which a new master may not have read any. */
    void know() throws BigtableException {
        if (!isRead) {
            Found unused = readable();
        }
    }

    /**
     * What the descriptions of all tables take of memory ({@link TableWeight}), as of the last look at them and what became of some
     * since; of those too that come to be.
     */
    long weight() {
        return known.values().stream().mapToLong(Known::weight).sum();
    }

    /** Of one table's; 0 where none is known. */
    long weight(long tableId) {
        Known table = known.get(Long.toString(tableId));
        return table == null ? 0 : table.weight();
    }

    /** The rows of the table's tablets are being written, which come before it. */
    void comes(TableRecord table) {
        coming.add(table.getId());
        known.put(Long.toString(table.getId()), Known.written(TableWeight.of(table)));
    }

    /** The table is there now, or will not be: then its rows are, some of them. */
    void decided(long tableId) {
        coming.remove(tableId);
        touched.add(tableId);
    }

    /** Whether of a table that is not there nobody can say yet that it will not be. */
    boolean isComing(long tableId) {
        return coming.contains(tableId);
    }

    /** The tables that came, or did not after all, were dropped or brought back since somebody asked last, or may have been. */
    Set<Long> touched() {
        Set<Long> taken = Set.copyOf(touched);
        touched.removeAll(taken);
        return taken;
    }

    /** By the master's lock, or not at all: FENCED when that is lost. */
    void add(TableRecord table, Lock masters) throws BigtableException {
        masters.create(Paths.table(table.getId()), TableFile.encode(table));
    }

    /**
     * Replaces the record of a table by what the change makes of it, unless somebody was faster: then REJECTED, and nothing
     * was changed. So of two masters that decide on the same record only one is right. The new record.
     */
    TableRecord change(long tableId, Change change) throws BigtableException {
        String path = Paths.table(tableId);
        SmallFile file =
                locks.read(path).orElseThrow(() -> new RejectedException("the table is gone", "list those that exist"));
        TableRecord before = decode(path, file);
        TableRecord changed = change.of(before);
        if (changed.getPhase() != before.getPhase()) {
            touched.add(tableId);
        }
        Bytes content = TableFile.encode(changed);
        locks.write(path, content, file.version());
        known.put(Long.toString(tableId), Known.written(TableWeight.of(changed, content.length())));
        return changed;
    }

    /** Decides what a record is to become; REJECTED when it is not what was expected. */
    @FunctionalInterface
    interface Change {
        TableRecord of(TableRecord now) throws RejectedException;
    }

    private static TableRecord decode(String name, SmallFile file) throws CorruptionException {
        return TableFile.decode("file " + Paths.TABLES + "/" + name, file.content());
    }

    private static long number(Bytes content) throws CorruptionException {
        try {
            return Long.parseLong(content.toUtf8());
        } catch (NumberFormatException malformed) {
            throw new CorruptionException(Paths.TABLES + ": \"" + content + "\" is no number");
        }
    }
}
