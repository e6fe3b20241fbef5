package bt.metadata;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.CorruptionException;
import bt.base.Deadline;
import bt.base.UnavailableException;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.model.TabletId;
import bt.record.RootEvent;
import java.util.List;
import java.util.Optional;

/** The root tablet's row: the lock service compares versions itself. */
final class RootHome implements RowHome {
    private final LockService locks;
    private final Clock clock;

    RootHome(LockService locks, Clock clock) {
        this.locks = locks;
        this.clock = clock;
    }

    @Override
    public Optional<MetadataRow> read(TabletId id, Deadline deadline) throws BigtableException {
        return RootRows.read(locks);
    }

    @Override
    public void write(RowChange change, Deadline deadline) throws BigtableException {
        // Of another version than the one that is replaced they may be, and then the file is not written.
        List<RootEvent> events = RootEvents.with(events(), change.event(), clock.micros());
        Bytes content = RootRows.encode(change.wanted(), events);
        if (change.expectedGeneration().isPresent()) {
            locks.write(Paths.ROOT, content, change.expectedGeneration().get());
        } else {
            locks.create(Paths.ROOT, content);
        }
    }

    /** Nothing was sent where this fails. */
    private List<RootEvent> events() throws BigtableException {
        try {
            return RootRows.events(locks);
        } catch (UnavailableException | CorruptionException unread) {
            throw unread.notApplied();
        }
    }
}
