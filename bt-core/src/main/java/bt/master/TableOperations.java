package bt.master;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.coord.Lock;
import bt.metadata.MetadataSchema;
import bt.metadata.MetadataTable;
import bt.metadata.Schemas;
import bt.metadata.TabletStates;
import bt.model.Limits;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.record.CreateTable;
import bt.record.TablePhase;
import bt.record.TableRecord;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creating and dropping tables. Owned by the master's thread, so two of one name never race. */
final class TableOperations {
    private static final Logger log = LoggerFactory.getLogger(TableOperations.class);
    private static final int MAX_SPLIT_ROWS = 10_000;

    private final Catalogue catalogue;
    private final MetadataTable metadata;
    private final Lock lock;

    /** The lock is the master's. */
    TableOperations(Catalogue catalogue, MetadataTable metadata, Lock lock) {
        this.catalogue = catalogue;
        this.metadata = metadata;
        this.lock = lock;
    }

    /**
     * The rows of METADATA first, the table's file last: the file makes the table. A crash in between leaves rows of a
     * table that does not exist, which the next pass marks gone; in the other order it would leave a table with holes.
     */
    long create(CreateTable request) throws BigtableException, InterruptedException {
        String name = request.getTable().getName();
        if (name.equals(MetadataSchema.SCHEMA.name()) || find(name).isPresent()) {
            throw new RejectedException("table " + name + " exists already");
        }
        SortedSet<Bytes> endRows = endRows(name, request.getSplitRows());
        TableRecord table = TableRecord.newBuilder(request.getTable())
                .setId(catalogue.nextId())
                .setVersion(1)
                .setPhase(TablePhase.ACTIVE)
                .build();
        TableSchema schema = Schemas.decode(table);
        Optional<Bytes> previous = Optional.empty();
        for (Bytes endRow : endRows) {
            createTablet(new TabletId(schema.id(), Optional.of(endRow)), previous);
            previous = Optional.of(endRow);
        }
        createTablet(new TabletId(schema.id(), Optional.empty()), previous);
        // Another master may have been elected while we wrote rows, and have marked them gone.
        lock.renew();
        catalogue.add(table);
        log.info("table {} is created: id {}, {} tablets", name, schema.id(), endRows.size() + 1);
        return schema.id();
    }

    /** From here on the table has no name; its tablets are unloaded and marked gone by the passes that follow. */
    void drop(String name) throws BigtableException {
        TableRecord table = find(name)
                .orElseThrow(() -> new RejectedException("table " + name + " does not exist: list the tables that do"));
        catalogue.drop(table.getId());
        log.info("table {} (id {}) is dropped", name, table.getId());
    }

    private Optional<TableRecord> find(String name) throws BigtableException {
        return catalogue.tables().values().stream()
                .filter(table ->
                        table.getPhase() == TablePhase.ACTIVE && table.getName().equals(name))
                .findFirst();
    }

    private void createTablet(TabletId id, Optional<Bytes> previous) throws BigtableException, InterruptedException {
        metadata.create(id, TabletStates.empty(previous), "created");
    }

    private static SortedSet<Bytes> endRows(String name, List<ByteBuffer> splitRows) throws RejectedException {
        if (splitRows.size() > MAX_SPLIT_ROWS) {
            throw new RejectedException("table " + name + ": " + splitRows.size() + " split rows, at most "
                    + MAX_SPLIT_ROWS + " at creation");
        }
        SortedSet<Bytes> endRows = new TreeSet<>();
        for (ByteBuffer buffer : splitRows) {
            Bytes row = AvroBytes.bytes(buffer);
            if (row.isEmpty() || row.length() > Limits.ROW_BYTES) {
                throw new RejectedException("table " + name + ": a split row of " + row.length() + " bytes, 1 to "
                        + Limits.ROW_BYTES + " are allowed");
            }
            if (!endRows.add(row)) {
                throw new RejectedException("table " + name + ": the split row " + row + " is given twice");
            }
        }
        return endRows;
    }
}
