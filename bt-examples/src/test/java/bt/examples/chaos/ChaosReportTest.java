package bt.examples.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import bt.examples.chaos.ChaosReport.Told;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChaosReportTest {
    static ChaosReport report(Told told, List<String> broken) {
        return report(true, told, broken);
    }

    private static ChaosReport report(boolean whole, Told told, List<String> broken) {
        return new ChaosReport(
                7,
                2,
                whole,
                "tmpfs",
                told,
                Map.of(FaultKind.KILL_MASTER, 2L),
                Map.of(FaultKind.FILL_DISK, 1L),
                Map.of(FaultKind.KILL_MASTER, 350L),
                List.of(),
                broken,
                List.of(new Journal.Entry(12, "something")));
    }

    @Test
    void theDocumentHasWhatWasPromised() throws Exception {
        JsonNode document = new ObjectMapper()
                .readTree(report(new Told(100, 3, 1, 0, 0), List.of()).json());

        assertThat(document.get("acknowledged").asLong()).isEqualTo(100);
        assertThat(document.get("faults").get("kill-master").asLong()).isEqualTo(2);
        assertThat(document.get("faultsGivenUp").get("fill-disk").asLong()).isEqualTo(1);
        assertThat(document.get("lost").asLong()).isZero();
        assertThat(document.get("anomalies").asLong()).isZero();
        assertThat(document.get("invariantsBroken").asLong()).isZero();
        assertThat(document.get("longestUnavailableMillis").get("kill-master").asLong())
                .isEqualTo(350);
        assertThat(document.get("journal").get(0).get("event").asText()).isEqualTo("something");
    }

    @Test
    void oneThingThatIsWrongIsNotClean() {
        assertThat(report(new Told(100, 3, 1, 0, 0), List.of()).isClean()).isTrue();
        assertThat(report(new Told(100, 3, 1, 1, 0), List.of()).isClean()).isFalse();
        assertThat(report(new Told(100, 3, 1, 0, 1), List.of()).isClean()).isFalse();
        assertThat(report(new Told(100, 3, 1, 0, 0), List.of("3\tweb\tthe file is missing"))
                        .isClean())
                .isFalse();
    }

    @Test
    void oneThatDidNotBecomeWholeAgainIsToldAndIsNotClean() throws Exception {
        ChaosReport stuck = report(false, new Told(100, 3, 1, 0, 0), List.of());

        assertThat(stuck.isClean()).isFalse();
        assertThat(stuck.table()).contains("the cluster did not become whole again");
        assertThat(new ObjectMapper().readTree(stuck.json()).get("whole").asBoolean())
                .isFalse();
    }
}
