package bt.master;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Messages;
import bt.base.RejectedException;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.coord.Lock;
import bt.master.TableChanges.Begun;
import bt.master.TabletRoom.More;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataSchema;
import bt.metadata.MetadataTable;
import bt.metadata.Schemas;
import bt.metadata.TabletStates;
import bt.model.FamilySchema;
import bt.model.Limits;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.record.CreateTable;
import bt.record.CreationFile;
import bt.record.TableCreated;
import bt.record.TablePhase;
import bt.record.TableRecord;
import bt.record.TabletState;
import bt.record.TruncateTable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creating, altering and dropping tables, and bringing them back. Owned by the master's thread, which has one at a time under way
 * ({@link TableChanges}), so two of one name never race.
 */
final class TableOperations {
    private static final Logger log = LoggerFactory.getLogger(TableOperations.class);
    private static final int MAX_SPLIT_ROWS = 10_000;
    private static final long NO_ID_YET = 0;
    private static final String DROPPED = " was dropped";
    private static final String TO_UNDELETE = "undelete it, or create it anew";

    private final Catalogue catalogue;
    private final MetadataTable metadata;
    private final Scheduler scheduler;
    private final RowFeed feed;
    private final TableCreations creations;
    private final Lock lock;
    private final CodecCheck codecs;
    private final ServiceTime time;
    private final TabletImage image;
    private final TabletRoom room;

    /** The lock is the master's. */
    TableOperations(
            Catalogue catalogue,
            MetadataTable metadata,
            Scheduler scheduler,
            RowFeed feed,
            TableCreations creations,
            Lock lock,
            CodecCheck codecs,
            ServiceTime time,
            TabletImage image,
            TabletRoom room) {
        this.catalogue = catalogue;
        this.metadata = metadata;
        this.scheduler = scheduler;
        this.feed = feed;
        this.creations = creations;
        this.lock = lock;
        this.codecs = codecs;
        this.time = time;
        this.image = image;
        this.room = room;
    }

    /**
     * The rows of METADATA first, the table's file last: the file makes the table. A crash in between leaves rows of a
     * table that does not exist, which the next pass marks gone; in the other order it would leave a table with holes.
     */
    Begun create(CreateTable request, Sight sight) throws BigtableException, InterruptedException {
        String name = request.getTable().getName();
        if (name.equals(MetadataSchema.SCHEMA.name()) || find(name).isPresent()) {
            throw new RejectedException("table " + name + " exists already", "choose another name, or alter it");
        }
        SortedSet<Bytes> endRows = endRows(name, request.getSplitRows());
        TableRecord draft = TableRecord.newBuilder(request.getTable())
                .setId(NO_ID_YET)
                .setVersion(1)
                .setPhase(TablePhase.ACTIVE)
                .setDroppedMicros(0)
                .setReturnedVersion(0)
                .build();
        TableFileRoom.check(draft);
        More more = More.ofTable(endRows, TableWeight.of(draft));
        room.check("table " + name, more);
        checkServersHaveRoom(name, sight);
        TableRecord table =
                TableRecord.newBuilder(draft).setId(catalogue.nextId()).build();
        TableSchema schema = Schemas.decode(table);
        Schemas.checkFamilies(schema, 0);
        TableFileRoom.check(table);
        codecs.check(table, sight);
        return writing(table, more, () -> newTablets(schema.id(), endRows), tablets -> {
            creations.begin(new CreationFile(schema.id(), name, tablets));
            // Another master may have been elected since we began, and have marked these rows gone: of a table without
            // tablets.
            catalogue.add(table, lock);
            log.info("table {} is created: id {}, {} tablets", name, schema.id(), tablets);
        });
    }

    /** REJECTED where tablets of a table that comes to be, or back, would wait until some server has room. */
    static void checkServersHaveRoom(String name, Sight sight) throws RejectedException {
        Optional<String> noRoom = sight.noRoom();
        if (noRoom.isPresent()) {
            throw new RejectedException("table " + name + ": " + noRoom.get(), Sight.TO_MAKE_ROOM);
        }
    }

