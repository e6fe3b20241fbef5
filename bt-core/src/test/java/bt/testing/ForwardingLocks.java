package bt.testing;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.coord.Lock;
import bt.coord.LockService;
import bt.coord.SmallFile;
import java.util.List;
import java.util.Optional;

/** A lock service that leaves everything to the one behind it, for a test to be told of, or to come between. */
abstract class ForwardingLocks implements LockService {
    final LockService locks;

    ForwardingLocks(LockService locks) {
        this.locks = locks;
    }

    @Override
    public Optional<SmallFile> read(String path) throws BigtableException {
        return locks.read(path);
    }

    @Override
    public List<String> children(String path) throws BigtableException {
        return locks.children(path);
    }

    @Override
    public SmallFile create(String path, Bytes content) throws BigtableException {
        return locks.create(path, content);
    }

    @Override
    public SmallFile write(String path, Bytes content, long version) throws BigtableException {
        return locks.write(path, content, version);
    }

    @Override
    public void delete(String path) throws BigtableException {
        locks.delete(path);
    }

    @Override
    public Optional<Lock> tryLock(String path, Bytes owner) throws BigtableException {
        return locks.tryLock(path, owner);
    }

    @Override
    public Watch watch(String path, Runnable changed) throws BigtableException {
        return locks.watch(path, changed);
    }

    @Override
    public void close() {
        locks.close();
    }
}
