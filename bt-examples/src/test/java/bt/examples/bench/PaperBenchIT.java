package bt.examples.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import bt.examples.paper.Baseline;
import bt.examples.paper.GivenSite;
import bt.examples.paper.OwnSite;
import bt.examples.paper.Workload;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
        List<JsonNode> workloads = results.stream()
                .filter(result -> Baseline.find(name(result)).isEmpty())
                .toList();
        List<JsonNode> baselines = results.stream()
                .filter(result -> Baseline.find(name(result)).isPresent())
                .toList();
        assertThat(baselines)
                .extracting(PaperBenchIT::name)
                .containsExactly("hdfs append", "hdfs append (batched)", "hdfs read", "hdfs read (8 KB)", "rpc echo");
        assertThat(workloads)
                .extracting(PaperBenchIT::name)
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
                .extracting(PaperBenchIT::name)
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
    void serversProcessesRateAndDurabilityAreAsAskedFor() throws Exception {
        List<JsonNode> results = results(
                "paper",
                "--minicluster",
                "--servers",
                "1,2",
                "--processes",
                "2",
                "--clients",
                "1",
                "--rows",
                "200",
                "--rate",
                "200",
                "--durability",
                "sync",
                "--warm-up",
                "0",
                "--only",
                "random write,hdfs append");
        // What lies below is measured at full speed alone.
        assertThat(results).extracting(PaperBenchIT::name).containsExactly("random write", "random write");
        assertThat(results).extracting(result -> result.get("servers").asInt()).containsExactly(1, 2);
        // Each server more has clients of its own.
        assertThat(results).extracting(result -> result.get("callers").asInt()).containsExactly(2, 4);
        assertThat(results)
                .allSatisfy(result ->
                        assertThat(result.get("opsPerSecond").asDouble()).isBetween(1.0, 215.0));
        assertThat(report.get("options").get("durability").asText()).isEqualTo("sync");
        assertThat(report.get("options").get("processes").asInt()).isEqualTo(2);
    }

    @Test
    void atAClusterThatRunsOnlyWhatItCanShowIsReported() throws Exception {
        try (OwnSite cluster = OwnSite.start(directory.resolve("cluster"), 1, new OwnSite.Room(1 << 20, 1 << 20, 0))) {
            GivenSite given = new GivenSite(cluster.address());
            assertThat(given.servers()).isEqualTo(cluster.servers());
            assertThat(given.datanodes()).isEqualTo(cluster.datanodes());

            List<JsonNode> results = results(
                    "paper",
                    "--at",
                    cluster.address(),
                    "--rows",
                    "1000",
                    "--clients",
                    "2",
                    "--warm-up",
                    "0",
                    "--only",
                    "sequential write (batched),random read (tcp),hdfs read");
            assertThat(results).extracting(PaperBenchIT::name).containsExactly("sequential write (batched)");
            assertThat(results).allSatisfy(result -> assertThat(result.has("datanodeCpuSecondsPerMillionOps"))
                    .isTrue());
            assertThat(Files.readString(directory.resolve("said")))
                    .contains("random read (tcp) is not measured: this cluster is not the bench's own")
                    .contains("hdfs read is not measured: this cluster is not the bench's own");
        }
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
