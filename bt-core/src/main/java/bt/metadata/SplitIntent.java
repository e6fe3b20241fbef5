package bt.metadata;

import bt.base.AvroBytes;
import bt.base.CorruptionException;
import bt.record.Intent;
import bt.record.TabletLocation;
import bt.record.TabletState;
import java.util.ArrayList;
import java.util.List;

/**
 * What the row of a tablet that was split says of the lower half until that has its own row: all of it. It counts as if
 * the row stood there: who reads METADATA for files or logs that are needed reads this too. Whoever finds it completes it
 * ({@link MetadataTable#complete}).
 */
public record SplitIntent(MetadataRow lower) {
    static final String KIND = "split";

    /** Those of a row. */
    public static List<SplitIntent> of(MetadataRow row) throws CorruptionException {
        List<SplitIntent> splits = new ArrayList<>();
        for (Intent intent : row.state().getIntents()) {
            if (intent.getKind().equals(KIND)) {
                splits.add(decode(row, intent));
            }
        }
        return splits;
    }

    private static SplitIntent decode(MetadataRow row, Intent intent) throws CorruptionException {
        String source = "METADATA row " + row.id() + ", intent";
        return new SplitIntent(new MetadataRow(
                MetadataKeys.decode(AvroBytes.bytes(intent.getRow())),
                intent.getGeneration(),
                row.masterEpoch(),
                MetadataRowCodec.record(source, AvroBytes.bytes(intent.getLocation()), TabletLocation.class),
                MetadataRowCodec.record(source, AvroBytes.bytes(intent.getState()), TabletState.class)));
    }

    /** For the state of the upper half's row. */
    public Intent encode() {
        return new Intent(
                KIND,
                AvroBytes.buffer(MetadataKeys.of(lower.id())),
                lower.generation(),
                AvroBytes.buffer(MetadataRowCodec.record(lower.state())),
                AvroBytes.buffer(MetadataRowCodec.record(lower.location())));
    }

    /** The state of the upper half once the lower one has its row. */
    public TabletState removedFrom(TabletState state) {
        Intent mine = encode();
        return TabletState.newBuilder(state)
                .setIntents(state.getIntents().stream()
                        .filter(intent -> !intent.equals(mine))
                        .toList())
                .build();
    }
}
