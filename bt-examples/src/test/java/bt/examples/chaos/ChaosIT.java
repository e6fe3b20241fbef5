package bt.examples.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.DirectoryTree;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two minutes of {@code bt chaos}. What its processes wrote stays below {@code target} when it fails. */
@Tag("alone")
class ChaosIT {
    /** Many times what it should take: for a machine that does other things. */
    private static final long PATIENCE_MINUTES = 20;

    private static final long END_SECONDS = 60;
    private static final int LAST_LINES = 80;

    @Test
    void nothingIsLostStrangeOrBrokenAfterTwoMinutesOfFaults() throws Exception {
        Path directory = Files.createTempDirectory(Files.createDirectories(Path.of("target")), "chaos-")
                .toAbsolutePath();
        Path said = directory.resolve("said");
        Path json = directory.resolve("chaos.json");
        Process chaos = start(directory, json, said);
        try {
            assertThat(chaos.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)).isTrue();
        } finally {
            end(chaos);
            System.out.println(Files.readString(said));
        }
        if (chaos.exitValue() != 0) {
            printEnds(directory);
        }
        checkReport(new ObjectMapper().readTree(Files.readString(json)));
        assertThat(chaos.exitValue()).isZero();
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).as("its processes' files are deleted").containsExactlyInAnyOrder(said, json);
        }
        DirectoryTree.delete(directory);
    }

    /** The end of each process's log: of a run on a machine that is gone by then nothing else tells why. */
    private static void printEnds(Path directory) throws IOException {
        List<Path> logs;
        try (Stream<Path> files = Files.walk(directory)) {
            logs = files.filter(file -> file.toString().endsWith(".log"))
                    .sorted()
                    .toList();
        }
        for (Path file : logs) {
            List<String> lines = Files.readAllLines(file, StandardCharsets.ISO_8859_1);
            System.out.println("the end of " + file + ":");
            lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()).forEach(System.out::println);
        }
    }

    private static void checkReport(JsonNode report) {
        assertThat(texts(report.get("complaints"))).isEmpty();
        assertThat(texts(report.get("findings"))).isEmpty();
        assertThat(report.get("seed").asLong()).isEqualTo(1);
        assertThat(report.get("minutes").asDouble()).isEqualTo(2);
        assertThat(report.get("whole").asBoolean()).isTrue();
        assertThat(report.get("disks").asText()).isIn("tmpfs", "quota");
        assertThat(report.get("acknowledged").asLong()).isPositive();
        assertThat(report.get("unknown").isIntegralNumber()).isTrue();
        assertThat(report.get("refused").isIntegralNumber()).isTrue();
        assertThat(report.get("lost").asLong(-1)).isZero();
        assertThat(report.get("anomalies").asLong(-1)).isZero();
        assertThat(report.get("invariantsBroken").asLong(-1)).isZero();
        assertThat(report.get("journal")).isNotEmpty();
        String[] kinds = Stream.of(FaultKind.values()).map(FaultKind::title).toArray(String[]::new);
        assertThat(report.get("faults").fieldNames()).toIterable().containsExactly(kinds);
        assertThat(report.get("faults")).allMatch(times -> times.asLong() > 0);
        assertThat(report.get("faultsGivenUp").isObject()).isTrue();
        assertThat(report.get("longestUnavailableMillis").fieldNames())
                .toIterable()
                .contains(kinds);
    }

    private static Stream<String> texts(JsonNode array) {
        assertThat(array.isArray()).isTrue();
        return StreamSupport.stream(array.spliterator(), false).map(JsonNode::asText);
    }

    /** As {@code bin/bt} does, with the class path of this JVM. */
    private static Process start(Path directory, Path json, Path said) throws IOException {
        List<String> java = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-cp",
                System.getProperty("java.class.path"),
                "bt.main.Main");
        List<String> words = List.of(
                "chaos",
                "--seed",
                "1",
                "--minutes",
                "2",
                "--directory",
                directory.toString(),
                "--json",
                json.toString());
        return new ProcessBuilder(Stream.concat(java.stream(), words.stream()).toList())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
    }

    /** With a chance to end its own processes. */
    private static void end(Process chaos) throws InterruptedException {
        chaos.destroy();
        if (!chaos.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
            chaos.destroyForcibly();
        }
    }
}
