package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.CorruptionException;
import bt.base.Deadline;
import bt.base.FencedException;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.metadata.RowEvent;
import bt.model.TabletId;
import bt.record.Phase;
import bt.record.TabletLocation;
import bt.record.TabletState;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * One change of a {@link HeldRow}, which is asked for until it is certain that it happened, or that the tablet is not ours: in
 * as many attempts as that takes, none of which holds a thread for long. Between two of them the row may say the one or the other,
 * and whoever makes them acts on neither. One of the tablet's jobs at a time.
 */
final class RowPursuit {
    private static final long RETRY_MILLIS = 500;

    private final HeldRow held;
    private final MetadataTable metadata;
    private final Scheduler scheduler;
    private final Identity self;
    private final Change change;

    /** A row that looks as it is wanted, though nothing that was sent can have arrived, is another's. */
    private boolean mayBeOurs;

    private boolean inDoubt;

    /** What was sent may be there, or what is there is not what was thought. */
    private boolean looksFirst;

    RowPursuit(HeldRow held, MetadataTable metadata, Scheduler scheduler, Identity self, Change change) {
        this.held = held;
        this.metadata = metadata;
        this.scheduler = scheduler;
        this.self = self;
        this.change = change;
        this.mayBeOurs = change.step() != Step.BEGINS;
    }

    /** What a change is in the time for which a server has a tablet. */
    enum Step {
        BEGINS,
        STAYS,
        LEAVES
    }

    /** Changing the state twice must be changing it once. */
    record Change(TabletLocation location, UnaryOperator<TabletState> state, RowEvent event, Step step) {}

    /** Whether METADATA may have taken the change, or come to take it: then there is to be another attempt. */
    boolean isInDoubt() {
        return inDoubt;
    }

    /**
     * Empty when the row is changed. What METADATA failed with, when for so long it has not answered; any other failure decides that
     * it is not changed, and never will be.
     */
    Optional<BigtableException> attempt(long millis) throws BigtableException, InterruptedException {
        Trouble trouble = held.trouble();
        try {
            Optional<BigtableException> open = attempt(Deadline.after(scheduler.clock(), millis));
            if (open.isEmpty()) {
                trouble.over();
            }
            return open;
        } catch (RejectedException | FencedException decided) {
            trouble.over();
            throw decided;
        }
    }

    private Optional<BigtableException> attempt(Deadline end) throws BigtableException, InterruptedException {
        while (true) {
            try {
                if (isMade(end)) {
                    return Optional.empty();
                }
            } catch (UnavailableException | OverloadedException | CorruptionException noAnswer) {
                if (!inDoubt && noAnswer instanceof CorruptionException) {
                    throw noAnswer;
                }
                // In doubt also where what has the row is damaged, for only it can tell.
                held.failed(noAnswer);
                if (end.leftMillis() <= RETRY_MILLIS) {
                    return Optional.of(noAnswer);
                }
                scheduler.pause(RETRY_MILLIS);
            }
        }
    }

    /** False when it is to be asked for on the row as it is by now. */
    private boolean isMade(Deadline end) throws BigtableException, InterruptedException {
        MetadataTable within = metadata.within(end.leftMillis());
        if (looksFirst) {
            boolean isDecided = isDecided(read(within));
            looksFirst = false;
            return isDecided;
        }
        MetadataRow before = held.row();
        try {
            TabletState wanted = change.state().apply(before.state());
            held.became(within.replace(before, change.location(), wanted, change.event()));
            return true;
        } catch (RejectedException refused) {
            looksFirst = true;
            MetadataRow now = read(within);
            if (now.generation() == before.generation()) {
                // So it is not the generation that was refused, and would be refused again.
                throw refused;
            }
            looksFirst = false;
            return isDecided(now);
        } catch (UnavailableException | OverloadedException | CorruptionException doubtful) {
            inDoubt |= doubtful.outcome() == Outcome.UNKNOWN;
            mayBeOurs |= inDoubt;
            looksFirst = true;
            throw doubtful;
        }
    }

    private MetadataRow read(MetadataTable within) throws BigtableException, InterruptedException {
        TabletId id = held.row().id();
        return within.read(id)
                .orElseThrow(() -> new FencedException(id.inWords() + " has no METADATA row", Outcome.NOT_APPLIED));
    }

    private boolean isDecided(MetadataRow now) throws BigtableException {
        TabletLocation location = now.location();
        boolean isHere = self.isNamedBy(location);
        boolean isAsWanted = location.equals(change.location())
                && now.state().equals(change.state().apply(now.state()));
        if (mayBeOurs && isAsWanted) {
            held.became(now);
            return true;
        }
        String here = now.id().inWords() + " is " + location.getPhase() + " " + location.getServer() + " in METADATA";
        if (change.step() == Step.BEGINS && !isAsLoaded(now)) {
            throw new RejectedException(
                    here + ", generation " + now.generation() + ", and has changed since generation "
                            + held.row().generation() + ", from which it was loaded",
                    "look at it again, and decide again");
        }
        if (change.step() == Step.LEAVES && (!isHere || location.getPhase() == Phase.LOADING)) {
            // The answer was lost. By now the next server has it, or it is on its way back, which is for a load to
            // take: what served it is closed.
            held.became(now);
            return true;
        }
        if (!isHere) {
            throw new FencedException(here + ": it is not ours any more", Outcome.NOT_APPLIED);
        }
        held.became(now);
        return false;
    }

    /** Intents are ended and marks set by others while a server loads; all else only by who has served the tablet. */
    private boolean isAsLoaded(MetadataRow now) {
        return self.isNamedBy(now.location())
                && now.location().getPhase() == Phase.LOADING
                && withoutMarks(now.state()).equals(withoutMarks(held.row().state()));
    }

    private static TabletState withoutMarks(TabletState state) {
        return TabletState.newBuilder(state)
                .setIntents(List.of())
                .setOffline(null)
                .build();
    }
}
