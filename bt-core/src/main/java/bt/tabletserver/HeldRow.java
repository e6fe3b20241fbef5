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
import bt.metadata.SplitIntent;
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
 * that goes on without knowing would serve from files that METADATA does not name. Who can bear not to know for a while gives
 * up after some time, so that a thread that others need does not wait, and asks for the same change again before it does any other
 * that depends on it.
 */
final class HeldRow {
    private static final Logger log = LoggerFactory.getLogger(HeldRow.class);
    private static final long RETRY_MILLIS = 500;

    /** A load that has said nothing to METADATA yet has changed nothing. */
    private static final long BEGIN_MILLIS = 30_000;

    private final MetadataTable metadata;
    private final Scheduler scheduler;
    private final Identity self;
    private final Trouble trouble = new Trouble();
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

    /** Why METADATA does not take a change that is asked for until it does. */
    Trouble trouble() {
        return trouble;
    }

    /** Writes the row as our intent says, unless somebody has who found that. One of the tablet's jobs, before any other. */
    void complete(SplitIntent split) throws BigtableException, InterruptedException {
        while (true) {
            try {
                row = metadata.complete(split);
                trouble.over();
                return;
            } catch (UnavailableException | OverloadedException notNow) {
                waitAfter(notNow);
            }
        }
    }

    /**
     * The tablet, which was loaded from the row, is served from now on. REJECTED when it is not ours to load any more, or has been
     * another server's meanwhile: what that one acknowledged is not in what was loaded. UNAVAILABLE when METADATA, for half a minute,
     * could not be told at all.
     */
    void begin(UnaryOperator<TabletState> change, String event) throws BigtableException, InterruptedException {
        write(new Change(self.location(Phase.SERVING), change, event, Step.BEGINS), end(BEGIN_MILLIS));
    }

    /** The tablet is served here; the state is changed along with it. Changing twice must be changing once. */
    void serve(UnaryOperator<TabletState> change, String event) throws BigtableException, InterruptedException {
        write(new Change(self.location(Phase.SERVING), change, event, Step.STAYS), Optional.empty());
    }

    /**
     * The same, and when METADATA has not answered for so long it throws what it failed with: the change may be there, or come to be
     * there, until METADATA has taken this one or another.
     */
    void serve(UnaryOperator<TabletState> change, String event, long millis)
            throws BigtableException, InterruptedException {
        write(new Change(self.location(Phase.SERVING), change, event, Step.STAYS), end(millis));
    }

    /** The tablet is nobody's from here on, or its next server's, which loads it; what it takes along is named. */
    void release(Optional<TabletLocation> next, Parting parting) throws BigtableException, InterruptedException {
        String event = next.map(to -> "handed over to " + to.getServer()).orElse("unloaded");
        TabletLocation location = next.orElseGet(TabletStates::unassigned);
        write(new Change(location, parting::named, event, Step.LEAVES), Optional.empty());
    }

    private Optional<Deadline> end(long millis) {
        return Optional.of(Deadline.after(scheduler.clock(), millis));
    }

    private enum Step {
        BEGINS,
        STAYS,
        LEAVES
    }

    private record Change(TabletLocation location, UnaryOperator<TabletState> state, String event, Step step) {}

    private void write(Change change, Optional<Deadline> end) throws BigtableException, InterruptedException {
        try {
            row = written(change, end);
            trouble.over();
        } catch (RejectedException | FencedException decided) {
            trouble.over();
            throw decided;
        }
    }

    /** The row with the change. */
    private MetadataRow written(Change change, Optional<Deadline> atMost)
            throws BigtableException, InterruptedException {
        TabletLocation location = change.location();
        Step step = change.step();
        boolean mayBeOurs = step != Step.BEGINS;
        boolean inDoubt = false;
        Optional<Deadline> end = atMost;
        while (true) {
            try {
                return metadata(end).replace(row, location, change.state().apply(row.state()), change.event());
            } catch (RejectedException refused) {
                MetadataRow now = readAgain(inDoubt, end);
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
                if (inDoubt && step != Step.STAYS) {
                    // Nobody would come to ask again.
                    end = Optional.empty();
                }
                giveUpAt(end, doubtful);
                waitAfter(doubtful);
            }
            MetadataRow now = readAgain(inDoubt, end);
            // A row that looks as a load wants it, though nothing that it sent can have arrived, is another load's.
            if (mayBeOurs
                    && now.location().equals(location)
                    && now.state().equals(change.state().apply(now.state()))) {
                return now;
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
                return now;
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
    private MetadataRow readAgain(boolean inDoubt, Optional<Deadline> end)
            throws BigtableException, InterruptedException {
        while (true) {
            try {
                Optional<MetadataRow> now = metadata(end).read(row.id());
                return now.orElseThrow(
                        () -> new FencedException(row.id().inWords() + " has no METADATA row", Outcome.NOT_APPLIED));
            } catch (UnavailableException | OverloadedException | CorruptionException notNow) {
                if (!inDoubt && notNow instanceof CorruptionException) {
                    throw notNow;
                }
                giveUpAt(end, notNow);
                waitAfter(notNow);
            }
        }
    }

    /** Which answers by then, or says that it does not. */
    private MetadataTable metadata(Optional<Deadline> end) {
        return end.map(until -> metadata.within(until.leftMillis())).orElse(metadata);
    }

    private void giveUpAt(Optional<Deadline> end, BigtableException failure) throws BigtableException {
        if (end.isPresent() && end.get().isOver()) {
            trouble.failed(failure.getMessage(), scheduler.clock().nanos());
            throw failure;
        }
    }

    private void waitAfter(BigtableException failure) throws InterruptedException {
        trouble.failed(failure.getMessage(), scheduler.clock().nanos());
        log.warn("{}: {}; tried again", row.id(), failure.getMessage());
        scheduler.pause(RETRY_MILLIS);
    }
}
