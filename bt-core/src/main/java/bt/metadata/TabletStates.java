package bt.metadata;

import bt.base.AvroBytes;
import bt.base.Bytes;
import bt.record.Phase;
import bt.record.TabletLocation;
import bt.record.TabletState;
import java.util.List;
import java.util.Optional;

/** What a METADATA row of a new tablet holds. */
public final class TabletStates {
    private TabletStates() {}

    /** A tablet without files that begins after {@code previousEndRow}, or is its table's first. */
    public static TabletState empty(Optional<Bytes> previousEndRow) {
        return TabletState.newBuilder()
                .setPreviousEndRow(AvroBytes.buffer(previousEndRow))
                .setFiles(List.of())
                .setLogs(List.of())
                .setIntents(List.of())
                .setBulkLoads(List.of())
                .build();
    }

    /** Nobody's. */
    public static TabletLocation unassigned() {
        return new TabletLocation(Phase.UNASSIGNED, "", "", 0L);
    }
}
