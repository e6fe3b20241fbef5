package bt.metadata;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.CorruptionException;
import bt.base.Deadline;
import bt.base.RejectedException;
import bt.base.Retry;
import bt.base.UnavailableException;
import bt.model.TabletId;
import java.util.Optional;

/**
 * Brings one change of a METADATA row to its end, however often the answer is lost. After a failure it looks at what is
 * there: the wanted row itself, then it was our change that arrived; the expected generation, then it is sent again, and
 * should the first copy still be under way the condition refuses whichever comes second; anything else, then the row has
 * moved. One thread, one change.
 */
final class RowWriter {
    private final RowHome home;
    private final Retry retry;
    private boolean inDoubt;

    RowWriter(RowHome home, Retry retry) {
        this.home = home;
        this.retry = retry;
    }

    MetadataRow write(RowChange change) throws BigtableException, InterruptedException {
        String subject = "METADATA row " + change.wanted().id();
        try {
            Sight end = retry.run(subject, deadline -> attempt(change, deadline));
            if (end == Sight.OURS) {
                return change.wanted();
            }
        } catch (RejectedException refused) {
            throw refused;
        } catch (BigtableException failure) {
            if (inDoubt && failure.outcome() == Outcome.NOT_APPLIED) {
                // The last attempt was not applied; an earlier one may have been.
                throw new UnavailableException(failure.getMessage(), Outcome.UNKNOWN).causedBy(failure);
            }
            throw failure;
        }
        throw new UnavailableException(
                subject + ": changed again since generation " + change.wanted().generation()
                        + " was sent; whether that one was ours cannot be told: read it again and decide again",
                Outcome.UNKNOWN);
    }

    private Sight attempt(RowChange change, Deadline deadline) throws BigtableException, InterruptedException {
        if (inDoubt) {
            Sight sight = look(change, deadline);
            if (sight != Sight.AS_EXPECTED) {
                return sight;
            }
        }
        try {
            home.write(change, deadline);
            return Sight.OURS;
        } catch (RejectedException refused) {
            inDoubt |= refused.outcome() == Outcome.UNKNOWN;
            Sight sight = look(change, deadline);
            if (sight == Sight.AS_EXPECTED) {
                // So it was not the condition that refused.
                throw refused;
            }
            return sight;
        } catch (BigtableException failure) {
            inDoubt |= failure.outcome() == Outcome.UNKNOWN;
            throw failure;
        }
    }

    private Sight look(RowChange change, Deadline deadline) throws BigtableException, InterruptedException {
        MetadataRow wanted = change.wanted();
        Optional<MetadataRow> now = read(wanted.id(), deadline);
        Optional<Long> generation = now.map(MetadataRow::generation);
        if (generation.equals(change.expectedGeneration())) {
            return Sight.AS_EXPECTED;
        }
        if (inDoubt && now.equals(Optional.of(wanted))) {
            return Sight.OURS;
        }
        if (inDoubt && generation.isPresent() && generation.get() > wanted.generation()) {
            return Sight.LOST;
        }
        throw new RejectedException(
                "METADATA row " + wanted.id() + ": generation is "
                        + generation.map(String::valueOf).orElse("none") + ", expected "
                        + change.expectedGeneration().map(String::valueOf).orElse("none"),
                "read it again and decide again");
    }

    /** A look that fails leaves in doubt what was before it, and nothing that was refused. */
    private Optional<MetadataRow> read(TabletId id, Deadline deadline) throws BigtableException, InterruptedException {
        try {
            return home.read(id, deadline);
        } catch (UnavailableException | CorruptionException failed) {
            throw inDoubt ? failed : failed.notApplied();
        }
    }

    /** What stands where the change was sent. */
    private enum Sight {
        AS_EXPECTED,
        OURS,
        /** Something so much later that ours may have been in between. */
        LOST
    }
}
