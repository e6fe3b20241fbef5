package bt.client;

import bt.base.Deadline;
import bt.base.OverloadedException;
import bt.model.TabletId;
import bt.protocol.Address;
import java.util.Optional;
import java.util.Set;

/** How many writes may be on their way to a server at once. Any thread. */
interface Pace {
    /** As many as there are: for who sends one and waits for it. */
    Pace FREE = new Free();

    /** So many writes to a server, in one request. */
    record Grant(Address to, int writes, long era) {}

    /** Writes that were refused: what asks for the longest pause, of which tablets they are, and whether others' were taken. */
    record PushBack(OverloadedException worst, Set<TabletId> tablets, boolean othersTaken) {
        public PushBack {
            tablets = Set.copyOf(tablets);
        }
    }

    /** For as many of the writes as may be sent now, if any, with nobody waiting for that; given back by {@link #end}. */
    Optional<Grant> take(Address to, int wanted);

    /** The request has ended: the server took so many of its writes, and perhaps pushed back. */
    void end(Grant grant, int taken, Optional<PushBack> pushBack);

    /**
     * Waits for what {@link #take} had nothing of; who has waited longest has it first. OVERLOADED when the time is over. The caller
     * holds no grant meanwhile.
     */
    Grant await(Address to, int wanted, Deadline deadline) throws OverloadedException, InterruptedException;

    /** Grants everything. */
    final class Free implements Pace {
        @Override
        public Optional<Grant> take(Address to, int wanted) {
            return Optional.of(new Grant(to, wanted, 0));
        }

        @Override
        public void end(Grant grant, int taken, Optional<PushBack> pushBack) {}

        @Override
        public Grant await(Address to, int wanted, Deadline deadline) {
            return new Grant(to, wanted, 0);
        }
    }
}
