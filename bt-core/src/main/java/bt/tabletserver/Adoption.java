package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.Failures;
import bt.base.Halt;
import bt.base.OverloadedException;
import bt.base.Scheduler;

/** Giving a tablet to its commit queue and taking it back; a tablet whose owner would be in doubt ends the server. */
final class Adoption {
    private static final long QUEUE_MILLIS = 60_000;
    private static final long RETRY_MILLIS = 100;

    private final Scheduler scheduler;
    private final Halt halt;

    Adoption(Scheduler scheduler, Halt halt) {
        this.scheduler = scheduler;
        this.halt = halt;
    }

    /**
     * METADATA says already that we serve the tablet. If we cannot, nobody does, and only our end makes the master look
     * for another.
     */
    void adoptOrHalt(HostedTablet hosted, Outcomes replayed) throws BigtableException, InterruptedException {
        try {
            adopt(hosted, replayed);
        } catch (BigtableException | RuntimeException | Error failed) {
            halt.halt(hosted.id() + " is ours in METADATA but cannot be served: " + Failures.said(failed));
            throw failed;
        }
    }

    /** A full queue is waited for. */
    private void adopt(HostedTablet hosted, Outcomes replayed) throws BigtableException, InterruptedException {
        while (true) {
            try {
                scheduler.await(hosted.queue().adopt(hosted, replayed), QUEUE_MILLIS);
                return;
            } catch (OverloadedException full) {
                scheduler.pause(RETRY_MILLIS);
            }
        }
    }

    /** A full queue has not taken the entry; after any other failure it may still be carried out. */
    void disownOrHalt(HostedTablet hosted) throws BigtableException, InterruptedException {
        try {
            scheduler.await(hosted.queue().disown(hosted), QUEUE_MILLIS);
        } catch (OverloadedException full) {
            throw full;
        } catch (BigtableException | RuntimeException | Error unknown) {
            halt.halt(hosted.id() + " may or may not take writes: " + Failures.said(unknown));
            throw unknown;
        }
    }
}
