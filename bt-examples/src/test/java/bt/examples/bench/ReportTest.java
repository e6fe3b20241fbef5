package bt.examples.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportTest {
    private static final Machine MACHINE = new Machine("a cpu", 2, 1L << 34, "Linux", "17", 1L << 32);

    private static final Report REPORT = new Report(
            "engine",
            MACHINE,
            List.of(
                    Result.of("scan-1t", "bt").with(Figure.OPS_PER_SECOND, 1234567.5),
                    Result.of("lz4", "bt").with(Figure.RATIO, 6.51)));

    @Test
    void jsonNamesBenchMachineAndEveryResult() throws IOException {
        JsonNode json = new ObjectMapper().readTree(REPORT.json());
        assertThat(json.get("bench").asText()).isEqualTo("engine");
        assertThat(json.get("machine").get("cores").asInt()).isEqualTo(2);
        JsonNode scan = json.get("results").get(0);
        assertThat(scan.get("name").asText()).isEqualTo("scan-1t");
        assertThat(scan.get("system").asText()).isEqualTo("bt");
        assertThat(scan.get("opsPerSecond").asDouble()).isEqualTo(1234567.5);
    }

    @Test
    void whatDoesNotApplyIsLeftOut() throws IOException {
        JsonNode results = new ObjectMapper().readTree(REPORT.json()).get("results");
        assertThat(results.get(0).has("ratio")).isFalse();
        assertThat(results.get(1).has("opsPerSecond")).isFalse();
    }

    @Test
    void theTableHasAColumnForEachFigureThatOccurs() {
        assertThat(REPORT.table().lines().toList())
                .containsExactly(
                        "                                  ops/s        ratio",
                        "scan-1t         bt            1,234,568",
                        "lz4             bt                              6.51");
    }

    @Test
    void thisMachineIsKnown() {
        Machine here = Machine.here();
        assertThat(here.cores()).isPositive();
        assertThat(here.memoryBytes()).isPositive();
        assertThat(here.toString()).contains("heap");
    }
}
