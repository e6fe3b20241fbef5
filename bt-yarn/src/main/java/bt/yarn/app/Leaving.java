package bt.yarn.app;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.PreemptionContainer;
import org.apache.hadoop.yarn.api.records.PreemptionContract;
import org.apache.hadoop.yarn.api.records.PreemptionMessage;
import org.apache.hadoop.yarn.api.records.StrictPreemptionContract;

/**
 * Which containers YARN says that it is about to take: those on nodes that are being decommissioned, which wait for them for a while, and
 * those that others have a better right to, which it kills some seconds later, whether it must have these or would take as much
 * elsewhere.
 */
final class Leaving {
    private Leaving() {}

    /** Ids of containers, of those that are held and of others. */
    static Set<String> of(AllocateResponse said, Collection<Container> held) {
        Set<String> leaving = new HashSet<>();
        Set<NodeId> nodes = new HashSet<>();
        for (NodeReport node : said.getUpdatedNodes()) {
            if (node.getNodeState() == NodeState.DECOMMISSIONING) {
                nodes.add(node.getNodeId());
            }
        }
        for (Container container : held) {
            if (nodes.contains(container.getNodeId())) {
                leaving.add(container.getId().toString());
            }
        }
        PreemptionMessage preemption = said.getPreemptionMessage();
        if (preemption != null) {
            StrictPreemptionContract strict = preemption.getStrictContract();
            PreemptionContract negotiable = preemption.getContract();
            if (strict != null) {
                add(strict.getContainers(), leaving);
            }
            if (negotiable != null) {
                add(negotiable.getContainers(), leaving);
            }
        }
        return leaving;
    }

    private static void add(Set<PreemptionContainer> containers, Set<String> leaving) {
        containers.forEach(container -> leaving.add(container.getId().toString()));
    }
}
