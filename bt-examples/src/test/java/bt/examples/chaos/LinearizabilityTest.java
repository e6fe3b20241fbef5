package bt.examples.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import bt.testing.SeededTest;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class LinearizabilityTest {
    private static Operation write(long value, long begin, long end) {
        return new Operation(true, value, begin, end, true);
    }

    private static Operation lostWrite(long value, long begin, long end) {
        return new Operation(true, value, begin, end, false);
    }

    private static Operation read(long value, long begin, long end) {
        return new Operation(false, value, begin, end, true);
    }

    private static List<String> violations(Operation... operations) {
        return Linearizability.violations(List.of(operations));
    }

    @Test
    void oneAfterTheOtherIsInOrder() {
        assertThat(violations(read(0, 0, 1), write(1, 2, 3), read(1, 4, 5), write(2, 6, 7), read(2, 8, 9)))
                .isEmpty();
    }

    @Test
    void aReadOfWhatWasOverwrittenIsFound() {
        assertThat(violations(write(1, 0, 1), write(2, 2, 3), read(1, 4, 5))).isNotEmpty();
    }

    @Test
    void aWriteThatIsLostIsFound() {
        assertThat(violations(write(1, 0, 1), read(0, 2, 3))).isNotEmpty();
    }

    @Test
    void aReadBeforeTheWriteIsFound() {
        assertThat(violations(read(1, 0, 1), write(1, 2, 3))).isNotEmpty();
    }

    @Test
    void aValueOutOfNowhereIsFound() {
        assertThat(violations(read(7, 0, 1))).isNotEmpty();
    }

    @Test
    void aNewValueThatGoesAwayAgainIsFound() {
        assertThat(violations(write(1, 0, 1), write(2, 2, 20), read(2, 3, 4), read(1, 5, 6)))
                .isNotEmpty();
    }

    @Test
    void whileTwoWriteEitherMayBeSeenLast() {
        assertThat(violations(write(1, 0, 10), write(2, 1, 9), read(1, 11, 12))).isEmpty();
        assertThat(violations(write(1, 0, 10), write(2, 1, 9), read(2, 11, 12))).isEmpty();
        assertThat(violations(write(1, 0, 10), write(2, 1, 9), read(2, 11, 12), read(1, 13, 14)))
                .isNotEmpty();
    }

    @Test
    void aWriteOfUnknownOutcomeMayHappenLateOrNever() {
        assertThat(violations(lostWrite(1, 0, 1), read(0, 2, 3), read(1, 8, 9))).isEmpty();
        assertThat(violations(lostWrite(1, 0, 1), read(0, 2, 3))).isEmpty();
        assertThat(violations(lostWrite(1, 0, 1), read(1, 2, 3), read(0, 8, 9))).isNotEmpty();
    }

    /** Each operation happens at a moment of its own, and its begin and end lie around it. */
    @SeededTest(runs = 200)
    void whatARegisterDidIsInOrder(RandomGenerator random) {
        List<Operation> operations = new ArrayList<>();
        long value = Linearizability.NOTHING;
        for (int moment = 1_000; moment < 1_060; moment++) {
            long begin = moment - (long) random.nextInt(8);
            long end = moment + 1L + random.nextInt(8);
            boolean known = random.nextInt(10) > 0;
            if (random.nextBoolean()) {
                boolean happens = known || random.nextBoolean();
                operations.add(new Operation(true, moment, begin, end, known));
                value = happens ? moment : value;
            } else {
                operations.add(read(value, begin, end));
            }
        }
        assertThat(Linearizability.violations(operations)).isEmpty();
    }

    /** The same, but one read sees what was overwritten, with certainty, before it began. */
    @SeededTest(runs = 200)
    void oneStaleReadAmongManyIsFound(RandomGenerator random) {
        List<Operation> operations = new ArrayList<>();
        int stale = 5 + random.nextInt(50);
        for (int i = 1; i < 60; i++) {
            operations.add(write(i, 10L * i, 10L * i + 1L + random.nextInt(4)));
            operations.add(read(i == stale ? i - 1L - random.nextInt(4) : i, 10L * i + 5, 10L * i + 6));
        }
        assertThat(Linearizability.violations(operations)).isNotEmpty();
    }
}
