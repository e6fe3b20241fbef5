package bt.client;

import bt.base.Deadline;
import bt.base.Scheduler;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What of a client has threads that end with it, unless they have ended before. Any thread. */
final class Closing {
    /** They have nothing left to do but what hangs on futures, which is the application's own and may take as long as it likes. */
    private static final long FAREWELL_MILLIS = 5_000;

    private final Scheduler scheduler;
    private final Set<Threads> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Closing(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** Some that end together. */
    interface Threads {
        /** Interrupts what they do: from now on each is on the way to its end. To stop them twice is to stop them. */
        void stop();

        /** Waits until they have ended, as long as there is time; one of them, which is interrupted itself, does not. */
        void awaitEnd(Deadline farewell) throws InterruptedException;
    }

    /** What is begun when the client has ended already ends at once. */
    void add(Threads threads) {
        open.add(threads);
        if (closed) {
            // Perhaps a moment too late for closeAll to see it.
            end(threads);
        }
    }

    /** Ends some before their client is closed; returns when they have ended, or what hangs on a future keeps them. */
    void end(Threads threads) {
        open.remove(threads);
        end(Set.of(threads));
    }

    /** Ends all; returns when they have ended, or what hangs on a future keeps them. */
    void closeAll() {
        closed = true;
        Set<Threads> all = Set.copyOf(open);
        open.removeAll(all);
        end(all);
    }

    private void end(Set<Threads> all) {
        all.forEach(Threads::stop);
        Deadline farewell = Deadline.after(scheduler.clock(), FAREWELL_MILLIS);
        for (Threads each : all) {
            try {
                each.awaitEnd(farewell);
            } catch (InterruptedException hurried) {
                // So he waits for none of the others either, each of which is told all the same that it has ended.
                Thread.currentThread().interrupt();
            }
        }
    }
}
