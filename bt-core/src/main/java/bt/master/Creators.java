package bt.master;

import bt.base.BigtableException;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.SmallFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which servers may still give a file to METADATA: those that have a file in the lock service, as far as they have not
 * settled. Taken before METADATA is read: what is settled now is seen there, or never will be.
 */
record Creators(Map<Long, Long> settled) {
    private static final long NOTHING = -1;

    Creators {
        settled = Map.copyOf(settled);
    }

    static Creators look(LockService locks, Poll poll, long masterEpoch)
            throws BigtableException, InterruptedException {
        List<Member> members = new ArrayList<>();
        Map<Long, Long> settled = new HashMap<>();
        List<String> ids = locks.children(Paths.SERVERS);
        Iterator<Optional<SmallFile>> files =
                locks.readEach(ids.stream().map(Paths::server).toList()).iterator();
        for (String id : ids) {
            Optional<SmallFile> file = files.next();
            if (file.isPresent()) {
                // Who has a file may have a server, however damaged the file is.
                settled.put(file.get().createdTransaction(), NOTHING);
                Member.found(id, file.get()).ifPresent(members::add);
            }
        }
        poll.askWithoutTablets(members, masterEpoch)
                .forEach((member, status) -> settled.put(member.epoch(), status.getSettledFiles()));
        return new Creators(settled);
    }

    boolean isDead(long epoch) {
        return !settled.containsKey(epoch);
    }

    /** Whether nobody will give the file of this server and number to METADATA any more. */
    boolean isSettled(long epoch, long number) {
        Long upTo = settled.get(epoch);
        return upTo == null || number <= upTo;
    }
}
