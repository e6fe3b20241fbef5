package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TrafficTest {
    private final Traffic traffic = new Traffic(0);

    private long afterSecondsOf(int requests, int seconds, long from) {
        for (int i = 0; i < requests; i++) {
            traffic.count(Bytes.utf8("row"));
        }
        return traffic.perMinute(TimeUnit.SECONDS.toNanos(from + seconds));
    }

    @Test
    void aSteadyRateIsToldAfterAWhile() {
        long told = 0;
        for (int window = 0; window < 20; window++) {
            told = afterSecondsOf(100, 10, window * 10L);
        }
        assertThat(told).isBetween(595L, 600L);
        for (int window = 20; window < 40; window++) {
            told = afterSecondsOf(0, 10, window * 10L);
        }
        assertThat(told).isLessThan(5);
    }

    @Test
    void whoAsksOftenGetsTheSameAnswer() {
        long first = afterSecondsOf(100, 10, 0);
        assertThat(first).isPositive();
        assertThat(afterSecondsOf(1_000, 5, 10)).isEqualTo(first);
    }
}
