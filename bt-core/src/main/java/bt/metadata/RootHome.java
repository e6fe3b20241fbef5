package bt.metadata;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.CorruptionException;
import bt.base.Deadline;
import bt.base.UnavailableException;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.model.TabletId;
import bt.record.RootEvent;
import java.util.List;
import java.util.Optional;

/** The root tablet's row: the lock service compares versions itself. */
final class RootHome implements RowHome {
    private final LockService locks;
    private final Clock clock;

    /** As it was read last: who changes the row has just read it, and its events with it. */
    private volatile Optional<SmallFile> file = Optional.empty();

    RootHome(LockService locks, Clock clock) {
        this.locks = locks;
        this.clock = clock;
    }

    @Override
    public Optional<MetadataRow> read(TabletId id, Deadline deadline) throws BigtableException {
        Optional<SmallFile> read = locks.read(Paths.ROOT);
        file = read;
        return read.isEmpty() ? Optional.empty() : Optional.of(RootRows.decode(read.get()));
    }

    @Override
    public void write(RowChange change, Deadline deadline) throws BigtableException {
        List<RootEvent> events = RootEvents.with(events(change), change.event(), clock.micros());
        Bytes content = RootRows.encode(change.wanted(), events);
        if (change.expectedGeneration().isPresent()) {
            locks.write(Paths.ROOT, content, change.expectedGeneration().get());
        } else {
            locks.create(Paths.ROOT, content);
        }
    }

    /**
     * Of another version than the one that is replaced they may be, and then the file is not written. Nothing was sent where this
     * fails.
     */
    private List<RootEvent> events(RowChange change) throws BigtableException {
        Optional<SmallFile> replaced =
                file.filter(read -> change.expectedGeneration().equals(Optional.of(read.version())));
        try {
            return replaced.isPresent() ? RootRows.events(replaced.get()) : RootRows.events(locks);
        } catch (UnavailableException | CorruptionException unread) {
            throw unread.notApplied();
        }
    }
}
