package bt.examples.chaos;

import bt.base.Scheduler;
import bt.examples.cluster.JavaProcess;
import bt.examples.cluster.ProcessCluster;
import java.io.IOException;
import java.util.List;

/** Where faults happen: the cluster, the way of its clients to the servers, and what is told of it. */
interface Stage {
    ProcessCluster cluster();

    ProxiedNetwork network();

    Tally tally();

    Journal journal();

    Scheduler scheduler();

    /** Starts others for the masters and tablet servers that ended by themselves; these. */
    List<JavaProcess> replaceEnded() throws IOException;
}
