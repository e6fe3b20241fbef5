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
 * elsewhere. Owned by the application master's loop.
 */
final class Leaving {
    /** Those that are being decommissioned. */
    private final Set<NodeId> nodes = new HashSet<>();

    /** YARN tells an attempt of changes alone: of a node that an earlier attempt was told of it has to be asked. */
    void began(Collection<NodeId> decommissioning) {
        nodes.clear();
        nodes.addAll(decommissioning);
    }

    /** Ids of containers, of those that are held, some perhaps only now, and of others. */
    Set<String> hear(AllocateResponse said, Collection<Container> held) {
        Set<String> leaving = new HashSet<>();
        for (NodeReport node : said.getUpdatedNodes()) {
            if (node.getNodeState() == NodeState.DECOMMISSIONING) {
                nodes.add(node.getNodeId());
            } else {
                nodes.remove(node.getNodeId());
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