    /** What is left to do when the rows of a table that comes to be are there, of so many tablets. */
    @FunctionalInterface
    private interface Ending {
        void run(int tablets) throws BigtableException;
    }

    /** Has the rows of a table that comes to be written; its answer names the table. */
    private Begun writing(TableRecord table, More more, RowFeed.Source rows, Ending ending) {
        long id = table.getId();
        // Until the end is told these rows are nobody's to load, and nobody's to mark gone.
        catalogue.comes(table);
        room.comes(id, more);
        CompletableFuture<Integer> written = feed.begin(rows);
        return new Begun(written, () -> {
            boolean isThere = false;
            try {
                ending.run(scheduler.await(written, 0));
                isThere = true;
            } finally {
                catalogue.decided(id);
                room.decided(id, isThere);
            }
            return new TableCreated(id);
        });
    }

    /** The next version of the table. REJECTED when it is not made from the present one, or no server could serve it. */
    void alter(TableRecord wanted, Sight sight) throws BigtableException, InterruptedException {
        TableSchema schema = Schemas.decode(wanted);
        TableFileRoom.check(wanted);
        catalogue.know();
        long more = TableWeight.of(wanted) - catalogue.weight(wanted.getId());
        if (more > 0) {
            room.check("table " + wanted.getName(), new More(0, 0, more));
        }
        codecs.check(wanted, sight);
        TableRecord altered = catalogue.change(wanted.getId(), now -> {
            checkIsNext(schema, active(now));
            Schemas.checkFamilies(schema, now.getFamilies().size());
            return TableRecord.newBuilder(wanted)
                    .setVersion(now.getVersion() + 1)
                    .setPhase(TablePhase.ACTIVE)
                    .setDroppedMicros(0)
                    .setReturnedVersion(now.getReturnedVersion())
                    .build();
        });
        log.info("table {} (id {}) has version {}", wanted.getName(), wanted.getId(), altered.getVersion());
    }

    /** Ids of families are never used again, so those below the next one are as they were or are not. */
    private static void checkIsNext(TableSchema wanted, TableSchema now) throws RejectedException {
        if (wanted.version() != now.version() || !wanted.name().equals(now.name())) {
            throw new RejectedException(
                    "table " + now.name() + " is at version " + now.version() + ", the change was made from version "
                            + wanted.version(),
                    "look at it again");
        }
        for (FamilySchema family : wanted.families()) {
            boolean isNew = family.id() >= now.nextFamilyId();
            boolean isKept = now.family(family.id())
                    .filter(known -> known.name().equals(family.name()))
                    .isPresent();
            if (!isNew && !isKept) {
                throw new RejectedException(
                        "table " + now.name() + ": family " + family.name() + " has the id " + family.id()
                                + ", which was another's",
                        "begin with the table's present schema");
            }
        }
        if (wanted.nextFamilyId() < now.nextFamilyId()) {
            throw new RejectedException(
                    "table " + now.name() + ": the next family id is " + now.nextFamilyId() + ", not "
                            + wanted.nextFamilyId(),
                    "begin with the table's present schema");
        }
    }

    /** From here on the table has no name and is refused; it may come back until its time is over. */
    void drop(String name, long tableId) throws BigtableException {
        drop(name, tableId, 0);
    }

    private void drop(String name, long tableId, long truncatedInto) throws BigtableException {
        long nowMicros = time.micros();
        catalogue.change(tableId, now -> {
            active(now);
            return TableRecord.newBuilder(now)
                    .setVersion(now.getVersion() + 1)
                    .setPhase(TablePhase.DROPPED)
                    .setDroppedMicros(nowMicros)
                    .setTruncatedInto(truncatedInto)
                    .build();
        });
        log.info("table {} (id {}) is dropped", name, tableId);
    }

