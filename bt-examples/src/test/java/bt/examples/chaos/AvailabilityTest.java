package bt.examples.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import bt.examples.chaos.Availability.Onset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AvailabilityTest {
    private static final long SECOND = 1_000_000_000L;

    private final Availability availability = new Availability();

    private Map<FaultKind, Long> blamed() {
        return availability.longestMillis(List.of(
                new Onset(FaultKind.KILL_MASTER, 10 * SECOND),
                new Onset(FaultKind.TCP_CUT, 20 * SECOND),
                new Onset(FaultKind.PAUSE_DATANODE, 21 * SECOND)));
    }

    @Test
    void anOperationWaitsForTheFirstFaultThatBeganMeanwhile() {
        availability.operation(19 * SECOND, 25 * SECOND);
        assertThat(blamed())
                .containsEntry(FaultKind.TCP_CUT, 6_000L)
                .containsEntry(FaultKind.KILL_MASTER, 0L)
                .containsEntry(FaultKind.PAUSE_DATANODE, 0L);
    }

    @Test
    void elseForTheLastOneBefore() {
        availability.operation(12 * SECOND, 14 * SECOND);
        availability.operation(15 * SECOND, 16 * SECOND);
        availability.operation(30 * SECOND, 33 * SECOND);
        assertThat(blamed())
                .containsEntry(FaultKind.KILL_MASTER, 2_000L)
                .containsEntry(FaultKind.TCP_CUT, 0L)
                .containsEntry(FaultKind.PAUSE_DATANODE, 3_000L);
    }

    @Test
    void whatWasShortOrCameBeforeAllFaultsIsNobodys() {
        availability.operation(SECOND, 5 * SECOND);
        availability.operation(12 * SECOND, 12 * SECOND + SECOND / 20);
        assertThat(blamed().values()).containsOnly(0L);
    }
}
