package bt.examples.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code bt bench tablets} measures, with few tablets: real master, METADATA and ZooKeeper, simulated servers. */
class TabletsBenchIT {
    @TempDir
    private Path directory;

    @Test
    void everyTabletIsAssignedAndFoundWithThreeRoundTrips() throws Exception {
        List<Result> results;
        try (TabletsTrial trial = new TabletsTrial(directory, 300)) {
            results = trial.run(3);
        }
        assertThat(results)
                .extracting(Result::name)
                .containsExactly(
                        "assign", "master-start", "memory", "master-answer", "locate-cold", "locate", "recover");
        assertThat(figure(results, "assign", Figure.MILLIS)).isPositive();
        assertThat(figure(results, "master-start", Figure.MILLIS)).isPositive();
        assertThat(figure(results, "memory", Figure.METADATA_BYTES_PER_TABLET)).isBetween(200.0, 10_000.0);
        // The lock service, the root tablet, METADATA's other tablet.
        assertThat(figure(results, "locate-cold", Figure.ROUND_TRIPS_PER_OP)).isEqualTo(3);
        assertThat(figure(results, "locate", Figure.ROUND_TRIPS_PER_OP)).isLessThan(1);
        double had = figure(results, "recover", Figure.TABLETS);
        assertThat(had).isBetween(50.0, 150.0);
        assertThat(figure(results, "recover", Figure.METADATA_ROWS_READ)).isBetween(had, 1_500.0);
        assertThat(figure(results, "recover", Figure.MILLIS)).isGreaterThan(6_000);
    }

    private static double figure(List<Result> results, String name, Figure figure) {
        return results.stream()
                .filter(result -> result.name().equals(name))
                .findFirst()
                .flatMap(result -> result.figure(figure).stream().boxed().findFirst())
                .orElseThrow();
    }
}
