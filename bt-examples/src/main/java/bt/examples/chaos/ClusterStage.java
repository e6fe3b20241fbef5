package bt.examples.chaos;

import bt.base.Scheduler;
import bt.examples.cluster.JavaProcess;
import bt.examples.cluster.ProcessCluster;
import java.io.IOException;
import java.util.List;

/** That of a cluster of processes. */
record ClusterStage(ProcessCluster cluster, ProxiedNetwork network, Tally tally, Journal journal) implements Stage {
    @Override
    public Scheduler scheduler() {
        return cluster.scheduler();
    }

    @Override
    public List<JavaProcess> replaceEnded() throws IOException {
        return cluster.replaceEnded(List.of());
    }
}
