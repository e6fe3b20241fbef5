package bt.yarn.app;

import bt.yarn.spec.ClusterSpec;
import bt.yarn.spec.Role;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.AMRMClient;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.apache.hadoop.yarn.client.api.NMClient;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ResourceManager and the NodeManagers, as an application master speaks with them. Owned by its loop, but for
 * {@link #start}, which any thread may call.
 */
final class Yarn implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Yarn.class);
    private static final String NO_PAGE = "";

    private final ClusterSpec spec;
    private final AMRMClient<ContainerRequest> resources = AMRMClient.createAMRMClient();
    private final YarnClient cluster = YarnClient.createYarnClient();
    private final NMClient nodes = NMClient.createNMClient();
    private final Deque<ContainerRequest> requests = new ArrayDeque<>();

    Yarn(ClusterSpec spec, Configuration hadoop) {
        this.spec = spec;
        resources.init(hadoop);
        resources.start();
        cluster.init(hadoop);
        cluster.start();
        nodes.init(hadoop);
        // The cluster serves on when this process ends: the next attempt takes its containers over.
        nodes.cleanupRunningContainersOnStop(false);
        nodes.start();
    }

    /** Begins; the containers that run since an earlier attempt. */
    List<Container> register(String host) throws IOException, YarnException {
        return resources.registerApplicationMaster(host, -1, NO_PAGE).getContainersFromPreviousAttempts();
    }

    /** The nodes that are being decommissioned; none where nobody knows. */
    List<NodeId> decommissioning() {
        try {
            return cluster.getNodeReports(NodeState.DECOMMISSIONING).stream()
                    .map(NodeReport::getNodeId)
                    .toList();
        } catch (IOException | YarnException unknown) {
            log.warn("the nodes of YARN that are being decommissioned are not known: {}", unknown.getMessage());
            return List.of();
        }
    }

    /** Tells the ResourceManager that we live, with what is asked for; what it has to say. */
    AllocateResponse heartbeat() throws IOException, YarnException {
        return resources.allocate(0.5f);
    }

    /** On other nodes than those that are taken, where some have room before long. */
    void ask(Role role, int count, Set<String> taken) {
        String[] preferred = taken.isEmpty() ? null : nodesBut(taken);
        for (int i = 0; i < count; i++) {
            ContainerRequest request = new ContainerRequest(
                    Resource.newInstance(spec.megabytes(role), 1),
                    preferred,
                    null,
                    Priority.newInstance(role.priority()));
            resources.addContainerRequest(request);
            requests.add(request);
        }
    }

    /** Null, which prefers none, where there are no others or nobody knows. */
    private String @Nullable [] nodesBut(Set<String> taken) {
        try {
            String[] others = cluster.getNodeReports(NodeState.RUNNING).stream()
                    .map(node -> node.getNodeId().getHost())
                    .filter(host -> !taken.contains(host))
                    .distinct()
                    .toArray(String[]::new);
            return others.length == 0 ? null : others;
        } catch (IOException | YarnException unknown) {
            log.warn("the nodes of YARN are not known, any will do: {}", unknown.getMessage());
            return null;
        }
    }

    /** Also for what was granted: YARN's client goes on asking for what is not taken back. */
    void withdraw(Role role, int count) {
        List<ContainerRequest> withdrawn = requests.stream()
                .filter(request -> request.getPriority().getPriority() == role.priority())
                .limit(count)
                .toList();
        withdrawn.forEach(resources::removeContainerRequest);
        // One by one: equal requests are many.
        withdrawn.forEach(requests::removeFirstOccurrence);
    }

    /** Blocks until the node manager has answered. */
    void start(Container container, ContainerLaunchContext context) throws IOException, YarnException {
        nodes.startContainer(container, context);
    }

    /** The ResourceManager has what runs in it killed, and reports it complete. */
    void giveBack(ContainerId container) {
        resources.releaseAssignedContainer(container);
    }

    void finish(String message) throws IOException, YarnException {
        resources.unregisterApplicationMaster(FinalApplicationStatus.SUCCEEDED, message, NO_PAGE);
    }

    @Override
    public void close() {
        nodes.stop();
        cluster.stop();
        resources.stop();
    }
}
