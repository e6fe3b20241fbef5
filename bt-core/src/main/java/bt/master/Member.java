package bt.master;

import bt.base.CorruptionException;
import bt.coord.SmallFile;
import bt.metadata.ProcessFiles;
import bt.protocol.Address;
import java.util.Optional;

/**
 * A tablet server as its file in the lock service names it. The epoch is the transaction that created the file; the process
 * is empty if nobody gave it a name; the lease is 0 where the file does not tell it.
 */
record Member(String id, Address address, long epoch, String process, long leaseMillis) {
    /** One that does not tell its lease. */
    Member(String id, Address address, long epoch, String process) {
        this(id, address, epoch, process, 0);
    }

    /**
     * Of a file that is damaged as far as its name says, for its server may live, serve and be asked; empty of one that no server has made, to
     * which no tablet belongs.
     */
    static Optional<Member> found(String id, SmallFile file) {
        try {
            return Optional.of(of(id, file));
        } catch (CorruptionException damaged) {
            return ProcessFiles.address(id).map(address -> new Member(id, address, file.createdTransaction(), ""));
        }
    }

    static Member of(String id, SmallFile file) throws CorruptionException {
        ProcessFiles.Server says = ProcessFiles.server(id, file);
        return new Member(id, says.address(), file.createdTransaction(), says.process(), says.leaseMillis());
    }
}
