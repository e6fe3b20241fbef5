package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.Failures;
import bt.base.Halt;
import bt.metadata.TabletStates;
import bt.tabletserver.TabletJobs.Part;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a tablet up, to nobody or to its next server: its memory goes to files, it takes no writes any more, it answers nobody any
 * more, then METADATA says so. What METADATA does not answer it is asked again, in parts between which no thread waits: until it
 * has said so nothing else happens to the tablet here. Jobs of the tablet.
 */
final class HandOver {
    private static final Logger log = LoggerFactory.getLogger(HandOver.class);

    private final Compactor compactor;
    private final Adoption adoption;
    private final Undecided undecided;
    private final Exit exit;
    private final Halt halt;

    HandOver(Compactor compactor, Adoption adoption, Undecided undecided, Exit exit, Halt halt) {
        this.compactor = compactor;
        this.adoption = adoption;
        this.undecided = undecided;
        this.exit = exit;
        this.halt = halt;
    }

    /** Has those forget the tablet who send requests to it. */
    @FunctionalInterface
    interface Exit {
        void leaves(HostedTablet hosted) throws InterruptedException;
    }

    Optional<Part> begin(HostedTablet hosted, Control.Leave how) throws BigtableException, InterruptedException {
        if (how.flush()) {
            // While writes still come in: what must be written once they are refused is then small.
            compactor.compact(hosted);
        }
        adoption.disownOrHalt(hosted);
        Parting parting = how.flush() ? part(hosted) : Parting.NOTHING;
        return orHalt(hosted, () -> close(hosted, how, parting));
    }

    /** When it fails the tablet takes writes again. */
    private Parting part(HostedTablet hosted) throws BigtableException, InterruptedException {
        try {
            return compactor.part(hosted);
        } catch (BigtableException failed) {
            adoption.adoptOrHalt(hosted, new Outcomes());
            throw failed;
        } catch (RuntimeException | Error bug) {
            halt.halt(hosted.id() + " takes no writes, and cannot be written to files: " + bug);
            throw bug;
        }
    }

    /** A tablet that is closed, and served by METADATA's word, would be served by nobody for as long as we live. */
    private Optional<Part> orHalt(HostedTablet hosted, Part part) throws BigtableException, InterruptedException {
        try {
            return part.run().map(rest -> () -> orHalt(hosted, rest));
        } catch (BigtableException | RuntimeException | Error failed) {
            halt.halt(hosted.id() + " is closed, and METADATA cannot be told: " + Failures.said(failed));
            throw failed;
        }
    }

    private Optional<Part> close(HostedTablet hosted, Control.Leave how, Parting parting)
            throws BigtableException, InterruptedException {
        long version = hosted.tablet().schema().version();
        // Before METADATA says so: from then on another server may acknowledge writes that we do not know.
        hosted.tablet().close();
        exit.leaves(hosted);
        // The row knows only of the load: where the table was dropped and came back while the tablet was served here,
        // it would say that the tablet was not served since.
        RowPursuit release =
                hosted.row().release(how.next(), state -> TabletStates.servedWith(parting.named(state), version));
        return release(hosted, release, () -> {
            compactor.parted(hosted, parting);
            log.info(
                    "{} is handed {}",
                    hosted.id(),
                    how.next().map(to -> "over to " + to.getServer()).orElse("back"));
        });
    }

    private Optional<Part> release(HostedTablet hosted, RowPursuit release, Runnable left)
            throws BigtableException, InterruptedException {
        Undecided.Told told = new Undecided.Told(
                hosted.tablet().subject() + " is given up, and METADATA does not say that it has left",
                hosted.row().trouble());
        if (!undecided.isDecided(hosted.id(), told, release::attempt)) {
            return Optional.of(() -> release(hosted, release, left));
        }
        left.run();
        return Optional.empty();
    }
}
