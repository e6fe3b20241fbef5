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
    private final Runnable step;

    SteppedLocks(LockService locks, Runnable step) {
        this.locks = locks;
        this.step = step;
    }

    /** What is asked. */
    @FunctionalInterface
    private interface Question<T> {
        T ask() throws BigtableException;
    }

    private <T> T stepped(Question<T> question) throws BigtableException {
        try {
            return question.ask();
        } finally {
            step.run();
        }
    }

    @Override
    public Optional<SmallFile> read(String path) throws BigtableException {
        return stepped(() -> locks.read(path));
    }

    @Override
    public List<Optional<SmallFile>> readEach(List<String> paths) throws BigtableException {
        return stepped(() -> locks.readEach(paths));
    }

    @Override
    public SmallFile create(String path, Bytes content) throws BigtableException {
        return stepped(() -> locks.create(path, content));
    }

    @Override
    public SmallFile write(String path, Bytes content, long version) throws BigtableException {
        return stepped(() -> locks.write(path, content, version));
    }

    @Override
    public void delete(String path) throws BigtableException {
        stepped(() -> {
            locks.delete(path);
            return true;
        });
    }

    @Override
    public List<String> children(String path) throws BigtableException {
        return stepped(() -> locks.children(path));
    }

    @Override
    public List<List<String>> childrenOfEach(List<String> paths) throws BigtableException {
        return stepped(() -> locks.childrenOfEach(paths));
    }

    @Override
    public Optional<Lock> tryLock(String path, Bytes owner) throws BigtableException {
        return stepped(() -> locks.tryLock(path, owner)).map(SteppedLock::new);
    }

    @Override
    public Watch watch(String path, Runnable changed) throws BigtableException {
        return stepped(() -> locks.watch(path, changed));
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
            stepped(() -> {
                lock.renew();
                return true;
            });
        }

        @Override
        public void create(String path, Bytes content) throws BigtableException {
            stepped(() -> {
                lock.create(path, content);
                return true;
            });
        }

        @Override
        public SmallFile write(String path, Bytes content, long version) throws BigtableException {
            return stepped(() -> lock.write(path, content, version));
        }

        @Override
        public void deleteWithChildren(String path) throws BigtableException {
            stepped(() -> {
                lock.deleteWithChildren(path);
                return true;
            });
        }

        @Override
        public void close() {
            lock.close();
        }
    }
}
