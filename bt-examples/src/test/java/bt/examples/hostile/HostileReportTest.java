package bt.examples.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import bt.examples.hostile.Honest.Latency;
import bt.examples.hostile.HostileReport.Held;
import bt.examples.hostile.HostileReport.Sent;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HostileReportTest {
    private static final Memory USUAL = new Memory(40 << 20, 16 << 20);
    private static final Held FLAT = new Held(USUAL, USUAL, USUAL);
    private static final Latency QUICK = latency(2_000);

    @Test
    void memoryThatWasHeldMeanwhileAndLeftInTheEndIsNotFlat() {
        assertThat(report(FLAT).isClean()).isTrue();
        assertThat(report(new Held(USUAL, new Memory(100 << 20, 16 << 20), USUAL))
                        .isClean())
                .isFalse();
        assertThat(report(new Held(USUAL, new Memory(40 << 20, 100 << 20), USUAL))
                        .isClean())
                .isFalse();
    }

    @Test
    void honestCallersThatWereSlowerAsOnABusyMachineAreUnharmed() {
        assertThat(report(QUICK, latency(400_000)).isClean()).isTrue();
        assertThat(report(latency(30_000), latency(1_400_000)).isClean()).isTrue();
    }

    @Test
    void oneThatWaitsForBadCallersIsHarmed() throws Exception {
        HostileReport slow = report(QUICK, latency(2_000_000));
        assertThat(slow.isClean()).isFalse();
        assertThat(slow.table()).contains("harmed: honest direct: 100 operations with a median of 2,000 us before");
        assertThat(new ObjectMapper()
                        .readTree(slow.json())
                        .get("honestHarmed")
                        .get(0)
                        .asText())
                .contains("2,000,000 us meanwhile");
    }

    @Test
    void oneThatCameToNothingIsHarmed() {
        assertThat(report(QUICK, Latency.NONE).isClean()).isFalse();
        assertThat(report(Latency.NONE, QUICK).isClean()).isFalse();
    }

    private static Latency latency(long medianMicros) {
        return new Latency(100, medianMicros, 2 * medianMicros, 3 * medianMicros);
    }

    private static HostileReport report(Latency before, Latency meanwhile) {
        return report(FLAT, Map.of("direct", before), Map.of("direct", meanwhile));
    }

    private static HostileReport report(Held held) {
        return report(held, Map.of(), Map.of());
    }

    private static HostileReport report(Held held, Map<String, Latency> before, Map<String, Latency> meanwhile) {
        return new HostileReport(1, new Sent(10, 10, 1), 2, held, before, meanwhile, 0, List.of());
    }
}
