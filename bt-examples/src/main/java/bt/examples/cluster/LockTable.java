package bt.examples.cluster;

import bt.base.BigtableException;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.metadata.ProcessFiles;
import java.util.Optional;

/** Which process holds which lock, as the lock service has it, asked over a session that nothing stands in the way of. */
final class LockTable {
    private final LockService locks;

    LockTable(LockService locks) {
        this.locks = locks;
    }

    /** The address of the master that was elected last. */
    Optional<String> master() throws BigtableException {
        Optional<SmallFile> file = locks.read(Paths.MASTER);
        return file.isEmpty()
                ? Optional.empty()
                : Optional.of(ProcessFiles.master(file.get()).toString());
    }

    Optional<HeldLock> ofMaster() throws BigtableException {
        return held(Paths.MASTER_LOCK);
    }

    /** By the name that the process was started under. */
    Optional<HeldLock> ofServer(String process) throws BigtableException {
        for (String id : locks.children(Paths.SERVERS)) {
            Optional<SmallFile> file = locks.read(Paths.server(id));
            if (file.isPresent()
                    && ProcessFiles.server(id, file.get()).process().equals(process)) {
                return held(Paths.serverLock(id));
            }
        }
        return Optional.empty();
    }

    boolean isHeld(HeldLock lock) throws BigtableException {
        return held(lock.path()).filter(lock::equals).isPresent();
    }

    private Optional<HeldLock> held(String path) throws BigtableException {
        return locks.read(path).map(file -> new HeldLock(path, file.createdTransaction()));
    }
}
