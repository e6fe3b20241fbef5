package bt.main;

import bt.base.Scheduler;
import bt.base.ThreadScheduler;
import bt.protocol.Address;

/** A server of a cluster in this process. */
interface ServerProcess extends AutoCloseable {
    long LOOK_MILLIS = 100;

    Address address();

    Scheduler scheduler();

    /** Whether it has ended as it was asked to. */
    boolean hasEnded();

    /** Stops answering and releases the lock, in milliseconds. */
    void abandon();

    @Override
    void close();

    /** From now on SIGTERM ends it: at once, unless it has something better to do. */
    default void abandonAtExit() {
        ThreadScheduler.atExit("abandon", this::abandon);
    }

    /** Returns once it has ended as it was asked to. */
    default void awaitEnd() throws InterruptedException {
        while (!hasEnded()) {
            scheduler().pause(LOOK_MILLIS);
        }
    }
}
