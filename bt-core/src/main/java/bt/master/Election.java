package bt.master;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.FencedException;
import bt.base.RejectedException;
import bt.base.Scheduler;
import bt.coord.Lock;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.protocol.Address;
import bt.record.MasterFile;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes one master of many candidates: the lock says who, the version of the file {@code master} says since when. Every
 * election writes the file, so a later master's epoch is higher and whoever has met it refuses the earlier one.
 */
final class Election {
    private static final Logger log = LoggerFactory.getLogger(Election.class);
    private static final long RETRY_MILLIS = 500;

    private final LockService locks;
    private final Scheduler scheduler;
    private final MasterFile candidate;

    Election(LockService locks, Scheduler scheduler, Address address, String nonce) {
        this.locks = locks;
        this.scheduler = scheduler;
        this.candidate = new MasterFile(address.toString(), nonce);
    }

    /** Waits to become the master. */
    Mandate win() throws InterruptedException {
        boolean said = false;
        while (true) {
            try {
                Optional<Lock> lock = tryLock();
                if (lock.isPresent()) {
                    return begin(lock.get());
                }
                if (!said) {
                    log.info("another master is active: standing by");
                    said = true;
                }
            } catch (BigtableException failed) {
                log.warn("election: {}; tried again", failed.getMessage());
            }
            scheduler.pause(RETRY_MILLIS);
        }
    }

    private Optional<Lock> tryLock() throws BigtableException {
        if (locks.read(Paths.MASTER).isEmpty()) {
            try {
                locks.create(Paths.MASTER, AvroBytes.encode(candidate));
            } catch (RejectedException another) {
                // Another candidate was faster: the lock decides between us.
                log.debug("{}", another.getMessage());
            }
        }
        return locks.tryLock(Paths.MASTER_LOCK, Bytes.utf8(candidate.getNonce()));
    }

    private Mandate begin(Lock lock) throws BigtableException {
        boolean begun = false;
        try {
            SmallFile file = proclaim(lock);
            Mandate mandate = new Mandate(lock, file.version(), file.modifiedMicros());
            begun = true;
            return mandate;
        } finally {
            if (!begun) {
                // Held by one who does not rule it would stand in everybody's way, his own too: no lock is given twice.
                lock.close();
            }
        }
    }

    /** Under the lock: who stands still here, and is followed, must not stand in the file for who follows him. */
    private SmallFile proclaim(Lock lock) throws BigtableException {
        SmallFile before = locks.read(Paths.MASTER).orElseThrow();
        return lock.write(Paths.MASTER, AvroBytes.encode(candidate), before.version());
    }

    /** The lock that makes a master, its epoch, and since when it rules, by the lock service's clock. */
    record Mandate(Lock lock, long epoch, long sinceMicros) {
        /**
         * That everybody who asks for the master is sent to this one. FENCED when the file has another version: whoever wrote it,
         * nobody finds this master any more, and only its end makes another write it.
         */
        void check(LockService locks) throws BigtableException {
            long version = locks.read(Paths.MASTER).map(SmallFile::version).orElse(-1L);
            if (version != epoch) {
                throw new FencedException(
                        Paths.MASTER + ": is version " + version + ", and not of the master of epoch " + epoch);
            }
        }
    }
}
