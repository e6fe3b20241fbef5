package bt.yarn.app;

import static java.util.Objects.requireNonNull;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Deadline;
import bt.base.Scheduler;
import bt.client.Bigtable;
import bt.client.ClientOptions;
import bt.connect.Connect;
import bt.yarn.spec.ClusterFiles;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of a cluster, from the wish in the lock service to the time at which it is overdue: so long after the master was last known
 * to be at it. Owned by the loop.
 */
final class StopWatcher {
    private static final Logger log = LoggerFactory.getLogger(StopWatcher.class);

    /**
     * The master goes on for as long as tablets are handed back, for an hour of each level at most. When it is done each tablet server
     * has 60 s.
     */
    static final long OVERDUE_MILLIS = 90_000;

    private static final long AGAIN_MILLIS = 1_000;

    /** Between two looks at what is left: with it, a slow ZooKeeper and a slow master, a look comes before the end is overdue. */
    private static final Duration LOOK_TIME = Duration.ofSeconds(30);

    private final ClusterFiles files;
    private final String application;
    private final Stopping stopping;
    private final Scheduler scheduler;
    private boolean asked;

    /** Set by who tells the master too. */
    private volatile @Nullable Deadline deadline;

    /** Set by who tells the master. */
    private volatile boolean serversEnded;

    StopWatcher(ClusterFiles files, String application, Stopping stopping, Scheduler scheduler) {
        this.files = files;
        this.application = application;
        this.stopping = stopping;
        this.scheduler = scheduler;
    }

    /**
     * Returns when the master has stopped the cluster, and runs what it is given whenever that is known to get on. The failure's
     * outcome is UNKNOWN where the master was told and may be at it still.
     */
    interface Stopping {
        void run(Runnable getsOn) throws BigtableException;
    }

    /** Whoever asks again while the master is at it joins. */
    static Stopping overNetwork(String cluster) {
        return getsOn -> {
            try (Bigtable bigtable = Connect.to(cluster, ClientOptions.DEFAULT.operationTimeout(LOOK_TIME))) {
                bigtable.admin().stopCluster(left -> getsOn.run());
            }
        };
    }

    Stop look() throws BigtableException {
        if (!asked && files.isAskedToStop(application)) {
            log.info("the cluster is asked to stop");
            asked = true;
        }
        if (!asked) {
            return Stop.NOT_ASKED;
        }
        Deadline end = deadline;
        if (end == null) {
            return Stop.ASKED;
        }
        if (end.isOver()) {
            return Stop.OVERDUE;
        }
        return serversEnded ? Stop.SERVERS_ENDED : Stop.UNDER_WAY;
    }

    /** Tells the master, again and again while it is at it. Whatever it answers: the containers end, or the end is overdue. */
    void tellMaster() {
        Deadline first = fromNow();
        deadline = first;
        scheduler.start("stop", () -> {
            Deadline end = first;
            while (!end.isOver() && !tellOnce()) {
                end = requireNonNull(deadline);
                scheduler.pause(AGAIN_MILLIS);
            }
        });
    }

    /** Whether it has done it. */
    private boolean tellOnce() {
        try {
            stopping.run(() -> deadline = fromNow());
            deadline = fromNow();
            serversEnded = true;
            return true;
        } catch (BigtableException failed) {
            log.warn("the master was asked to stop the cluster: {}", failed.getMessage());
            if (failed.outcome() == Outcome.UNKNOWN) {
                deadline = fromNow();
            }
            return false;
        }
    }

    private Deadline fromNow() {
        return Deadline.after(scheduler.clock(), OVERDUE_MILLIS);
    }
}
