package bt.master;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.FencedException;
import bt.base.UnavailableException;
import bt.coord.Lock;
import bt.coord.LockService;
import bt.coord.SmallFile;

/**
 * The lock service's wall clock, to which every tablet server holds its own. A master goes by it where a promise is over
 * after days: its own machine's clock may be wrong by as much, and another master's be right. Any thread.
 */
final class ServiceTime {
    private final LockService locks;
    private final Lock lock;

    /** The lock is the master's. */
    ServiceTime(LockService locks, Lock lock) {
        this.locks = locks;
        this.lock = lock;
    }

    /** Microseconds since 1970, of about now, never of later; two requests. FENCED when the lock is lost. */
    long micros() throws BigtableException {
        lock.renew();
        SmallFile renewed = locks.read(lock.path())
                .orElseThrow(() -> new UnavailableException(
                        lock.path() + ": the lock service has no such file", Outcome.NOT_APPLIED));
        if (renewed.createdTransaction() != lock.transaction()) {
            throw new FencedException(lock.path() + ": the lock is another's");
        }
        return renewed.modifiedMicros();
    }
}
