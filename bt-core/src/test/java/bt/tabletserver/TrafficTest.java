package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TrafficTest {
    private final Traffic traffic = new Traffic(0);

    private long afterSecondsOf(int requests, int seconds, long from) {
        for (int i = 0; i < requests; i++) {
            traffic.count(Bytes.utf8("row"));
        }
        return traffic.perMinute(seconds(from + seconds));
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

    /** Rows may be long, and tablets many: only of those that are to be split is something kept. */
    @Test
    void rowsAreKeptWhileSomebodyWantsThem() {
        assertThat(halfAfterThreeWindows(0)).isEmpty();
        traffic.sample(seconds(15));
        assertThat(halfAfterThreeWindows(15)).isPresent();
        traffic.sample(seconds(30));
        assertThat(traffic.half(seconds(30))).as("goes on").isPresent();
        traffic.forget();
        assertThat(traffic.half(seconds(30))).isEmpty();
        traffic.sample(seconds(30));
        assertThat(traffic.half(seconds(30))).as("begins anew").isEmpty();
    }

    /** What one request costs is known behind it, and the rows that it showed. */
    @Test
    void rowsOfACostlyRequestAreKeptWhileSomebodyWantsThem() {
        traffic.sample(0);
        for (int window = 1; window <= 3; window++) {
            traffic.count(5_000, at -> Bytes.utf8("row" + at % 10));
            assertThat(traffic.perMinute(seconds(window * 5L))).isNotNegative();
        }
        assertThat(traffic.half(seconds(15))).isPresent();
    }

    @Test
    void theHalvesOfATabletKeepNoRowsOfItsOwn() {
        traffic.sample(0);
        assertThat(halfAfterThreeWindows(0)).isPresent();
        assertThat(traffic.halved(seconds(15)).half(seconds(15))).isEmpty();
    }

    private Optional<Bytes> halfAfterThreeWindows(long fromSeconds) {
        Optional<Bytes> half = Optional.empty();
        for (int window = 1; window <= 3; window++) {
            for (int i = 0; i < 500; i++) {
                traffic.count(Bytes.utf8("row" + i % 10));
            }
            half = traffic.half(seconds(fromSeconds + window * 5L));
        }
        return half;
    }

    private static long seconds(long seconds) {
        return TimeUnit.SECONDS.toNanos(seconds);
    }
}
