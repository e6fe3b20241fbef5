package bt.client;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.OverloadedException;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The writes of a batch that failed and that the application has not been told of. Any thread. */
final class Failed {
    private static final int TOLD_ONE_BY_ONE = 100;

    private final String table;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private final List<BigtableException> failures = new ArrayList<>();

    /** The first of those that have one, wherever it is among all. */
    @GuardedBy("lock") private @Nullable BigtableException unknown;

    @GuardedBy("lock") private long count;

    @GuardedBy("lock") private @Nullable Throwable bug;

    Failed(String table) {
        this.table = table;
    }

    void add(PendingWrite write, BigtableException failure) {
        lock.lock();
        try {
            count++;
            boolean isFirstUnknown = unknown == null && failure.outcome() == Outcome.UNKNOWN;
            if (!isFirstUnknown && failures.size() >= TOLD_ONE_BY_ONE) {
                return;
            }
            BigtableException told = BigtableException.of(
                    failure.kind(),
                    "row " + write.row().brief() + ": " + failure.outcome() + ": " + failure.getMessage(),
                    failure.outcome(),
                    retryAfter(failure));
            if (isFirstUnknown) {
                unknown = told;
            }
            if (failures.size() < TOLD_ONE_BY_ONE) {
                failures.add(told);
            }
        } finally {
            lock.unlock();
        }
    }

    /** A thread of the batch has ended with it: from now on every call does. */
    void add(Throwable unexpected) {
        lock.lock();
        try {
            bug = unexpected;
        } finally {
            lock.unlock();
        }
    }

    /** Throws what has failed since the last time, as one. */
    void tell() throws BigtableException {
        lock.lock();
        try {
            if (bug != null) {
                throw new IllegalStateException("table " + table + ": a thread of the batch has died: " + bug, bug);
            }
            if (count > 0) {
                BigtableException all = asOne();
                failures.clear();
                unknown = null;
                count = 0;
                throw all;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Of the kind of the first; but if anything is unknown, then so is the outcome. */
    @GuardedBy("lock") private BigtableException asOne() {
        BigtableException worst = unknown == null ? failures.get(0) : unknown;
        String message = "table " + table + ": " + count + (count == 1 ? " write" : " writes") + " of a batch failed; "
                + worst.getMessage();
        BigtableException all = BigtableException.of(worst.kind(), message, worst.outcome(), retryAfter(worst));
        failures.forEach(all::addSuppressed);
        return all;
    }

    private static long retryAfter(BigtableException failure) {
        return failure instanceof OverloadedException overloaded ? overloaded.retryAfterMillis() : 0;
    }
}
