package bt.testing;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.coord.Lock;
import bt.coord.LockService;
import bt.coord.SmallFile;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** A lock service that counts how often somebody waits for one of its answers to a question. Any thread. */
public final class CountedLocks implements LockService {
    private final LockService locks;
    private final AtomicLong questions = new AtomicLong();

    public CountedLocks(LockService locks) {
        this.locks = locks;
    }

    /** What was read or listed, many files at a time once. */
    public long questions() {
        return questions.get();
    }

    @Override
    public Optional<SmallFile> read(String path) throws BigtableException {
        questions.incrementAndGet();
        return locks.read(path);
    }

    @Override
    public List<Optional<SmallFile>> readEach(List<String> paths) throws BigtableException {
        questions.incrementAndGet();
        return locks.readEach(paths);
    }

    @Override
    public List<String> children(String path) throws BigtableException {
        questions.incrementAndGet();
        return locks.children(path);
    }

    @Override
    public List<List<String>> childrenOfEach(List<String> paths) throws BigtableException {
        questions.incrementAndGet();
        return locks.childrenOfEach(paths);
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
