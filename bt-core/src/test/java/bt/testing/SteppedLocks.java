package bt.testing;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.coord.Lock;
import bt.coord.LockService;
import bt.coord.SmallFile;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A lock service that tells of every step which it remembers, before it is taken and once it is known to be done. */
record SteppedLocks(LockService inner, Consumer<CrashPoint> at) implements LockService {
    /** What changes something at the service. */
    @FunctionalInterface
    private interface Step<T> {
        T run() throws BigtableException;
    }

    private <T> T step(CrashPoint before, Step<T> step) throws BigtableException {
        at.accept(before);
        T result = step.run();
        at.accept(before.after());
        return result;
    }

    @Override
    public Optional<SmallFile> read(String path) throws BigtableException {
        return inner.read(path);
    }

    @Override
    public List<Optional<SmallFile>> readEach(List<String> paths) throws BigtableException {
        return inner.readEach(paths);
    }

    @Override
    public SmallFile create(String path, Bytes content) throws BigtableException {
        return step(CrashPoint.BEFORE_NODE_IS_CREATED, () -> inner.create(path, content));
    }

    @Override
    public SmallFile write(String path, Bytes content, long version) throws BigtableException {
        return step(CrashPoint.BEFORE_NODE_IS_SET, () -> inner.write(path, content, version));
    }

    @Override
    public void delete(String path) throws BigtableException {
        step(CrashPoint.BEFORE_NODE_IS_DELETED, () -> {
            inner.delete(path);
            return path;
        });
    }

    @Override
    public List<String> children(String path) throws BigtableException {
        return inner.children(path);
    }

    @Override
    public Optional<Lock> tryLock(String path, Bytes owner) throws BigtableException {
        at.accept(CrashPoint.BEFORE_LOCK);
        Optional<Lock> lock = inner.tryLock(path, owner);
        if (lock.isPresent()) {
            at.accept(CrashPoint.AFTER_LOCK);
        }
        return lock.map(held -> new SteppedLock(this, held));
    }

    @Override
    public Watch watch(String path, Runnable changed) throws BigtableException {
        return inner.watch(path, changed);
    }

    @Override
    public void close() {
        inner.close();
    }

    /** A lock of it. */
    private record SteppedLock(SteppedLocks locks, Lock inner) implements Lock {
        @Override
        public String path() {
            return inner.path();
        }

        @Override
        public long transaction() {
            return inner.transaction();
        }

        @Override
        public void renew() throws BigtableException {
            locks.step(CrashPoint.BEFORE_LOCK_IS_RENEWED, () -> {
                inner.renew();
                return inner;
            });
        }

        @Override
        public void create(String path, Bytes content) throws BigtableException {
            locks.step(CrashPoint.BEFORE_NODE_IS_CREATED, () -> {
                inner.create(path, content);
                return inner;
            });
        }

        @Override
        public SmallFile write(String path, Bytes content, long version) throws BigtableException {
            return locks.step(CrashPoint.BEFORE_NODE_IS_SET, () -> inner.write(path, content, version));
        }

        @Override
        public void deleteWithChildren(String path) throws BigtableException {
            locks.step(CrashPoint.BEFORE_NODE_IS_DELETED, () -> {
                inner.deleteWithChildren(path);
                return inner;
            });
        }

        @Override
        public void close() {
            locks.at.accept(CrashPoint.BEFORE_LOCK_IS_RELEASED);
            inner.close();
            locks.at.accept(CrashPoint.AFTER_LOCK_IS_RELEASED);
        }
    }
}
