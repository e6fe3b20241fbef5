package bt.examples.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import bt.testing.SeededTest;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

class CounterChoreTest {
    /** Of hours. */
    private static final int MANY = 300_000;

    @SeededTest(runs = 3)
    void manyAdditionsStayInTheRangeOfACounter(RandomGenerator random) {
        SplittableRandom amounts = new SplittableRandom(random.nextLong());
        long total = 0;
        for (int i = 0; i < MANY; i++) {
            total = Math.addExact(total, CounterChore.amount(amounts));
        }
        assertThat(total).isNotZero();
    }

    /** A total tells whose addition it was, and how many came before. */
    @SeededTest(runs = 3)
    void neitherAnAmountNorATotalComesTwice(RandomGenerator random) {
        SplittableRandom amounts = new SplittableRandom(random.nextLong());
        Set<Long> drawn = new HashSet<>();
        Set<Long> totals = new HashSet<>(Set.of(0L));
        long total = 0;
        for (int i = 0; i < MANY / 100; i++) {
            long amount = CounterChore.amount(amounts);
            total += amount;
            assertThat(drawn.add(amount)).isTrue();
            assertThat(totals.add(total)).isTrue();
        }
    }
}
