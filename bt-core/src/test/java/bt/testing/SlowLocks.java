package bt.testing;

import static bt.base.BigtableException.Outcome.UNKNOWN;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.coord.LockService;
import bt.coord.SmallFile;
import java.util.List;
import java.util.Optional;

/** A lock service each of whose answers takes some time. Inside of a simulation. */
public final class SlowLocks extends ForwardingLocks {
    private final Scheduler scheduler;
    private final long millis;

    public SlowLocks(LockService locks, Scheduler scheduler, long millis) {
        super(locks);
        this.scheduler = scheduler;
        this.millis = millis;
    }

    @Override
    public Optional<SmallFile> read(String path) throws BigtableException {
        take();
        return super.read(path);
    }

    @Override
    public List<Optional<SmallFile>> readEach(List<String> paths) throws BigtableException {
        take();
        return locks.readEach(paths);
    }

    @Override
    public SmallFile create(String path, Bytes content) throws BigtableException {
        take();
        return super.create(path, content);
    }

    @Override
    public SmallFile write(String path, Bytes content, long version) throws BigtableException {
        take();
        return super.write(path, content, version);
    }

    @Override
    public void delete(String path) throws BigtableException {
        take();
        super.delete(path);
    }

    private void take() throws BigtableException {
        try {
            scheduler.pause(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnavailableException("interrupted", UNKNOWN);
        }
    }
}
