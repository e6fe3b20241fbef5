package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.Clock;
import bt.base.Deadline;
import java.util.Optional;

/**
 * For how long a thread that others need waits for what does not answer. Where one has waited in vain many may have the same
 * trouble, so for a while none waits long. Any thread.
 */
final class Patience {
    private static final long IMPATIENT_MILLIS = 60_000;

    /** METADATA's next server may have it by then. */
    private static final long METADATA_MILLIS = 10_000;

    private static final long LEAST_METADATA_MILLIS = 2_000;

    private final Clock clock;
    private volatile Deadline impatientUntil;

    Patience(Clock clock) {
        this.clock = clock;
        this.impatientUntil = Deadline.after(clock, 0);
    }

    /** Something was waited for in vain, just now. */
    void wasInVain() {
        impatientUntil = Deadline.after(clock, IMPATIENT_MILLIS);
    }

    /** Whether a bad moment may be waited out. */
    boolean isThere() {
        return impatientUntil.isOver();
    }

    /** What somebody asks METADATA for, for so long; what it failed with, where it has not answered. */
    @FunctionalInterface
    interface Asking {
        Optional<BigtableException> ask(long millis) throws BigtableException, InterruptedException;
    }

    /** Asks METADATA for something that can be asked for again later. */
    Optional<BigtableException> ask(Asking asking) throws BigtableException, InterruptedException {
        Optional<BigtableException> silence = asking.ask(metadataMillis());
        if (silence.isPresent()) {
            wasInVain();
        }
        return silence;
    }

    /** For how long METADATA is asked to take a change that can be asked for again later. */
    long metadataMillis() {
        return isThere() ? METADATA_MILLIS : LEAST_METADATA_MILLIS;
    }
}
