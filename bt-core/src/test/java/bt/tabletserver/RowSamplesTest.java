package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.model.Limits;
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

    /** Longer than what is kept of a row, or of all rows together were it kept of each. */
    @SeededTest(runs = 5)
    void rowsThatShareALongBeginningHaveAHalf(RandomGenerator random) {
        String beginning = "b".repeat(random.nextInt(129, 65_000));
        for (int i = 0; i < 4; i++) {
            window(500, () -> beginning + row(random.nextInt(1_000)));
        }
        Bytes half = samples.half().orElseThrow();
        assertThat(half).isBetween(Bytes.utf8(beginning + row(250)), Bytes.utf8(beginning + row(750)));
    }

    /** It is counted before it is refused, and may be as long as a request. */
    @Test
    void aRowThatIsLongerThanRowsMayBeIsNotKept() {
        SampleWindow window = new SampleWindow(Bytes.EMPTY);
        window.take(Bytes.wrap(new byte[Limits.ROW_BYTES + 1]));
        assertThat(window.shared()).isEqualTo(Bytes.EMPTY);
        assertThat(window.seen().size()).isZero();
        Bytes longest = Bytes.wrap(new byte[Limits.ROW_BYTES]);
        window.take(longest);
        assertThat(window.shared()).isEqualTo(longest);
    }

    /** What comes in between begins in another way, on both sides, and counts. */
    @SeededTest(runs = 20)
    void rowsThatBeginInAnotherWayAreBelowOrAboveTheOthers(RandomGenerator random) {
        String beginning = "b".repeat(1_000);
        for (int i = 0; i < 3; i++) {
            window(2_000, () -> beginning + row(random.nextInt(1_000)));
        }
        Bytes half = samples.half().orElseThrow();
        window(2_000, () -> random.nextInt(10) < 8 ? "a" : beginning + row(random.nextInt(1_000)));
        assertThat(samples.half()).as("four fifths lie below").isEmpty();
        assertThat(half).isGreaterThan(Bytes.utf8(beginning));
    }

    /** Half of what is asked for is one scan of many rows, the other half are rows below it. */
    @Test
    void whatCostsAsMuchAsManyRequestsWeighsAsMuch() {
        for (int i = 0; i < 3; i++) {
            for (int request = 0; request < 1_000; request++) {
                samples.saw(Bytes.utf8(row(request)));
                if (request % 100 == 0) {
                    samples.saw(100, at -> Bytes.utf8(row(10_000 + at)));
                }
            }
            now += RowSamples.WINDOW_NANOS;
            samples.turn(now);
        }
        assertThat(samples.half().orElseThrow()).isBetween(Bytes.utf8(row(800)), Bytes.utf8(row(10_010)));
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
