package bt.testing;

import bt.base.BigtableException;
import bt.coord.LockService;
import bt.coord.SmallFile;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** A lock service that counts how often somebody waits for one of its answers to a question. Any thread. */
public final class CountedLocks extends ForwardingLocks {
    private final AtomicLong questions = new AtomicLong();

    public CountedLocks(LockService locks) {
        super(locks);
    }

    /** What was read or listed, many files at a time once. */
    public long questions() {
        return questions.get();
    }

    @Override
    public Optional<SmallFile> read(String path) throws BigtableException {
        questions.incrementAndGet();
        return super.read(path);
    }

    @Override
    public List<Optional<SmallFile>> readEach(List<String> paths) throws BigtableException {
        questions.incrementAndGet();
        return locks.readEach(paths);
    }

    @Override
    public List<String> children(String path) throws BigtableException {
        questions.incrementAndGet();
        return super.children(path);
    }

    @Override
    public List<List<String>> childrenOfEach(List<String> paths) throws BigtableException {
        questions.incrementAndGet();
        return locks.childrenOfEach(paths);
    }
}
