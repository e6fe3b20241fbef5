package bt.examples.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import bt.testing.SeededTest;
import bt.testing.history.Operation.Result;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.random.RandomGenerator;

/**
 * The checker of {@code bt chaos} sorts, and can do so because no value is written twice; the simulator's searches, takes
 * deletions and conditions too, and no more than 64 operations at a time. They have no line in common, and no history of a
 * register may be right to one and wrong to the other.
 */
class TwoCheckersTest {
    /** Few enough that chance makes many histories that are right, and of those that are wrong many that are so only just. */
    @SeededTest(runs = 500)
    void theyAgree(RandomGenerator random) {
        List<Operation> operations = random(random);
        boolean sorted = Linearizability.violations(operations).isEmpty();
        boolean searched = bt.testing.history.Linearizability.check(
                        operations.stream().map(TwoCheckersTest::forTheSearch).toList())
                .isEmpty();
        assertThat(sorted).as("%s", operations).isEqualTo(searched);
    }

    private static List<Operation> random(RandomGenerator random) {
        int number = 2 + random.nextInt(8);
        List<Long> times = new ArrayList<>();
        for (long time = 0; time < 2L * number; time++) {
            times.add(time);
        }
        Collections.shuffle(times, new Random(random.nextLong()));
        int writes = 1 + random.nextInt(Math.min(4, number - 1));
        List<Operation> operations = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            boolean isWrite = i < writes;
            long value = isWrite ? i + 1 : random.nextInt(writes + 1);
            long one = times.get(2 * i);
            long other = times.get(2 * i + 1);
            boolean known = !isWrite || random.nextInt(4) > 0;
            operations.add(new Operation(isWrite, value, Math.min(one, other), Math.max(one, other), known));
        }
        return operations;
    }

    private static bt.testing.history.Operation forTheSearch(Operation operation) {
        Optional<String> value = operation.value() == Linearizability.NOTHING
                ? Optional.empty()
                : Optional.of(Long.toString(operation.value()));
        if (!operation.isWrite()) {
            return bt.testing.history.Operation.read("c", "r", value, operation.beginNanos(), operation.endNanos());
        }
        return bt.testing.history.Operation.write("c", "r", value, operation.beginNanos())
                .answered(operation.isKnown() ? Result.DONE : Result.UNKNOWN, operation.endNanos());
    }
}
