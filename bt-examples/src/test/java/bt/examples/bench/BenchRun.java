package bt.examples.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A bench that has run to its end as a process of its own: what it reported and what it said. */
record BenchRun(JsonNode report, List<String> said) {
    private static final long TIMEOUT_SECONDS = 300;

    /** {@code bt bench WORDS}, with its files in the directory. */
    static BenchRun of(Path directory, String... words) throws IOException, InterruptedException {
        Path json = directory.resolve("report.json");
        Path said = directory.resolve("said");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "bt.main.Main",
                "bench"));
        command.addAll(List.of(words));
        command.addAll(List.of("--directory", directory.toString(), "--json=" + json));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile());
        // For all that it starts too: each works for seconds, in which the compiler that optimizes wins nothing back.
        builder.environment().put("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1");
        Process process = builder.start();
        try {
            assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS))
                    .as(() -> "it ends")
                    .isTrue();
        } finally {
            // With SIGTERM it ends its own processes too.
            process.destroy();
        }
        assertThat(process.exitValue()).as(Files.readString(said)).isZero();
        return new BenchRun(new ObjectMapper().readTree(json.toFile()), Files.readAllLines(said));
    }

    List<JsonNode> results() {
        List<JsonNode> results = new ArrayList<>();
        report.get("results").forEach(results::add);
        return results;
    }

    static String name(JsonNode result) {
        return result.get("name").asText();
    }
}
