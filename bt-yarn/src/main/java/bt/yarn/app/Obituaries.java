package bt.yarn.app;

import bt.base.BigtableException;
import bt.base.Scheduler;
import bt.client.Bigtable;
import bt.connect.Connect;
import bt.yarn.spec.Held;
import bt.yarn.spec.Role;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the master of a tablet server's end, which spares the wait for its session and its lease. Only an exit code that
 * the container's own node manager saw is a proof: what the resource manager makes up for a container that it lost, took
 * back or preempted is negative. Any thread.
 */
final class Obituaries {
    private static final Logger log = LoggerFactory.getLogger(Obituaries.class);

    /** {@code ExitCode.LOST} of the NodeManager, whose classes are not ours to load. */
    private static final int LOST = 154;

    private final String cluster;
    private final Scheduler scheduler;

    Obituaries(String cluster, Scheduler scheduler) {
        this.cluster = cluster;
        this.scheduler = scheduler;
    }

    /** A status below 0 is made up by YARN, and so is that of a process which a NodeManager that was started again did not find. */
    static boolean isProof(ContainerStatus status) {
        return status.getExitStatus() >= 0 && status.getExitStatus() != LOST;
    }

    void ended(Held held, ContainerStatus status) {
        if (held.role() == Role.TABLET_SERVER && isProof(status)) {
            scheduler.start("obituary", () -> {
                try (Bigtable bigtable = Connect.to(cluster)) {
                    bigtable.admin().processExited(held.id());
                } catch (BigtableException failed) {
                    // The master finds out when the session has ended.
                    log.warn("{}: the master: {}", held.id(), failed.getMessage());
                }
            });
        }
    }
}
