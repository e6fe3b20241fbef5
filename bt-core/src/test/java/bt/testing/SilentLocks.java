package bt.testing;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.UnavailableException;
import bt.coord.Lock;
import bt.coord.LockService;
import bt.coord.SmallFile;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** A lock service that leaves some questions unanswered, in doubt as any request without an answer is; others go to that behind it. */
public final class SilentLocks implements LockService {
    private final LockService locks;
    private final AtomicInteger silent = new AtomicInteger();

    public SilentLocks(LockService locks) {
        this.locks = locks;
    }

    /** The next so many questions are answered by nobody. */
    public void ignore(int questions) {
        silent.set(questions);
    }

    private void listen(String path) throws UnavailableException {
        if (silent.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new UnavailableException(path + ": no answer");
        }
    }

    @Override
    public Optional<SmallFile> read(String path) throws BigtableException {
        listen(path);
        return locks.read(path);
    }

    @Override
    public List<String> children(String path) throws BigtableException {
        listen(path);
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
