package bt.yarn.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.server.nodemanager.ContainerExecutor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ObituariesTest {
    private static boolean isProof(int exitCode) {
        ApplicationAttemptId attempt = ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1);
        return Obituaries.isProof(ContainerStatus.newInstance(
                ContainerId.newContainerId(attempt, 1), ContainerState.COMPLETE, "", exitCode));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5, 137, 143})
    void aCodeOfAProcessIsAProof(int exitCode) {
        assertThat(isProof(exitCode)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                ContainerExitStatus.INVALID,
                ContainerExitStatus.ABORTED,
                ContainerExitStatus.DISKS_FAILED,
                ContainerExitStatus.PREEMPTED,
                ContainerExitStatus.KILLED_BY_RESOURCEMANAGER,
                ContainerExitStatus.KILLED_BY_APPMASTER
            })
    void whatTheResourceManagerMakesUpIsNone(int exitCode) {
        assertThat(isProof(exitCode)).isFalse();
    }

    @Test
    void nothingIsProvenOfAProcessThatANodeManagerStartedAnewDidNotFind() {
        assertThat(isProof(ContainerExecutor.ExitCode.LOST.getExitCode())).isFalse();
    }
}