    /**
     * Puts an empty table in the place of one: with its name, schema and rights, and tablets that end where its do. The rows of
     * the new one's tablets come first, which takes long; then two writes of the lock service follow each other. A master
     * that dies between them leaves the table dropped, and whoever asks the next one again has it go on.
     */
    Begun truncate(TruncateTable request) throws BigtableException {
        TableRecord full = full(request);
        // Those of the full one stay as long as it can come back.
        catalogue.know();
        More more = More.of(image.tablets(full.getId()), TableWeight.of(full));
        room.check("table " + full.getName(), more);
        TableRecord empty = TableRecord.newBuilder(full)
                .setId(catalogue.nextId())
                .setVersion(1)
                .setPhase(TablePhase.ACTIVE)
                .setDroppedMicros(0)
                .setTruncatedInto(0)
                .setReturnedVersion(0)
                .build();
        return writing(empty, more, () -> copiedTablets(full, empty.getId()), tablets -> {
            creations.begin(new CreationFile(empty.getId(), empty.getName(), tablets));
            if (full.getPhase() == TablePhase.ACTIVE) {
                drop(full.getName(), full.getId(), empty.getId());
            }
            addInItsPlace(empty);
            log.info("table {} (id {}) is truncated: id {}", full.getName(), full.getId(), empty.getId());
        });
    }

    /**
     * What is to be truncated. A table that is dropped is nobody's to truncate, and stays so: but for who asks again, where
     * a truncation has dropped it and gone no further, and its name was not borne since.
     */
    private TableRecord full(TruncateTable request) throws BigtableException {
        String name = request.getName();
        TableRecord full = catalogue
                .table(request.getTableId())
                .filter(table -> table.getPhase() == TablePhase.ACTIVE
                        || (request.getAgain()
                                && table.getPhase() == TablePhase.DROPPED
                                && table.getTruncatedInto() != 0))
                .orElseThrow(() -> new RejectedException("table " + name + DROPPED, TO_UNDELETE));
        if (full.getPhase() == TablePhase.DROPPED
                && (hasSuccessor(full) || find(name).isPresent())) {
            throw new RejectedException(
                    "table " + name + " was dropped, and another has borne its name since", "look at that");
        }
        return full;
    }

    /** Ids rise. */
    private boolean hasSuccessor(TableRecord table) throws BigtableException {
        return catalogue.tables().values().stream()
                .anyMatch(other -> other.getName().equals(table.getName()) && other.getId() > table.getId());
    }

    /** The one before is dropped already, so of a failure it is not true that nothing was changed. */
    private void addInItsPlace(TableRecord empty) throws BigtableException {
        try {
            catalogue.add(empty, lock);
        } catch (BigtableException failed) {
            throw failed.unknown(failed.getMessage());
        }
    }

    /** A writer's. */
    private List<RowWrites.Write> copiedTablets(TableRecord from, long to)
            throws BigtableException, InterruptedException {
        List<MetadataRow> rows = chain(from.getId());
        if (rows.size() - 1 > MAX_SPLIT_ROWS) {
            throw new RejectedException(
                    "table " + from.getName() + " has " + rows.size() + " tablets, at most " + (MAX_SPLIT_ROWS + 1)
                            + " can be truncated",
                    "merge some, or drop it and create it anew");
        }
        List<RowWrites.Write> writes = new ArrayList<>();
        for (MetadataRow row : rows) {
            TabletState empty = TabletStates.empty(row.previousEndRow());
            TabletState state = TabletStates.keepsEndRow(row.state()) ? TabletStates.keptEndRow(empty) : empty;
            TabletId id = new TabletId(to, row.id().endRow());
            writes.add(() -> metadata.create(id, state, "created: empty, in the place of a table that is truncated"));
        }
        return writes;
    }

    /** The tablets of a table from its first row to its last; UNAVAILABLE while the lower half of a split has no row yet. */
    private List<MetadataRow> chain(long tableId) throws BigtableException, InterruptedException {
        List<MetadataRow> rows = metadata.scan(tableId, tableId).stream()
                .filter(row -> !row.gone())
                .toList();
        Optional<Bytes> end = Optional.empty();
        boolean isWhole = !rows.isEmpty();
        for (MetadataRow row : rows) {
            isWhole &= row.previousEndRow().equals(end);
            end = row.id().endRow();
        }
        if (!isWhole || end.isPresent()) {
            throw new UnavailableException(
                    "a tablet of the table is being split or merged: try again", Outcome.NOT_APPLIED);
        }
        return rows;
    }

