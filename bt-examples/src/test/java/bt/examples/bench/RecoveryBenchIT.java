package bt.examples.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bt bench recovery --json FILE}: a cluster of processes to which the shortest of its events happen. */
@Tag("alone")
class RecoveryBenchIT {
    private static final int RUNS = 2;

    /** Three times what one tablet may refuse for at most. */
    private static final double MOST_MILLIS = 3_000;

    @TempDir
    private Path directory;

    @Test
    void theDocumentTellsOfEachEventHowLongItWasRefusedAndWhatWasLost() throws Exception {
        BenchRun run = BenchRun.of(
                directory,
                "recovery",
                "--only",
                "drain,split",
                "--runs",
                "" + RUNS,
                "--warm-up",
                "1",
                "--log-bytes",
                "1000000");
        List<JsonNode> results = run.results();
        assertThat(results).extracting(BenchRun::name).containsExactly("drain (warm-up)", "drain", "split");
        for (JsonNode result : results) {
            String name = BenchRun.name(result);
            double median = result.get("medianMillis").asDouble(-1);
            double max = result.get("maxMillis").asDouble(-1);
            assertThat(result.get("lostWrites").asLong(-1)).as(name).isZero();
            assertThat(median).as(name).isBetween(0.0, max);
            boolean isWarmUp = name.equals("drain (warm-up)");
            // Where all is cold nothing is said of the time.
            assertThat(isWarmUp ? 0 : max).as(name).isLessThan(MOST_MILLIS);
            // What was asked for takes some time, whoever notices.
            assertThat(result.get("medianOperationMillis").asDouble(-1))
                    .as(name)
                    .isBetween(1.0, result.get("maxOperationMillis").asDouble(-1));
            assertThat(result.get("runs").asInt()).as(name).isEqualTo(isWarmUp ? 1 : RUNS);
        }
        assertThat(run.said()).anyMatch(line -> line.startsWith("drain, run 2: refused for"));
    }
}
