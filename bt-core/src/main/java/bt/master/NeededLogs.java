package bt.master;

import bt.metadata.MetadataRow;
import java.util.HashSet;
import java.util.Set;

/** Which servers' logs the rows of METADATA need that were seen. One thread. */
final class NeededLogs {
    private final Set<Long> epochs = new HashSet<>();
    private boolean isKnown = true;

    /** A row was seen. */
    void saw(MetadataRow row) {
        if (!row.gone()) {
            epochs.addAll(row.state().getLogs());
            epochs.add(row.location().getEpoch());
            // Half of a change of two rows is under way: what logs the other row needs is not known here. Without a
            // state
            // it is a mark on this row alone.
            isKnown &= row.state().getIntents().stream()
                    .noneMatch(intent -> intent.getState().hasRemaining());
        }
    }

    /** Whether all are known of the rows that were seen. */
    boolean isKnown() {
        return isKnown;
    }

    boolean has(long epoch) {
        return epochs.contains(epoch);
    }
}
