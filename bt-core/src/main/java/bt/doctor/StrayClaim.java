package bt.doctor;

import bt.metadata.MetadataRow;
import bt.model.TabletId;
import java.util.Optional;

/** A tablet that a server says it serves, and its row if METADATA has one that is not gone. */
record StrayClaim(TabletId id, String server, long epoch, String table, Optional<MetadataRow> row) implements Facts {
    @Override
    public String version() {
        return id + " at " + epoch;
    }
}
