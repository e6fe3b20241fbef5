package bt.examples.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/bt bench engine --quick} of the distribution: real files, RocksDB beside us. */
class EngineBenchIT {
    private static final long TIMEOUT_SECONDS = 300;

    @TempDir
    private static Path directory;

    private static JsonNode report;

    @BeforeAll
    static void runsTheBench() throws IOException, InterruptedException {
        Path file = directory.resolve("engine.json");
        Path said = directory.resolve("said");
        Process bench = new ProcessBuilder(
                        command().toString(),
                        "bench",
                        "engine",
                        "--quick",
                        "--directory",
                        directory.toString(),
                        "--json=" + file)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            assertThat(bench.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
        } finally {
            bench.destroyForcibly();
        }
        assertThat(bench.exitValue()).as(Files.readString(said)).isZero();
        report = new ObjectMapper().readTree(Files.readString(file));
    }

    @Test
    void bothSystemsHaveEveryWorkloadWithOneThreadAndWithTwo() {
        TreeSet<String> expected = new TreeSet<>();
        for (String workload : EngineCommand.WORKLOADS) {
            for (String system : List.of("bt", "rocksdb")) {
                expected.add(workload + "-1t " + system);
                expected.add(workload + "-2t " + system);
            }
        }
        assertThat(results()
                        .map(result -> result.get("name").asText() + " "
                                + result.get("system").asText()))
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void everyResultHasASpeedAndWhatItCost() {
        assertThat(results()).allSatisfy(result -> {
            assertThat(result.get("opsPerSecond").asDouble()).isGreaterThan(1);
            assertThat(result.get("cpuMicrosPerOp").asDouble()).isPositive();
            assertThat(result.get("bytesAllocatedPerOp").asDouble()).isNotNegative();
        });
    }

    @Test
    void latenciesOfGetsAreInOrder() {
        assertThat(results().filter(result -> result.get("name").asText().startsWith("get-")))
                .isNotEmpty()
                .allSatisfy(result -> {
                    assertThat(result.get("p50Micros").asDouble()).isPositive();
                    assertThat(result.get("p99Micros").asDouble())
                            .isGreaterThanOrEqualTo(result.get("p50Micros").asDouble());
                    assertThat(result.get("p999Micros").asDouble())
                            .isGreaterThanOrEqualTo(result.get("p99Micros").asDouble());
                });
    }

    @Test
    void theMachineIsNamedAndNothingIsLeftOnItsDisk() throws IOException {
        assertThat(report.get("machine").get("cores").asInt()).isPositive();
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder("engine.json", "said");
        }
    }

    private static Stream<JsonNode> results() {
        return StreamSupport.stream(report.get("results").spliterator(), false);
    }

    private static Path command() throws IOException {
        try (Stream<Path> built = Files.list(Path.of("..", "target"))) {
            return built.map(path -> path.resolve("bin/bt"))
                    .filter(Files::isExecutable)
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no distribution in ../target: run mvn package first"));
        }
    }
}
