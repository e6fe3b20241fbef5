package bt.examples.bench;

import static org.assertj.core.api.Assertions.assertThat;

import bt.examples.paper.Baseline;
import bt.examples.paper.Workload;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The benches of section 7 of the paper with few rows: what they report is whole, whatever the numbers are. */
class PaperBenchIT {
    private static final long TIMEOUT_SECONDS = 300;

    @TempDir
    private Path directory;

    private JsonNode report = MissingNode.getInstance();

    @Test
    void everyWorkloadIsMeasuredAtItsOwnCluster() throws Exception {
        Path plot = directory.resolve("paper.svg");
        List<JsonNode> results = results(
                "paper",
                "--minicluster",
                "--rows",
                "2000",
                "--clients",
                "2",
                "--warm-up",
                "0",
                "--plot",
                plot.toString());
        Map<Boolean, List<JsonNode>> parts = results.stream()
                .collect(Collectors.partitioningBy(
                        result -> Baseline.find(name(result)).isPresent()));
        assertThat(parts.get(true))
                .extracting(PaperBenchIT::name)
                .containsExactly("hdfs append", "hdfs read", "rpc echo");
        assertThat(parts.get(false))
                .extracting(PaperBenchIT::name)
                .containsExactlyElementsOf(
                        Stream.of(Workload.values()).map(Workload::label).toList());
        assertThat(results).allSatisfy(result -> {
            // One writer of one file.
            assertThat(result.get("callers").asInt()).isEqualTo(name(result).equals(Baseline.APPEND.label()) ? 1 : 2);
            assertThat(result.get("system").asText()).isEqualTo(name(result).startsWith("hdfs") ? "hdfs" : "bt");
            assertThat(result.get("opsPerSecond").asDouble()).isGreaterThan(1);
            double p99 = result.get("p99Micros").asDouble();
            assertThat(result.get("p50Micros").asDouble()).isPositive().isLessThanOrEqualTo(p99);
            assertThat(result.get("p999Micros").asDouble())
                    .isBetween(p99, result.get("maxMicros").asDouble());
            assertThat(result.has("clientCpuSecondsPerMillionOps")).isTrue();
            assertThat(result.has("datanodeCpuSecondsPerMillionOps"))
                    .isEqualTo(!name(result).equals(Baseline.ECHO.label()));
            assertThat(result.get("clientBytesAllocatedPerOp").asDouble()).isPositive();
            assertThat(result.get("clientGcMillis").asDouble()).isNotNegative();
        });
        List<JsonNode> batched =
                results.stream().filter(result -> result.has("rowsPerBatch")).toList();
        assertThat(batched)
                .extracting(PaperBenchIT::name)
                .containsExactly("sequential write", "random write", "hdfs append", "sequential write (batched)");
        // Two callers who wait for each row have two of them in a batch at most.
        assertThat(batched.subList(0, 3))
                .allSatisfy(result ->
                        assertThat(result.get("rowsPerBatch").asDouble()).isBetween(1.0, 2.0));
        assertThat(batched.get(3).get("rowsPerBatch").asDouble()).isGreaterThan(2);
        assertThat(results)
                .filteredOn(result -> !name(result).startsWith("hdfs"))
                .allSatisfy(result -> {
                    assertThat(result.has("serverCpuSecondsPerMillionOps")).isTrue();
                    assertThat(result.get("serverBytesAllocatedPerOp").asDouble())
                            .isPositive();
                    assertThat(result.get("serverGcMillis").asDouble()).isNotNegative();
                });
        JsonNode asked = report.get("options");
        assertThat(asked.get("rows").asLong()).isEqualTo(2_000);
        assertThat(asked.get("durability").asText()).isEqualTo("flush");
        assertThat(asked.get("rate").asLong()).isZero();
        assertThat(Files.readString(plot)).contains("random read (mem)");
        assertThat(Files.readAllLines(directory.resolve("said")))
                .contains("scan, waiting for compactions", "scan, warming up", "scan", "hdfs read");
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder("paper.svg", "report.json", "said");
        }
    }

    private static String name(JsonNode result) {
        return result.get("name").asText();
    }

    @Test
    void theEchoIsMeasuredInThreeWays() throws Exception {
        assertThat(results("rpc", "--clients", "2", "--seconds", "0.2"))
                .extracting(PaperBenchIT::name)
                .containsExactly("rpc echo", "rpc echo (in flight)", "rpc echo (batched)");
    }

    private List<JsonNode> results(String bench, String... words) throws IOException, InterruptedException {
        Path json = directory.resolve("report.json");
        Path said = directory.resolve("said");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "bt.main.Main",
                "bench",
                bench,
                "--directory",
                directory.toString(),
                "--json=" + json));
        command.addAll(List.of(words));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS))
                    .as(() -> "it ends")
                    .isTrue();
        } finally {
            // With SIGTERM it ends its own processes too.
            process.destroy();
        }
        assertThat(process.exitValue()).as(Files.readString(said)).isZero();
        List<JsonNode> results = new ArrayList<>();
        report = new ObjectMapper().readTree(json.toFile());
        report.get("results").forEach(results::add);
        return results;
    }
}
