package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import bt.testing.SeededTest;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class AgeClassesTest {
    private static final long SECOND = 1_000_000;

    @Test
    void agesGoToTheClassOfTheirPowerOfTwo() {
        AgeClasses classes = new AgeClasses();
        classes.add(-1, 1);
        classes.add(0, 2);
        classes.add(SECOND - 1, 3);
        classes.add(SECOND, 10);
        classes.add(7 * SECOND, 100);
        classes.add(Long.MAX_VALUE, 1000);
        assertThat(classes.bytes())
                .startsWith(1L, 5L, 10L, 0L, 100L)
                .hasSize(46)
                .endsWith(1000L);
    }

    /** A class is half of all that is younger, so an even spread is told within a quarter of the age. */
    @SeededTest(runs = 50)
    void anEvenSpreadIsFoundAgain(RandomGenerator random) {
        AgeClasses classes = new AgeClasses();
        long oldest = (1 + random.nextInt(1_000_000)) * SECOND;
        int cells = 5_000;
        for (int i = 0; i < cells; i++) {
            classes.add(random.nextLong(oldest), 1);
        }
        long border = random.nextLong(oldest);
        double expected = cells * (1 - (double) border / oldest);
        assertThat(AgeClasses.olderThan(border, classes.bytes())).isCloseTo(expected, within(0.26 * cells));
        assertThat(AgeClasses.olderThan(2 * oldest, classes.bytes())).isZero();
        assertThat(AgeClasses.olderThan(0, classes.bytes())).isEqualTo(cells);
    }
}
