package bt.metadata;

import bt.base.BigtableException;
import bt.base.Deadline;
import bt.model.TabletId;
import java.util.Optional;

/** Where METADATA rows lie: in METADATA's tablets, or, for the root tablet's, in the lock service. One attempt each. */
interface RowHome {
    Optional<MetadataRow> read(TabletId id, Deadline deadline) throws BigtableException, InterruptedException;

    /**
     * Puts the row in the place of the one that has the expected generation, or of none. REJECTED, among other reasons,
     * when that is not what is there. Sending the same change again is no second change.
     */
    void write(RowChange change, Deadline deadline) throws BigtableException, InterruptedException;
}
