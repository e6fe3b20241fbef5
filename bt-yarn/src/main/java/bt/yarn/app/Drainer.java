package bt.yarn.app;

import bt.base.BigtableException;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.client.Bigtable;
import bt.connect.Connect;
import bt.yarn.spec.ClusterFiles;
import bt.yarn.spec.Held;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the tablets of a server moved to others before its container goes: YARN kills what runs there a quarter of a second
 * after SIGTERM, and tablets would be recovered from the log. Any thread.
 */
final class Drainer {
    private static final Logger log = LoggerFactory.getLogger(Drainer.class);

    /** What is left by then is left to recovery. */
    static final long DRAIN_MILLIS = 60_000;

    private final Draining draining;
    private final Scheduler scheduler;

    Drainer(Draining draining, Scheduler scheduler) {
        this.draining = draining;
        this.scheduler = scheduler;
    }

    /** Returns when the server in the container has no tablet. */
    interface Draining {
        void of(Held container) throws BigtableException;
    }

    static Draining overNetwork(ClusterFiles files, String cluster) {
        return container -> {
            String address = files.process(container.id())
                    .orElseThrow(() -> new UnavailableException(container.id() + " has not said where it listens"))
                    .getAddress();
            try (Bigtable bigtable = Connect.to(cluster)) {
                bigtable.admin().drainServer(address);
            }
        };
    }

    /** {@code then} runs once, on another thread: when the server has no tablet, or cannot be drained, or not in time. */
    void drain(Held container, Runnable then) {
        AtomicBoolean over = new AtomicBoolean();
        scheduler.start("drain", () -> {
            try {
                draining.of(container);
            } catch (BigtableException failed) {
                log.warn("{} is given back with its tablets: {}", container.id(), failed.getMessage());
            }
            if (over.compareAndSet(false, true)) {
                then.run();
            }
        });
        scheduler.after(DRAIN_MILLIS, () -> {
            if (over.compareAndSet(false, true)) {
                log.warn("{} is given back with tablets after {} ms", container.id(), DRAIN_MILLIS);
                then.run();
            }
        });
    }
}
