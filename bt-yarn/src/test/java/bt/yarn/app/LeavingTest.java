package bt.yarn.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.PreemptionContainer;
import org.apache.hadoop.yarn.api.records.PreemptionContract;
import org.apache.hadoop.yarn.api.records.PreemptionMessage;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.StrictPreemptionContract;
import org.junit.jupiter.api.Test;

class LeavingTest {
    private static final List<Container> HELD = List.of(container(1, "a"), container(2, "a"), container(3, "b"));

    private final Leaving leaving = new Leaving();

    @Test
    void whatIsOnANodeThatIsDecommissionedLeaves() {
        assertThat(leaving.hear(said(node("a", NodeState.DECOMMISSIONING), node("b", NodeState.RUNNING)), HELD))
                .isEqualTo(ids(1, 2));
    }

    /** It told an earlier attempt of the node, whose containers are told of when their node is heard. */
    @Test
    void whatIsTakenOverOnANodeThatWasBeingDecommissionedLeaves() {
        leaving.began(List.of(NodeId.newInstance("a", 1)));
        assertThat(leaving.hear(said(), List.of())).isEmpty();
        assertThat(leaving.hear(said(), HELD)).isEqualTo(ids(1, 2));
    }

    @Test
    void whatIsOnANodeThatIsToStayAfterAllDoesNot() {
        leaving.began(List.of(NodeId.newInstance("a", 1), NodeId.newInstance("b", 1)));
        assertThat(leaving.hear(said(node("a", NodeState.RUNNING)), HELD)).isEqualTo(ids(3));
    }

    /** Nothing is left there to be drained, and YARN says of each container that it is complete. */
    @Test
    void whatIsOnANodeThatIsLostDoesNot() {
        assertThat(leaving.hear(said(node("a", NodeState.LOST), node("b", NodeState.UNHEALTHY)), HELD))
                .isEmpty();
    }

    @Test
    void whatIsPreemptedLeavesWhetherItMustOrMay() {
        AllocateResponse said = said();
        said.setPreemptionMessage(PreemptionMessage.newInstance(
                StrictPreemptionContract.newInstance(Set.of(preempted(1))),
                PreemptionContract.newInstance(List.of(), Set.of(preempted(3)))));
        assertThat(leaving.hear(said, HELD)).isEqualTo(ids(1, 3));

        said.setPreemptionMessage(
                PreemptionMessage.newInstance(StrictPreemptionContract.newInstance(Set.of(preempted(2))), null));
        assertThat(leaving.hear(said, HELD)).isEqualTo(ids(2));
    }

    private static AllocateResponse said(NodeReport... nodes) {
        return AllocateResponse.newBuilder()
                .responseId(1)
                .updatedNodes(List.of(nodes))
                .build();
    }

    private static NodeReport node(String host, NodeState state) {
        Resource some = Resource.newInstance(1024, 1);
        return NodeReport.newInstance(NodeId.newInstance(host, 1), state, "", "", some, some, 0, "", 0);
    }

    private static PreemptionContainer preempted(long id) {
        return PreemptionContainer.newInstance(id(id));
    }

    private static Container container(long id, String host) {
        return Container.newInstance(
                id(id), NodeId.newInstance(host, 1), "", Resource.newInstance(512, 1), Priority.newInstance(1), null);
    }

    private static ContainerId id(long id) {
        return ContainerId.newContainerId(ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1), id);
    }

    private static Set<String> ids(long... ids) {
        return Stream.of(ids)
                .flatMapToLong(java.util.Arrays::stream)
                .mapToObj(id -> id(id).toString())
                .collect(Collectors.toSet());
    }
}
