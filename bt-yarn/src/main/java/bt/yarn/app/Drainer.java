package bt.yarn.app;

import bt.base.BigtableException;
import bt.base.Deadline;
import bt.base.Dwindling;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.client.Bigtable;
import bt.connect.Connect;
import bt.yarn.spec.ClusterFiles;
import bt.yarn.spec.Held;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the tablets of a server moved to others before its container goes: YARN kills what runs there a quarter of a second
 * after SIGTERM, and tablets would be recovered from the log. Any thread.
 */
final class Drainer {
    private static final Logger log = LoggerFactory.getLogger(Drainer.class);

    /** Where no tablet has left for so long the next would not either: what is left is left to recovery. */
    static final long STILL_MILLIS = 30_000;

    /** As a server that is told to end by SIGTERM, where nobody says otherwise. Nothing else ends the container meanwhile. */
    static final long MOST_MILLIS = 600_000;

    private static final long LOOK_MILLIS = 1_000;
    private static final long AGAIN_MILLIS = 2_000;

    private final Draining draining;
    private final Scheduler scheduler;

    Drainer(Draining draining, Scheduler scheduler) {
        this.draining = draining;
        this.scheduler = scheduler;
    }

    /** Returns when the server in the container has no tablet; tells how many it has meanwhile. */
    interface Draining {
        void of(Held container, IntConsumer left) throws BigtableException;
    }

    static Draining overNetwork(ClusterFiles files, String cluster) {
        return (container, left) -> {
            String address = files.process(container.id())
                    .orElseThrow(() -> new UnavailableException(container.id() + " has not said where it listens"))
                    .getAddress();
            try (Bigtable bigtable = Connect.to(cluster)) {
                bigtable.admin().drainServer(address, left);
            }
        };
    }

    /** {@code then} runs once, on another thread: when the server has no tablet, or is drained no further. */
    void drain(Held container, Runnable then) {
        AtomicBoolean over = new AtomicBoolean();
        Dwindling tablets =
                new Dwindling(scheduler.clock(), STILL_MILLIS, Deadline.after(scheduler.clock(), MOST_MILLIS));
        scheduler.start("drain", () -> {
            // The one that is to take its tablets may just be starting.
            while (!over.get() && !isDrained(container, tablets)) {
                scheduler.pause(AGAIN_MILLIS);
            }
            if (over.compareAndSet(false, true)) {
                then.run();
            }
        });
        look(container, tablets, over, then);
    }

    private boolean isDrained(Held container, Dwindling tablets) {
        try {
            draining.of(container, tablets::saw);
            return true;
        } catch (BigtableException failed) {
            log.warn("{} cannot be drained now: {}", container.id(), failed.getMessage());
            return false;
        }
    }

    private void look(Held container, Dwindling tablets, AtomicBoolean over, Runnable then) {
        scheduler.after(LOOK_MILLIS, () -> {
            if (!tablets.isOver()) {
                if (!over.get()) {
                    look(container, tablets, over, then);
                }
            } else if (over.compareAndSet(false, true)) {
                log.warn("{} is given back with tablets, of which none leaves any more, or too slowly", container.id());
                then.run();
            }
        });
    }
}
