package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.testing.SeededTest;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RowSamplesTest {
    private final RowSamples samples = new RowSamples(0);
    private long now;

    private void window(int requests, Supplier<String> row) {
        for (int i = 0; i < requests; i++) {
            samples.saw(Bytes.utf8(row.get()));
        }
        now += RowSamples.WINDOW_NANOS;
        samples.turn(now);
    }

    private static String row(int number) {
        return "row%06d".formatted(number);
    }

    @SeededTest(runs = 20)
    void theHalfOfWhatIsAskedForIsFoundWhereverItLies(RandomGenerator random) {
        int busiest = random.nextInt(100_000);
        for (int i = 0; i < 3; i++) {
            window(5_000, () -> row(busiest + (int) Math.abs(random.nextGaussian() * 1_000)));
        }
        Bytes half = samples.half().orElseThrow();
        long below = IntStream.range(0, 10_000)
                .filter(i -> Bytes.utf8(row(busiest + (int) Math.abs(random.nextGaussian() * 1_000)))
                                .compareTo(half)
                        <= 0)
                .count();
        assertThat(below).isBetween(3_000L, 7_000L);
    }

    @SeededTest(runs = 20)
    void oneHotRowHasNoHalf(RandomGenerator random) {
        for (int i = 0; i < 3; i++) {
            window(5_000, () -> row(random.nextInt(10) < 8 ? 500 : random.nextInt(1_000)));
        }
        assertThat(samples.half()).isEmpty();
    }

    @SeededTest(runs = 20)
    void aHotRowAtTheEndIsPartedFromTheRest(RandomGenerator random) {
        for (int i = 0; i < 3; i++) {
            window(5_000, () -> row(random.nextBoolean() ? 1_000 : random.nextInt(1_000)));
        }
        assertThat(samples.half().orElseThrow()).isLessThan(Bytes.utf8(row(1_000)));
    }

    @Test
    void whatIsWrittenInTheOrderOfItsKeysHasNoHalf() {
        int[] next = {0};
        for (int i = 0; i < 5; i++) {
            window(5_000, () -> row(next[0]++));
            assertThat(samples.half()).isEmpty();
        }
    }

    @SeededTest(runs = 5)
    void aWindowAloneAndFewRequestsTellNothing(RandomGenerator random) {
        window(5_000, () -> row(random.nextInt(1_000)));
        assertThat(samples.half()).isEmpty();
        window(20, () -> row(random.nextInt(1_000)));
        window(5_000, () -> row(random.nextInt(1_000)));
        assertThat(samples.half()).isEmpty();
    }
}
