package bt.client;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Deadline;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.metadata.ClusterAccess;
import bt.model.AccessList;
import bt.record.ChangeAccess;
import bt.record.Done;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * One change of the cluster's rights on its way to the master, who makes it on the version that it was decided on alone.
 * When another was faster it is decided again; so it is after an unknown outcome, and then it may be done already. One thread.
 */
final class AccessAlteration {
    private final Session session;
    private final MasterCalls master;
    private final UnaryOperator<AccessList> change;

    /** What was sent and may have arrived, though nobody said so, with the version that it was made from. */
    private Optional<ClusterAccess> inDoubt = Optional.empty();

    AccessAlteration(Session session, MasterCalls master, UnaryOperator<AccessList> change) {
        this.session = session;
        this.master = master;
        this.change = change;
    }

    AccessList run() throws BigtableException, InterruptedException {
        return session.retry().run("the cluster's rights", this::attempt);
    }

    private AccessList attempt(Deadline deadline) throws BigtableException, InterruptedException {
        ClusterAccess now = present();
        AccessList before = now.list().orElse(AccessList.NOBODY);
        AccessList wanted = change.apply(before);
        if (wanted.equals(before)) {
            return before;
        }
        if (inDoubt.isPresent() && now.version() != inDoubt.get().version()) {
            if (now.list().equals(inDoubt.get().list())) {
                return before;
            }
            // Perhaps it was made, and somebody has taken it back since: made again it would undo what he was told is
            // done. But the very next version is another's: what was sent was to be that, so it was not made.
            if (now.version() > inDoubt.get().version() + 1) {
                throw new RejectedException(
                        "the cluster's rights are at version " + now.version()
                                + ", with or without what was asked for: others have changed them since",
                        "look at them before you ask again",
                        Outcome.UNKNOWN);
            }
        }
        try {
            master.attempt(new ChangeAccess(ClusterAccess.encode(wanted), now.version()), Done.class, deadline);
            return wanted;
        } catch (RejectedException refused) {
            if (present().version() == now.version()) {
                throw refused;
            }
            throw OverloadedException.contended("others have changed them meanwhile")
                    .causedBy(refused);
        } catch (BigtableException failure) {
            if (failure.outcome() == Outcome.UNKNOWN) {
                inDoubt = Optional.of(new ClusterAccess(Optional.of(wanted), now.version()));
            }
            throw failure;
        }
    }

    private ClusterAccess present() throws BigtableException {
        return Session.looked(() -> ClusterAccess.toReplace(session.locks()));
    }
}
