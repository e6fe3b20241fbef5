package bt.master;

import bt.base.Bytes;
import bt.metadata.MetadataRow;
import bt.metadata.TabletStates;
import bt.model.RowRange;
import bt.model.TabletId;
import bt.record.FileReference;
import bt.record.Phase;
import java.util.Optional;

/**
 * What a master keeps of a tablet's row until it reads that again.
 *
 * @param epoch of the server that loads or serves it
 * @param recovers whether logs of dead servers are still needed
 * @param halfDone whether a split or a merge of it is
 * @param keepsEndRow whether a user gave its end row
 * @param fileBytes of all its files
 * @param largestFile the one that decides where its blocks are
 */
record KnownTablet(
        TabletId id,
        Optional<Bytes> previousEndRow,
        Phase phase,
        long epoch,
        boolean recovers,
        boolean halfDone,
        boolean keepsEndRow,
        long fileBytes,
        Optional<String> largestFile) {
    static KnownTablet of(MetadataRow row) {
        return new KnownTablet(
                row.id(),
                row.previousEndRow(),
                row.location().getPhase(),
                row.location().getEpoch(),
                !row.state().getLogs().isEmpty(),
                TabletStates.isHalfDone(row.state()),
                TabletStates.keepsEndRow(row.state()),
                row.state().getFiles().stream()
                        .mapToLong(FileReference::getBytes)
                        .sum(),
                Homes.largestFile(row.state()));
    }

    RowRange range() {
        return id.range(previousEndRow);
    }

    /** Whether some server loads or serves it. */
    boolean isHeld() {
        return phase != Phase.UNASSIGNED;
    }

    /** Whether a pass has to come to it again though nothing happens: somebody is at work on its row. */
    boolean isUnfinished() {
        return recovers || halfDone;
    }

    /** Whether nothing in its row keeps it from being moved. */
    boolean isMovable() {
        return phase == Phase.SERVING && !isUnfinished();
    }
}
