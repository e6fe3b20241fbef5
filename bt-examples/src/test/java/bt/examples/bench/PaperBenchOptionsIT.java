package bt.examples.bench;

import static org.assertj.core.api.Assertions.assertThat;

import bt.examples.paper.GivenSite;
import bt.examples.paper.OwnSite;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the benches of section 7 of the paper are asked for by their options, they do, with few rows. */
class PaperBenchOptionsIT {
    @TempDir
    private Path directory;

    @Test
    void serversProcessesRateAndDurabilityAreAsAskedFor() throws Exception {
        BenchRun run = BenchRun.of(
                directory,
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
        List<JsonNode> results = run.results();
        // What lies below is measured at full speed alone.
        assertThat(results).extracting(BenchRun::name).containsExactly("random write", "random write");
        assertThat(results).extracting(result -> result.get("servers").asInt()).containsExactly(1, 2);
        // Each server more has clients of its own.
        assertThat(results).extracting(result -> result.get("callers").asInt()).containsExactly(2, 4);
        assertThat(results)
                .allSatisfy(result ->
                        assertThat(result.get("opsPerSecond").asDouble()).isBetween(1.0, 215.0));
        assertThat(run.report().get("options").get("durability").asText()).isEqualTo("sync");
        assertThat(run.report().get("options").get("processes").asInt()).isEqualTo(2);
    }

    @Test
    void atAClusterThatRunsOnlyWhatItCanShowIsReported() throws Exception {
        try (OwnSite cluster = OwnSite.start(directory.resolve("cluster"), 1, new OwnSite.Room(1 << 20, 1 << 20, 0))) {
            GivenSite given = new GivenSite(cluster.address());
            assertThat(given.servers()).isEqualTo(cluster.servers());
            assertThat(given.datanodes()).isEqualTo(cluster.datanodes());

            BenchRun run = BenchRun.of(
                    directory,
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
            List<JsonNode> results = run.results();
            assertThat(results).extracting(BenchRun::name).containsExactly("sequential write (batched)");
            assertThat(results).allSatisfy(result -> assertThat(result.has("datanodeCpuSecondsPerMillionOps"))
                    .isTrue());
            assertThat(run.said())
                    .anySatisfy(line -> assertThat(line)
                            .contains("random read (tcp) is not measured: this cluster is not the bench's own"))
                    .anySatisfy(line -> assertThat(line)
                            .contains("hdfs read is not measured: this cluster is not the bench's own"));
        }
    }

    @Test
    void theEchoIsMeasuredInThreeWays() throws Exception {
        assertThat(BenchRun.of(directory, "rpc", "--clients", "2", "--seconds", "0.2")
                        .results())
                .extracting(BenchRun::name)
                .containsExactly("rpc echo", "rpc echo (in flight)", "rpc echo (batched)");
    }
}
