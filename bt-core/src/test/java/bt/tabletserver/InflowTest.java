package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class InflowTest {
    private static final long SECOND = 1_000_000_000L;

    private final Inflow inflow = new Inflow(5 * SECOND);

    @Test
    void itIsWhatCameInTheLastSecond() {
        inflow.look(700, 5 * SECOND + SECOND / 2);
        assertThat(inflow.bytesPerSecond()).isZero();
        inflow.look(3_000, 7 * SECOND);
        assertThat(inflow.bytesPerSecond()).isEqualTo(1_500);
        inflow.look(13_000, 8 * SECOND);
        assertThat(inflow.bytesPerSecond()).isEqualTo(10_000);
    }

    @Test
    void itGoesDownByHalves() {
        inflow.look(8_000, 6 * SECOND);
        inflow.look(8_000, 7 * SECOND);
        assertThat(inflow.bytesPerSecond()).isEqualTo(4_000);
        inflow.look(11_000, 8 * SECOND);
        assertThat(inflow.bytesPerSecond()).isEqualTo(3_000);
    }
}
