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
        return report(Progress.EXAMINED, told, broken);
    }

    private static ChaosReport report(Progress reached, Told told, List<String> broken) {
        return new ChaosReport(
                7,
                2,
                reached,
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
        ChaosReport stuck = report(Progress.ANSWERED, new Told(100, 3, 1, 0, 0), List.of());

        assertThat(stuck.isClean()).isFalse();
        assertThat(stuck.table()).contains("the cluster did not become whole again");
        assertThat(new ObjectMapper().readTree(stuck.json()).get("whole").asBoolean())
                .isFalse();
    }

    /** Zero would say that somebody looked. */
    @Test
    void whatWasNotCheckedHasNoNumber() throws Exception {
        ChaosReport stuck = report(Progress.ANSWERED, new Told(100, 3, 1, 0, 1), List.of());
        JsonNode document = new ObjectMapper().readTree(stuck.json());
        assertThat(document.get("lost").isNull()).isTrue();
        assertThat(document.get("anomalies").asLong()).isOne();
        assertThat(document.get("invariantsBroken").isNull()).isTrue();
        assertThat(stuck.table()).contains("lost: not checked, 1 anomalies, invariants: not checked");

        ChaosReport compared = report(Progress.COMPARED, new Told(100, 3, 1, 0, 1), List.of());
        document = new ObjectMapper().readTree(compared.json());
        assertThat(document.get("whole").asBoolean()).isTrue();
        assertThat(document.get("lost").asLong(-1)).isZero();
        assertThat(document.get("invariantsBroken").isNull()).isTrue();
        assertThat(compared.isClean()).isFalse();
    }

    @Test
    void oneOfWhichNobodyWasToldAnythingIsNotClean() {
        assertThat(report(new Told(0, 3, 1, 0, 0), List.of()).isClean()).isFalse();
    }

    @Test
    void whatWasNeverFeltIsInTheLastLine() {
        assertThat(report(new Told(100, 3, 1, 0, 0), List.of()).table())
                .endsWith("0 lost, 0 anomalies, 0 invariants broken; never felt: fill-disk");
    }
}
