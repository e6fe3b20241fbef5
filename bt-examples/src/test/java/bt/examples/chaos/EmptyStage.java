package bt.examples.chaos;

import bt.base.Scheduler;
import bt.examples.cluster.JavaProcess;
import bt.examples.cluster.ProcessCluster;
import java.util.List;

/** Where there is nothing to break. */
record EmptyStage(Scheduler scheduler, Tally tally, Journal journal) implements Stage {
    @Override
    public ProcessCluster cluster() {
        throw new AssertionError("there is none");
    }

    @Override
    public ProxiedNetwork network() {
        throw new AssertionError("there is none");
    }

    @Override
    public List<JavaProcess> replaceEnded() {
        return List.of();
    }
}
