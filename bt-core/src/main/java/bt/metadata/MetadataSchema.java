package bt.metadata;

import bt.base.Bytes;
import bt.model.Bloom;
import bt.model.ColumnKey;
import bt.model.FamilySchema;
import bt.model.GcRule;
import bt.model.LocalityGroup;
import bt.model.TableSchema;
import bt.model.TabletId;
import java.util.List;
import java.util.Optional;

/** Table 0, METADATA: the same in every cluster, so it is a constant and no file. See docs/formats/metadata-row.md. */
public final class MetadataSchema {
    public static final String LOCATION = "location";
    public static final String STATE = "state";
    public static final String EVENTS = "events";

    public static final ColumnKey LOCATION_COLUMN = new ColumnKey(LOCATION, Bytes.EMPTY);
    /** The row's generation, u64 big-endian: what every condition names. */
    public static final ColumnKey GENERATION_COLUMN = ColumnKey.of(LOCATION, "generation");
    /** The highest epoch of a master that changed the row, u64 big-endian. */
    public static final ColumnKey MASTER_EPOCH_COLUMN = ColumnKey.of(LOCATION, "master-epoch");
    /** Where the tablet begins, repeated from the state so that a look-up reads the family in memory alone. */
    public static final ColumnKey BEFORE_COLUMN = ColumnKey.of(LOCATION, "before");
    /** Text: for what damage the tablet could not be loaded; of the generation that is its timestamp, and of no other. */
    public static final ColumnKey DAMAGE_COLUMN = ColumnKey.of(LOCATION, "damage");

    public static final ColumnKey STATE_COLUMN = new ColumnKey(STATE, Bytes.EMPTY);
    public static final ColumnKey EVENTS_COLUMN = new ColumnKey(EVENTS, Bytes.EMPTY);
    /** What became of the tablet's files alone; whoever looks for the newest event looks into both. */
    public static final ColumnKey FILE_EVENTS_COLUMN = ColumnKey.of(EVENTS, "files");

    /** Exactly the METADATA rows of METADATA's own tablets; it never splits. Its own row is the lock service's file root. */
    public static final TabletId ROOT =
            new TabletId(TableSchema.METADATA_ID, Optional.of(MetadataKeys.lastTabletOf(TableSchema.METADATA_ID)));

    /** METADATA's last tablet: the only other one until it splits. */
    public static final TabletId LAST = new TabletId(TableSchema.METADATA_ID, Optional.empty());

    public static final TableSchema SCHEMA = schema();

    /** Of each column. */
    private static final int EVENTS_KEPT = 100;

    private MetadataSchema() {}

    private static TableSchema schema() {
        GcRule newest = new GcRule.MaxVersions(1);
        List<FamilySchema> families = List.of(
                new FamilySchema(1, LOCATION, LOCATION, newest),
                new FamilySchema(2, STATE, LocalityGroup.DEFAULT_NAME, newest),
                new FamilySchema(3, EVENTS, EVENTS, new GcRule.MaxVersions(EVENTS_KEPT)));
        List<LocalityGroup> groups = List.of(
                new LocalityGroup(LOCATION, 16 << 10, "lz4", true, Bloom.ROW),
                new LocalityGroup(LocalityGroup.DEFAULT_NAME, 16 << 10, "lz4", false, Bloom.ROW),
                new LocalityGroup(EVENTS, 64 << 10, "zstd", false, Bloom.NONE));
        return new TableSchema(
                TableSchema.METADATA_ID, "METADATA", 1, 4, TableSchema.Durability.SYNC, families, groups);
    }
}
