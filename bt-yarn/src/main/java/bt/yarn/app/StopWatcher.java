package bt.yarn.app;

import bt.base.BigtableException;
import bt.base.Deadline;
import bt.base.Scheduler;
import bt.client.Bigtable;
import bt.connect.Connect;
import bt.yarn.spec.ClusterFiles;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The end of a cluster, from the wish in the lock service to the time at which it is overdue. Owned by the loop. */
final class StopWatcher {
    private static final Logger log = LoggerFactory.getLogger(StopWatcher.class);

    /** The master gives each tablet server 60 s; they write a memtable in much less. */
    private static final long OVERDUE_MILLIS = 90_000;

    private final ClusterFiles files;
    private final String application;
    private final String cluster;
    private final Scheduler scheduler;
    private boolean asked;
    private @Nullable Deadline deadline;

    StopWatcher(ClusterFiles files, String application, String cluster, Scheduler scheduler) {
        this.files = files;
        this.application = application;
        this.cluster = cluster;
        this.scheduler = scheduler;
    }

    Stop look() throws BigtableException {
        if (!asked && files.isAskedToStop(application)) {
            log.info("the cluster is asked to stop");
            asked = true;
        }
        if (!asked) {
            return Stop.NOT_ASKED;
        }
        if (deadline == null) {
            return Stop.ASKED;
        }
        return deadline.isOver() ? Stop.OVERDUE : Stop.UNDER_WAY;
    }

    /** Tells the master. Whatever it answers: the containers end, or the end is overdue. */
    void tellMaster() {
        deadline = Deadline.after(scheduler.clock(), OVERDUE_MILLIS);
        scheduler.start("stop", () -> {
            try (Bigtable bigtable = Connect.to(cluster)) {
                bigtable.admin().stopCluster();
            } catch (BigtableException failed) {
                log.warn("the master was asked to stop the cluster: {}", failed.getMessage());
            }
        });
    }
}
