package bt.master;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.coord.FileRights;
import bt.coord.Lock;
import bt.coord.LockService;
import bt.coord.SmallFile;
import java.util.List;
import java.util.Optional;

/** A lock service whose every answer, also one that is a failure, is a step of whoever asked: many slow ones are no hang. */
final class SteppedLocks implements LockService {
    private final LockService locks;
    private final Steps steps;

    SteppedLocks(LockService locks, Runnable step) {
        this.locks = locks;
        this.steps = new Steps(step);
    }

    @Override
    public Optional<SmallFile> read(String path) throws BigtableException {
        return steps.answer(() -> locks.read(path));
    }

    @Override
    public List<Optional<SmallFile>> readEach(List<String> paths) throws BigtableException {
        return steps.answer(() -> locks.readEach(paths));
    }

    @Override
    public SmallFile create(String path, Bytes content) throws BigtableException {
        return steps.answer(() -> locks.create(path, content));
    }

    @Override
    public SmallFile write(String path, Bytes content, long version) throws BigtableException {
        return steps.answer(() -> locks.write(path, content, version));
    }

    @Override
    public void delete(String path) throws BigtableException {
        steps.done(() -> locks.delete(path));
    }

    @Override
    public List<String> children(String path) throws BigtableException {
        return steps.answer(() -> locks.children(path));
    }

    @Override
    public List<List<String>> childrenOfEach(List<String> paths) throws BigtableException {
        return steps.answer(() -> locks.childrenOfEach(paths));
    }

    @Override
    public Optional<Lock> tryLock(String path, Bytes owner) throws BigtableException {
        return steps.answer(() -> locks.tryLock(path, owner)).map(SteppedLock::new);
    }

    @Override
    public Watch watch(String path, Runnable changed) throws BigtableException {
        return steps.answer(() -> locks.watch(path, changed));
    }

    @Override
    public Optional<FileRights> rights() {
        return locks.rights();
    }

    @Override
    public void close() {
        locks.close();
    }

    /** A lock of it: what is done with that is asked too. */
    private final class SteppedLock implements Lock {
        private final Lock lock;

        SteppedLock(Lock lock) {
            this.lock = lock;
        }

        @Override
        public String path() {
            return lock.path();
        }

        @Override
        public long transaction() {
            return lock.transaction();
        }

        @Override
        public void renew() throws BigtableException {
            steps.done(() -> lock.renew());
        }

        @Override
        public void create(String path, Bytes content) throws BigtableException {
            steps.done(() -> lock.create(path, content));
        }

        @Override
        public SmallFile write(String path, Bytes content, long version) throws BigtableException {
            return steps.answer(() -> lock.write(path, content, version));
        }

        @Override
        public void deleteWithChildren(String path) throws BigtableException {
            steps.done(() -> lock.deleteWithChildren(path));
        }

        @Override
        public void close() {
            lock.close();
        }
    }
}
