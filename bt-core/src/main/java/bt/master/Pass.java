package bt.master;

import bt.base.BigtableException;
import bt.base.Clock;
import bt.base.RejectedException;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataSchema;
import bt.metadata.MetadataTable;
import bt.metadata.TabletStates;
import bt.model.TableSchema;
import bt.record.TablePhase;
import bt.record.TableRecord;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One comparison of METADATA, the living servers and the schemas. The root tablet comes first, then METADATA's other
 * tablets, then those of users, because each level can only be read once the one above serves.
 */
final class Pass {
    private static final Logger log = LoggerFactory.getLogger(Pass.class);

    private final MetadataTable metadata;
    private final Catalogue catalogue;
    private final Assigner assigner;
    private final Retirement retirement;
    private final Graces graces;
    private final Clock clock;
    private boolean metadataIsServed;

    Pass(
            MetadataTable metadata,
            Catalogue catalogue,
            Assigner assigner,
            Retirement retirement,
            Graces graces,
            Clock clock) {
        this.metadata = metadata;
        this.catalogue = catalogue;
        this.assigner = assigner;
        this.retirement = retirement;
        this.graces = graces;
        this.clock = clock;
    }

    /** Does what can be done now; the number of tablets that are not as they should be yet. */
    int run(Sight sight) throws BigtableException, InterruptedException {
        metadataIsServed = false;
        assigner.begin(sight);
        MetadataRow root = metadata.read(MetadataSchema.ROOT)
                .orElseThrow(() -> new IllegalStateException("bootstrap makes the root row"));
        if (!assigner.settle(root, sight)) {
            return 1;
        }
        int unsettled = 0;
        boolean secondTablet = false;
        for (MetadataRow row : metadata.scan(TableSchema.METADATA_ID, TableSchema.METADATA_ID)) {
            secondTablet |= row.id().endRow().isEmpty();
            unsettled += assigner.settle(row, sight) ? 0 : 1;
        }
        if (!secondTablet) {
            // The first start: everything after the root tablet's rows is METADATA's second and last tablet.
            metadata.create(MetadataSchema.LAST, TabletStates.empty(MetadataSchema.ROOT.endRow()), "created");
            return 1;
        }
        if (unsettled > 0) {
            return unsettled;
        }
        metadataIsServed = true;
        return users(sight);
    }

    /** Whether the last pass could go on to the tables of users. */
    boolean metadataIsServed() {
        return metadataIsServed;
    }

    private int users(Sight sight) throws BigtableException, InterruptedException {
        int unsettled = 0;
        // METADATA first: a table whose rows we see without its file is being given up, not being created, because
        // only this thread creates tables.
        Iterable<MetadataRow> rows = metadata.scan(TableSchema.METADATA_ID + 1, Long.MAX_VALUE);
        Map<Long, TableRecord> tables = catalogue.tables();
        expire(tables);
        for (MetadataRow row : rows) {
            TableRecord table = tables.get(row.id().tableId());
            boolean settled =
                    switch (table == null ? TablePhase.GONE : table.getPhase()) {
                        case ACTIVE -> assigner.settle(row, sight);
                        case DROPPED -> retirement.retire(row, sight);
                        case GONE -> retirement.remove(row, sight);
                    };
            unsettled += settled ? 0 : 1;
        }
        return unsettled;
    }

    /**
     * The tables whose time to come back is over are gone: in the lock service first, so that of us and a master who brings
     * one back only one is right.
     */
    private void expire(Map<Long, TableRecord> tables) throws BigtableException {
        long latest = clock.micros() - graces.undeleteMillis() * 1_000;
        for (TableRecord table : List.copyOf(tables.values())) {
            if (table.getPhase() == TablePhase.DROPPED && table.getDroppedMicros() <= latest) {
                TableRecord gone = catalogue.change(table.getId(), now -> {
                    if (!now.equals(table)) {
                        throw new RejectedException("table " + table.getName() + " has changed since: look again");
                    }
                    return TableRecord.newBuilder(now).setPhase(TablePhase.GONE).build();
                });
                log.info("table {} (id {}) is gone", gone.getName(), gone.getId());
                tables.put(gone.getId(), gone);
            }
        }
    }
}
