package bt.doctor;

import bt.model.TabletId;
import java.util.Optional;

/**
 * A server that somebody wants without tablets: its file among those that are drained, when that was written and looked at
 * (wall clocks, microseconds), and the tablets that the server says it has, with the first of them.
 */
record Draining(String file, long writtenMicros, long nowMicros, int tablets, Optional<TabletId> first)
        implements Facts {
    @Override
    public String version() {
        return String.valueOf(tablets);
    }
}
