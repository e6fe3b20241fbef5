package bt.master;

import bt.base.CorruptionException;
import bt.coord.SmallFile;
import bt.metadata.ProcessFiles;
import bt.protocol.Address;

/**
 * A tablet server as its file in the lock service names it. The epoch is the transaction that created the file; the process
 * is empty if nobody gave it a name; the lease is 0 where the file does not tell it.
 */
record Member(String id, Address address, long epoch, String process, long leaseMillis) {
    /** One that does not tell its lease. */
    Member(String id, Address address, long epoch, String process) {
        this(id, address, epoch, process, 0);
    }

    static Member of(String id, SmallFile file) throws CorruptionException {
        ProcessFiles.Server says = ProcessFiles.server(id, file);
        return new Member(id, says.address(), file.createdTransaction(), says.process(), says.leaseMillis());
    }
}
