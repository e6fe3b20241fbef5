package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.OverloadedException;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.metadata.RowEvent;
import bt.metadata.SplitIntent;
import bt.metadata.TabletStates;
import bt.record.Phase;
import bt.record.TabletLocation;
import bt.record.TabletState;
import bt.tabletserver.RowPursuit.Change;
import bt.tabletserver.RowPursuit.Step;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The METADATA row of a tablet that this server loads or serves. It is changed only here, by the tablet's jobs, which run
 * one at a time. A change is tried until it is certain that it happened, or that the tablet is no longer ours: a server
 * that goes on without knowing would serve from files that METADATA does not name. No attempt lasts long, so that no thread waits
 * that others need: who is left in doubt makes the next, of the same change, before the tablet's jobs make any other.
 */
final class HeldRow {
    private static final Logger log = LoggerFactory.getLogger(HeldRow.class);

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

    /**
     * Writes the row as our intent says, unless somebody has who found that: empty then; else what METADATA failed with for so long,
     * and it is to be asked for again. One of the tablet's jobs, before any other change.
     */
    Optional<BigtableException> complete(SplitIntent split, long millis)
            throws BigtableException, InterruptedException {
        try {
            row = metadata.within(millis).complete(split);
            trouble.over();
            return Optional.empty();
        } catch (UnavailableException | OverloadedException notNow) {
            failed(notNow);
            return Optional.of(notNow);
        }
    }

    /**
     * The tablet, which was loaded from the row, is served from now on. It is REJECTED when it is not ours to load any more, or has
     * been another server's meanwhile: what that one acknowledged is not in what was loaded.
     */
    RowPursuit begin(UnaryOperator<TabletState> change, String event) {
        return pursuit(new Change(self.location(Phase.SERVING), change, RowEvent.of(event), Step.BEGINS));
    }

    /** The tablet is served here; the state is changed along with it. Changing twice must be changing once. */
    RowPursuit serve(UnaryOperator<TabletState> change, String event) {
        return pursuit(new Change(self.location(Phase.SERVING), change, RowEvent.of(event), Step.STAYS));
    }

    /**
     * The same where only its files change, and when METADATA has not answered for so long it throws what it failed with: the change
     * may be there, or come to be there, until METADATA has taken this one or another.
     */
    void serve(UnaryOperator<TabletState> change, String event, long millis)
            throws BigtableException, InterruptedException {
        Change ofFiles = new Change(self.location(Phase.SERVING), change, RowEvent.ofFiles(event), Step.STAYS);
        Optional<BigtableException> open = pursuit(ofFiles).attempt(millis);
        if (open.isPresent()) {
            throw open.get();
        }
    }

    /** The tablet is nobody's from here on, or its next server's, which loads it; the state is changed along with it, as above. */
    RowPursuit release(Optional<TabletLocation> next, UnaryOperator<TabletState> change) {
        String event = next.map(to -> "handed over to " + to.getServer()).orElse("unloaded");
        TabletLocation location = next.orElseGet(TabletStates::unassigned);
        return pursuit(new Change(location, change, RowEvent.of(event), Step.LEAVES));
    }

    private RowPursuit pursuit(Change change) {
        return new RowPursuit(this, metadata, scheduler, self, change);
    }

    /** As METADATA has it now. */
    void became(MetadataRow now) {
        row = now;
    }

    /** METADATA does not answer, or not what can be understood. */
    void failed(BigtableException failure) {
        trouble.failed(failure.getMessage(), scheduler.clock().nanos());
        log.warn("{}: {}; tried again", row.id(), failure.getMessage());
    }
}
