package bt.master;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.CorruptionException;
import bt.base.RejectedException;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.protocol.Address;
import bt.record.ServerFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who may serve. A server may while its file is there; its file goes only when its lock is gone, which the lock service
 * itself checks, so a deleted file proves that the server will never serve again.
 */
final class Membership {
    private static final Logger log = LoggerFactory.getLogger(Membership.class);

    private final LockService locks;

    Membership(LockService locks) {
        this.locks = locks;
    }

    /** The living, after the files of those without a lock are deleted. */
    List<Member> living() throws BigtableException {
        List<Member> living = new ArrayList<>();
        for (String id : locks.children(Paths.SERVERS)) {
            Optional<Member> member = read(id);
            if (member.isEmpty()) {
                continue;
            }
            if (!locks.children(Paths.server(id)).isEmpty()) {
                living.add(member.get());
            } else if (!declareDead(member.get())) {
                living.add(member.get());
            }
        }
        return living;
    }

    private Optional<Member> read(String id) throws BigtableException {
        Optional<SmallFile> file = locks.read(Paths.server(id));
        if (file.isEmpty()) {
            return Optional.empty();
        }
        ServerFile content = AvroBytes.decode("server file " + id, file.get().content(), ServerFile.class);
        try {
            Address address = Address.parse(content.getAddress());
            return Optional.of(new Member(id, address, file.get().createdTransaction()));
        } catch (IllegalArgumentException malformed) {
            throw new CorruptionException("server file " + id + ": " + malformed.getMessage());
        }
    }

    private boolean declareDead(Member member) throws BigtableException {
        try {
            locks.delete(Paths.server(member.id()));
            log.warn("{} (epoch {}) lost its lock: its file is deleted", member.id(), member.epoch());
            return true;
        } catch (RejectedException locked) {
            // It took its lock between our look and our deletion: a server that comes up, or comes back in time.
            return false;
        }
    }
}
