package bt.master;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Scheduler;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataSchema;
import bt.metadata.MetadataTable;
import bt.metadata.TabletStates;
import bt.model.TableSchema;
import bt.protocol.Network;
import bt.protocol.Request;
import bt.record.TablePhase;
import bt.record.TableRecord;
import bt.record.TabletState;
import bt.record.UnloadTablet;
import java.util.Map;
import java.util.Optional;

/**
 * One comparison of METADATA, the living servers and the schemas. The root tablet comes first, then METADATA's other
 * tablets, then those of users, because each level can only be read once the one above serves.
 */
final class Pass {
    private final MetadataTable metadata;
    private final Catalogue catalogue;
    private final Assigner assigner;
    private final Network network;
    private final Scheduler scheduler;
    private final MasterConfig config;
    private final long masterEpoch;
    private boolean metadataIsServed;

    Pass(
            MetadataTable metadata,
            Catalogue catalogue,
            Assigner assigner,
            Network network,
            Scheduler scheduler,
            MasterConfig config,
            long masterEpoch) {
        this.metadata = metadata;
        this.catalogue = catalogue;
        this.assigner = assigner;
        this.network = network;
        this.scheduler = scheduler;
        this.config = config;
        this.masterEpoch = masterEpoch;
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
        for (MetadataRow row : rows) {
            TableRecord table = tables.get(row.id().tableId());
            boolean wanted = table != null && table.getPhase() == TablePhase.ACTIVE;
            boolean settled = wanted ? assigner.settle(row, sight) : remove(row, sight);
            unsettled += settled ? 0 : 1;
        }
        return unsettled;
    }

    /** Unloads a tablet of a dropped table without a flush, then marks it gone. True when it is. */
    private boolean remove(MetadataRow row, Sight sight) throws BigtableException, InterruptedException {
        Optional<Member> holder = sight.holder(row.location());
        if (holder.isPresent()) {
            UnloadTablet message = new UnloadTablet(
                    masterEpoch, row.id().tableId(), AvroBytes.buffer(row.id().endRow()), false, null);
            scheduler.await(
                    network.send(holder.get().address(), new Request.Control(message), config.requestMillis()),
                    config.requestMillis());
            // The server wrote its own end into the row; the next pass marks it gone on that generation.
            return false;
        }
        TabletState gone = TabletState.newBuilder(row.state()).setGone(true).build();
        metadata.replace(row, TabletStates.unassigned(), gone, "gone");
        return true;
    }
}