    /** Brings back the table of this id that bore the name, or, of none, the one that was dropped last under it; its id. */
    long undelete(String name, long tableId) throws BigtableException {
        if (find(name).isPresent()) {
            throw new RejectedException(
                    "another table bears the name " + Messages.name(name) + " now",
                    "drop that one, then the dropped one can come back");
        }
        TableRecord last = catalogue
                .lastDropped(name, tableId)
                .orElseThrow(() -> new RejectedException(
                        "no dropped table " + Messages.name(name) + " can come back",
                        "list the dropped tables that can"));
        creations.begin(new CreationFile(last.getId(), name, 0));
        catalogue.change(last.getId(), now -> {
            if (now.getPhase() != TablePhase.DROPPED) {
                throw new RejectedException(
                        "table " + name + " (id " + now.getId() + ") is " + now.getPhase(),
                        "list the dropped tables that can come back");
            }
            long version = now.getVersion() + 1;
            return TableRecord.newBuilder(now)
                    .setVersion(version)
                    .setPhase(TablePhase.ACTIVE)
                    .setDroppedMicros(0)
                    .setTruncatedInto(0)
                    .setReturnedVersion(version)
                    .build();
        });
        log.info("table {} (id {}) is back", name, last.getId());
        return last.getId();
    }

    private static TableSchema active(TableRecord table) throws RejectedException {
        if (table.getPhase() != TablePhase.ACTIVE) {
            throw new RejectedException("table " + table.getName() + DROPPED, TO_UNDELETE);
        }
        return Schemas.decode(table);
    }

    private Optional<TableRecord> find(String name) throws BigtableException {
        return catalogue.tables().values().stream()
                .filter(table ->
                        table.getPhase() == TablePhase.ACTIVE && table.getName().equals(name))
                .findFirst();
    }

    private List<RowWrites.Write> newTablets(long tableId, SortedSet<Bytes> endRows) {
        List<RowWrites.Write> writes = new ArrayList<>();
        Optional<Bytes> previous = Optional.empty();
        for (Bytes endRow : endRows) {
            writes.add(newTablet(new TabletId(tableId, Optional.of(endRow)), previous));
            previous = Optional.of(endRow);
        }
        writes.add(newTablet(new TabletId(tableId, Optional.empty()), previous));
        return writes;
    }

    private RowWrites.Write newTablet(TabletId id, Optional<Bytes> previous) {
        TabletState empty = TabletStates.empty(previous);
        TabletState state = id.endRow().isPresent() ? TabletStates.keptEndRow(empty) : empty;
        return () -> metadata.create(id, state, "created");
    }

    private static SortedSet<Bytes> endRows(String name, List<ByteBuffer> splitRows) throws RejectedException {
        if (splitRows.size() > MAX_SPLIT_ROWS) {
            throw new RejectedException(
                    "table " + name + ": " + splitRows.size() + " split rows, at most " + MAX_SPLIT_ROWS
                            + " at creation",
                    "create it with fewer, and have its tablets split then");
        }
        long bytes = splitRows.stream().mapToLong(ByteBuffer::remaining).sum();
        if (bytes > Limits.SPLIT_ROWS_BYTES) {
            throw new RejectedException(
                    "table " + name + ": " + bytes + " bytes of split rows, at most " + Limits.SPLIT_ROWS_BYTES
                            + " together at creation",
                    "name shorter ones, which need not be row keys that there are, or fewer, and have its tablets split"
                            + " then");
        }
        SortedSet<Bytes> endRows = new TreeSet<>();
        for (ByteBuffer buffer : splitRows) {
            Bytes row = AvroBytes.bytes(buffer);
            if (row.isEmpty() || row.length() > Limits.ROW_BYTES) {
                throw new RejectedException(
                        "table " + name + ": a split row of " + row.length() + " bytes",
                        "name rows of 1 to " + Limits.ROW_BYTES);
            }
            if (!endRows.add(row)) {
                throw new RejectedException(
                        "table " + name + ": the split row " + row.brief() + " is given twice", "name each once");
            }
        }
        return endRows;
    }
}
