package bt.metadata;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Deadline;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.model.TabletId;
import java.util.Optional;

/** The root tablet's row: the lock service compares versions itself. Its events are in the log of the master only. */
final class RootHome implements RowHome {
    private final LockService locks;

    RootHome(LockService locks) {
        this.locks = locks;
    }

    @Override
    public Optional<MetadataRow> read(TabletId id, Deadline deadline) throws BigtableException {
        return RootRows.read(locks);
    }

    @Override
    public void write(RowChange change, Deadline deadline) throws BigtableException {
        Bytes content = RootRows.encode(change.wanted());
        if (change.expectedGeneration().isPresent()) {
            locks.write(Paths.ROOT, content, change.expectedGeneration().get());
        } else {
            locks.create(Paths.ROOT, content);
        }
    }
}
