package bt.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import bt.testing.SeededTest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class LatencyScaleTest {
    @SeededTest(runs = 20)
    void aClassIsAnEighthWideAtMost(RandomGenerator random) {
        for (int i = 0; i < 1_000; i++) {
            long micros = random.nextLong(1L << random.nextInt(1, 27));
            int found = LatencyScale.classOf(micros);
            assertThat(LatencyScale.longestMicros(found)).isBetween(micros, micros + micros / 8);
            if (found > 0) {
                assertThat(LatencyScale.longestMicros(found - 1)).isLessThan(micros);
            }
        }
    }

    @Test
    void whatLastsForEverIsInTheLastClass() {
        assertThat(LatencyScale.classOf(Long.MAX_VALUE)).isEqualTo(LatencyScale.CLASSES - 1);
        assertThat(LatencyScale.classOf(-1)).isZero();
        assertThat(LatencyScale.longestMicros(LatencyScale.CLASSES - 2)).isGreaterThan(60_000_000);
    }

    @SeededTest(runs = 20)
    void theQuantileIsThatOfTheSortedTimesWithinAnEighth(RandomGenerator random) {
        List<Long> counts = new ArrayList<>(Collections.nCopies(LatencyScale.CLASSES, 0L));
        List<Long> times = new ArrayList<>();
        for (int i = 0; i < 1 + random.nextInt(2_000); i++) {
            long micros = random.nextLong(1, 1L << random.nextInt(1, 25));
            times.add(micros);
            int found = LatencyScale.classOf(micros);
            counts.set(found, counts.get(found) + 1);
        }
        Collections.sort(times);
        long exact = times.get((int) Math.ceil(times.size() * 0.99) - 1);
        assertThat(LatencyScale.quantileMicros(counts, 0.99).orElseThrow()).isBetween(exact, exact + exact / 8);
    }

    @Test
    void ofNothingThereIsNoQuantile() {
        assertThat(LatencyScale.quantileMicros(List.of(), 0.99)).isEmpty();
        assertThat(LatencyScale.quantileMicros(List.of(0L, 0L), 0.99)).isEmpty();
    }
}
