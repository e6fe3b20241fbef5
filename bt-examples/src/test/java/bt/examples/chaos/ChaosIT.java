package bt.examples.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Two minutes of {@code bt chaos}. What its processes wrote stays below {@code target} when it fails. */
class ChaosIT {
    private static final long SEED = 1;
    private static final double MINUTES = 2;

    @Test
    void nothingIsLostStrangeOrBrokenAfterTwoMinutesOfFaults() throws Exception {
        Path directory = Files.createTempDirectory(Files.createDirectories(Path.of("target")), "chaos-")
                .toAbsolutePath();
        Campaign campaign = Campaign.start(directory, System.out);
        ChaosReport report;
        try {
            report = campaign.run(SEED, MINUTES, Plan.of(SEED, Math.round(MINUTES * 60_000)));
        } finally {
            campaign.close();
        }
        System.out.println(report.table());
        assertThat(report.faults()).containsOnlyKeys(FaultKind.values());
        assertThat(report.told().acknowledged()).isPositive();
        assertThat(report.complaints()).isEmpty();
        assertThat(report.broken()).isEmpty();
        assertThat(report.isClean()).isTrue();
        campaign.delete();
    }
}
