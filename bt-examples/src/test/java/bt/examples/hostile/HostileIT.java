package bt.examples.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A short run of {@code bt chaos --hostile}. */
class HostileIT {
    private static final long FRAMES = 100_000;

    @Test
    void badCallersAreClosedAndHonestOnesAreServed() throws Exception {
        HostileReport report = HostileTrial.run(1, FRAMES);
        System.out.println(report.table());
        assertThat(report.words()).isEmpty();
        assertThat(report.frames().rpc() + report.frames().thrift()).isGreaterThanOrEqualTo(FRAMES);
        assertThat(report.harmed()).isEmpty();
        assertThat(report.isClean()).isTrue();
    }
}
