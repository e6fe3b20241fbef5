package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.CorruptionException;
import bt.base.FencedException;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.metadata.TabletStates;
import bt.record.Phase;
import bt.record.TabletLocation;
import bt.record.TabletState;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The METADATA row of a tablet that this server loads or serves. It is changed only here, by the tablet's jobs, which run
 * one at a time. A change is tried until it is certain that it happened, or that the tablet is no longer ours: a server
 * that goes on without knowing would serve from files that METADATA does not name.
 */
final class HeldRow {
    private static final Logger log = LoggerFactory.getLogger(HeldRow.class);
    private static final long RETRY_MILLIS = 500;

    private final MetadataTable metadata;
    private final Scheduler scheduler;
    private final Identity self;
    private volatile MetadataRow row;

    HeldRow(MetadataTable metadata, Scheduler scheduler, Identity self, MetadataRow row) {
        this.metadata = metadata;
        this.scheduler = scheduler;
        this.self = self;
        this.row = row;
    }

    MetadataRow row() {
        return row;
    }

    /** Somebody may have written it who found our intent to. One of the tablet's jobs, before any other. */
    void completed(MetadataRow written) {
        row = written;
    }

    /**
     * The tablet, which was loaded from the row, is served from now on. REJECTED when it is not ours to load any more, or has been
     * another server's meanwhile: what that one acknowledged is not in what was loaded.
     */
    void begin(UnaryOperator<TabletState> change, String event) throws BigtableException, InterruptedException {
        write(self.location(Phase.SERVING), change, event, Step.BEGINS);
    }

    /** The tablet is served here; the state is changed along with it. Changing twice must be changing once. */
    void serve(UnaryOperator<TabletState> change, String event) throws BigtableException, InterruptedException {
        write(self.location(Phase.SERVING), change, event, Step.STAYS);
    }

    /** The tablet is nobody's from here on, or its next server's, which loads it; what it takes along is named. */
    void release(Optional<TabletLocation> next, Parting parting) throws BigtableException, InterruptedException {
        String event = next.map(to -> "handed over to " + to.getServer()).orElse("unloaded");
        write(next.orElseGet(TabletStates::unassigned), parting::named, event, Step.LEAVES);
    }

    private enum Step {
        BEGINS,
        STAYS,
        LEAVES
    }

    private void write(TabletLocation location, UnaryOperator<TabletState> change, String event, Step step)
            throws BigtableException, InterruptedException {
        boolean mayBeOurs = step != Step.BEGINS;
        boolean inDoubt = false;
        while (true) {
            try {
                row = metadata.replace(row, location, change.apply(row.state()), event);
                return;
            } catch (RejectedException refused) {
                MetadataRow now = readAgain(inDoubt);
                if (now.generation() == row.generation()) {
                    // So it is not the generation that was refused, and would be refused again.
                    throw refused;
                }
            } catch (UnavailableException | OverloadedException | CorruptionException doubtful) {
                inDoubt |= doubtful.outcome() == Outcome.UNKNOWN;
                if (!inDoubt && doubtful instanceof CorruptionException) {
                    throw doubtful;
                }
                mayBeOurs |= inDoubt;
                log.warn("{}: {}; tried again", row.id(), doubtful.getMessage());
                scheduler.pause(RETRY_MILLIS);
            }
            MetadataRow now = readAgain(inDoubt);
            // A row that looks as a load wants it, though nothing that it sent can have arrived, is another load's.
            if (mayBeOurs && now.location().equals(location) && now.state().equals(change.apply(now.state()))) {
                row = now;
                return;
            }
            if (step == Step.BEGINS && !isAsLoaded(now)) {
                throw new RejectedException(now.id().inWords() + " is "
                        + now.location().getPhase() + " "
                        + now.location().getServer() + " in METADATA, generation " + now.generation()
                        + ", and has changed since generation " + row.generation() + ", from which it was loaded");
            }
            if (step == Step.LEAVES
                    && (!self.isNamedBy(now.location()) || now.location().getPhase() == Phase.LOADING)) {
                // The answer was lost. By now the next server has it, or it is on its way back, which is for a load to
                // take: what served it is closed.
                row = now;
                return;
            }
            if (!self.isNamedBy(now.location())) {
                throw new FencedException(
                        now.id().inWords() + " is " + now.location().getPhase() + " "
                                + now.location().getServer() + " in METADATA: it is not ours any more",
                        Outcome.NOT_APPLIED);
            }
            row = now;
        }
    }

    /** Intents are ended and marks set by others while a server loads; all else only by who has served the tablet. */
    private boolean isAsLoaded(MetadataRow now) {
        return self.isNamedBy(now.location())
                && now.location().getPhase() == Phase.LOADING
                && withoutMarks(now.state()).equals(withoutMarks(row.state()));
    }

    private static TabletState withoutMarks(TabletState state) {
        return TabletState.newBuilder(state)
                .setIntents(List.of())
                .setOffline(null)
                .build();
    }

    /** However long METADATA cannot be read; in doubt also where what has the row is damaged, for only it can tell. */
    private MetadataRow readAgain(boolean inDoubt) throws BigtableException, InterruptedException {
        while (true) {
            try {
                Optional<MetadataRow> now = metadata.read(row.id());
                return now.orElseThrow(
                        () -> new FencedException(row.id().inWords() + " has no METADATA row", Outcome.NOT_APPLIED));
            } catch (UnavailableException | OverloadedException | CorruptionException notNow) {
                if (!inDoubt && notNow instanceof CorruptionException) {
                    throw notNow;
                }
                log.warn("{}: {}; tried again", row.id(), notNow.getMessage());
                scheduler.pause(RETRY_MILLIS);
            }
        }
    }
}
