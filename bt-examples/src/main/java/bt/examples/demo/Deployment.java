package bt.examples.demo;

import bt.base.BigtableException.Outcome;
import bt.base.Deadline;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import java.io.IOException;
import java.util.List;

/** The cluster of bt on YARN: started, looked at and stopped by the commands that everybody has. */
final class Deployment {
    static final int SERVERS = 2;

    private static final long RESTART_MILLIS = 60_000;
    private static final long PAUSE_MILLIS = 500;

    private final BtCommand bt;
    private final Processes processes;
    private final Scheduler scheduler;

    Deployment(BtCommand bt, Processes processes, Scheduler scheduler) {
        this.bt = bt;
        this.processes = processes;
        this.scheduler = scheduler;
    }

    /** Returns when the cluster serves. */
    List<ContainerStatus> start() throws IOException, InterruptedException {
        bt.run("cluster-start", "cluster", "start", "--servers", String.valueOf(SERVERS));
        return containers();
    }

    /** What runs now. */
    List<ContainerStatus> containers() throws IOException, InterruptedException {
        List<ContainerStatus> containers =
                ContainerStatus.parse(bt.run("cluster-status", "cluster", "status", "--json"));
        for (ContainerStatus container : containers) {
            processes.watch(container.id(), container.pid());
        }
        return containers;
    }

    /** Waits until the application master has put another tablet server in the place of the one that was killed. */
    List<ContainerStatus> awaitReplacementOf(long pid) throws IOException, InterruptedException {
        Deadline deadline = Deadline.after(scheduler.clock(), RESTART_MILLIS);
        while (true) {
            List<ContainerStatus> containers = containers();
            long others = containers.stream()
                    .filter(container -> container.isTabletServer() && container.pid() != pid)
                    .count();
            if (others == SERVERS) {
                return containers;
            }
            if (deadline.isOver()) {
                throw new UnavailableException(
                        "the tablet server of process " + pid + " was killed, and YARN has started no other for "
                                + RESTART_MILLIS / 1_000 + " s",
                        Outcome.UNKNOWN);
            }
            scheduler.pause(PAUSE_MILLIS);
        }
    }

    void stop() throws IOException, InterruptedException {
        bt.run("cluster-stop", "cluster", "stop");
    }
}
