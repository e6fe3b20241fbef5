package bt.examples.chaos;

import bt.base.Scheduler;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Looks again and again whether something is so, until it is: on a worker, for whoever looks may have to wait for a process that
 * another fault has paused, and who would wake that must not wait. Others ask.
 */
final class Watch {
    private static final long PAUSE_MILLIS = 100;

    private final Look look;
    private volatile boolean seen;
    private volatile boolean over;

    private Watch(Look look) {
        this.look = look;
    }

    /** What fails says nothing. */
    @FunctionalInterface
    interface Look {
        boolean isSo() throws IOException, InterruptedException;
    }

    static Watch start(String name, Scheduler scheduler, Look look) {
        Watch watch = new Watch(look);
        scheduler.start("watch of " + name, () -> watch.run(scheduler));
        return watch;
    }

    private void run(Scheduler scheduler) throws InterruptedException {
        while (!over && !seen) {
            try {
                seen = look.isSo();
            } catch (IOException | UncheckedIOException unknown) {
                // Asked again.
            }
            scheduler.pause(PAUSE_MILLIS);
        }
    }

    boolean hasSeen() {
        return seen;
    }

    void end() {
        over = true;
    }
}
