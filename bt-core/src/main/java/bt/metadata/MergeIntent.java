package bt.metadata;

import bt.base.AvroBytes;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.model.TabletId;
import bt.record.Intent;
import bt.record.TabletState;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the row of a tablet says that is being merged into the one behind it: which that is, and the generation with which
 * it takes the rows. While it stands nobody loads the tablet. Whoever finds it, and has not written it, finds out how far the
 * merge came, and first sees to it that it goes no further.
 */
public record MergeIntent(TabletId upper, long generation) {
    static final String KIND = "merge";

    public static Optional<MergeIntent> of(MetadataRow row) throws CorruptionException {
        for (Intent intent : row.state().getIntents()) {
            if (intent.getKind().equals(KIND)) {
                TabletId upper = MetadataKeys.decode(AvroBytes.bytes(intent.getRow()));
                return Optional.of(new MergeIntent(upper, intent.getGeneration()));
            }
        }
        return Optional.empty();
    }

    /** The state of a tablet that is being merged. */
    public TabletState addedTo(TabletState state) {
        ByteBuffer none = AvroBytes.buffer(Bytes.EMPTY);
        List<Intent> intents = new ArrayList<>(removedFrom(state).getIntents());
        intents.add(new Intent(KIND, AvroBytes.buffer(MetadataKeys.of(upper)), generation, none, none));
        return TabletState.newBuilder(state).setIntents(intents).build();
    }

    /** The state of a tablet that is itself again. */
    public static TabletState removedFrom(TabletState state) {
        return TabletState.newBuilder(state)
                .setIntents(state.getIntents().stream()
                        .filter(intent -> !intent.getKind().equals(KIND))
                        .toList())
                .build();
    }
}
