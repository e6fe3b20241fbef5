package bt.examples.bench;

import static bt.examples.bench.BenchRun.name;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import bt.examples.paper.Baseline;
import bt.examples.paper.Workload;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bench of section 7 of the paper with few rows: what it reports is whole, whatever the numbers are. */
class PaperBenchIT {
    @TempDir
    private Path directory;

    @Test
    void everyWorkloadIsMeasuredAtItsOwnCluster() throws Exception {
        Path plot = directory.resolve("paper.svg");
        BenchRun run = BenchRun.of(
                directory,
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
        List<JsonNode> results = run.results();
        List<JsonNode> workloads = results.stream()
                .filter(result -> Baseline.find(name(result)).isEmpty())
                .toList();
        List<JsonNode> baselines = results.stream()
                .filter(result -> Baseline.find(name(result)).isPresent())
                .toList();
        assertThat(baselines)
                .extracting(BenchRun::name)
                .containsExactly("hdfs append", "hdfs append (batched)", "hdfs read", "hdfs read (8 KB)", "rpc echo");
        assertThat(workloads)
                .extracting(BenchRun::name)
                .containsExactlyElementsOf(
                        Stream.of(Workload.values()).map(Workload::label).toList());
        assertThat(results).allSatisfy(result -> {
            // One writer of one file.
            assertThat(result.get("callers").asInt()).isEqualTo(name(result).startsWith("hdfs append") ? 1 : 2);
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
                .extracting(BenchRun::name)
                .containsExactly(
                        "sequential write",
                        "random write",
                        "hdfs append",
                        "sequential write (batched)",
                        "hdfs append (batched)");
        // Two callers who wait for each row have two of them in a batch at most.
        assertThat(batched.subList(0, 3))
                .allSatisfy(result ->
                        assertThat(result.get("rowsPerBatch").asDouble()).isBetween(1.0, 2.0));
        assertThat(batched.get(3).get("rowsPerBatch").asDouble()).isGreaterThan(2);
        assertThat(batched.get(4).get("rowsPerBatch").asDouble())
                .isCloseTo(batched.get(3).get("rowsPerBatch").asDouble(), within(0.5));
        for (JsonNode result : workloads) {
            boolean writes = name(result).contains("write");
            assertThat(result.get("logMb").asDouble()).isBetween(writes ? 2.0 : 0, writes ? 4.0 : 0.001);
            assertThat(result.has("flushes") && result.has("merges")).isTrue();
            assertThat(result.has("opsPerServerCpuSecond") && result.has("opsPerCpuSecond"))
                    .isEqualTo(name(result).startsWith("scan"));
            boolean copied = List.of("sequential read", "scan", "random read").contains(name(result));
            assertThat(result.has("partInLocalCache")).isEqualTo(copied);
            double datanode = result.get("datanodeBytesOutPerOp").asDouble();
            switch (name(result)) {
                // Its file is opened by the server, which asks it for nothing but the path.
                case "random read (short-circuit)" -> assertThat(datanode).isLessThan(500);
                case "random read (tcp)" -> assertThat(datanode).isBetween(2_000.0, 70_000.0);
                default -> assertThat(datanode).isBetween(0.0, 70_000.0);
            }
            assertThat(result.has("localHitPart")).isEqualTo(copied);
            if (copied) {
                // What is nearest to the end of a file is in memory as long as that is open.
                assertThat(result.get("partInLocalCache").asDouble()).isBetween(0.5, 1.0);
                assertThat(result.get("localHitPart").asDouble()).isBetween(0.9, 1.0);
            }
        }
        assertThat(results)
                .filteredOn(result -> !name(result).startsWith("hdfs"))
                .allSatisfy(result -> {
                    assertThat(result.has("serverCpuSecondsPerMillionOps")).isTrue();
                    assertThat(result.get("serverBytesAllocatedPerOp").asDouble())
                            .isPositive();
                    assertThat(result.get("serverGcMillis").asDouble()).isNotNegative();
                });
        JsonNode asked = run.report().get("options");
        assertThat(asked.get("rows").asLong()).isEqualTo(2_000);
        assertThat(asked.get("durability").asText()).isEqualTo("flush");
        assertThat(asked.get("rate").asLong()).isZero();
        assertThat(Files.readString(plot)).contains("random read (mem)");
        assertThat(run.said()).contains("scan, waiting for compactions", "scan, warming up", "scan", "hdfs read");
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder("paper.svg", "report.json", "said");
        }
    }
}
