package bt.testing;

import bt.base.BigtableException;
import bt.base.UnavailableException;
import bt.coord.LockService;
import bt.coord.SmallFile;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** A lock service that leaves some questions unanswered, in doubt as any request without an answer is; others go to that behind it. */
public final class SilentLocks extends ForwardingLocks {
    private final AtomicInteger silent = new AtomicInteger();

    public SilentLocks(LockService locks) {
        super(locks);
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
        return super.read(path);
    }

    @Override
    public List<String> children(String path) throws BigtableException {
        listen(path);
        return super.children(path);
    }
}
