package bt.testing.history;

import static org.assertj.core.api.Assertions.assertThat;

import bt.testing.SeededTest;
import bt.testing.history.Operation.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class LinearizabilityTest {
    private static final Optional<String> NOTHING = Optional.empty();

    @Test
    void oneAfterTheOtherIsExplained() {
        assertThat(check(write("x", 1, 2), read("x", 3, 4), delete(5, 6), read(null, 7, 8)))
                .isEmpty();
    }

    @Test
    void anEmptyHistoryIsExplained() {
        assertThat(check()).isEmpty();
    }

    @Test
    void aLostWriteIsFound() {
        assertThat(check(write("x", 1, 2), read(null, 3, 4))).isPresent();
    }

    @Test
    void aStaleReadIsFound() {
        assertThat(check(write("x", 1, 2), write("y", 3, 4), read("x", 5, 6))).isPresent();
    }

    @Test
    void whatWasSeenByOneIsNotUnseenByALaterOne() {
        assertThat(check(write("x", 1, 2), write("y", 3, 20), read("y", 5, 6), read("x", 7, 8)))
                .isPresent();
    }

    @Test
    void overlappingReadsMaySeeOldAndNewInTheirOrder() {
        assertThat(check(write("x", 1, 2), write("y", 3, 20), read("x", 5, 6), read("y", 7, 8)))
                .isEmpty();
    }

    @Test
    void aValueThatNobodyWroteIsFound() {
        assertThat(check(write("x", 1, 2), read("z", 3, 4))).isPresent();
    }

    @Test
    void aReadBeforeTheWriteBeganIsFound() {
        assertThat(check(read("x", 1, 2), write("x", 3, 4))).isPresent();
    }

    @Test
    void aFailedWriteThatIsSeenIsFound() {
        Operation failed = Operation.write("c", "r", Optional.of("x"), 1).answered(Result.FAILED, 2);
        assertThat(check(failed, read("x", 3, 4))).isPresent();
    }

    @Test
    void anUnknownWriteHappensLateOrNever() {
        Operation unknown = Operation.write("c", "r", Optional.of("x"), 1);
        assertThat(check(unknown, read(null, 3, 4))).isEmpty();
        assertThat(check(unknown, read(null, 3, 4), read("x", 50, 60))).isEmpty();
        assertThat(check(unknown, write("y", 2, 3), read("y", 4, 5), read("x", 6, 7), read("x", 8, 9)))
                .isEmpty();
    }

    @Test
    void anUnknownWriteThatHappensTwiceIsFound() {
        Operation unknown = Operation.write("c", "r", Optional.of("x"), 1);
        assertThat(check(unknown, read("x", 2, 3), write("y", 4, 5), read("x", 6, 7)))
                .isPresent();
    }

    @Test
    void anAcknowledgedWriteThatHappensTwiceIsFound() {
        assertThat(check(write("x", 1, 2), write("y", 3, 4), read("y", 5, 6), read("x", 7, 8)))
                .isPresent();
    }

    @Test
    void oneOfTwoSwapsOfOneValueIsRefused() {
        Operation first = swap("x", "y", 3).answered(Result.DONE, 9);
        assertThat(check(write("x", 1, 2), first, swap("x", "z", 4).answered(Result.REFUSED, 8), read("y", 10, 11)))
                .isEmpty();
        assertThat(check(write("x", 1, 2), first, swap("x", "z", 4).answered(Result.DONE, 8), read("z", 10, 11)))
                .isPresent();
    }

    @Test
    void aSwapThatWasRefusedThoughItsConditionHeldIsFound() {
        assertThat(check(write("x", 1, 2), swap("x", "y", 3).answered(Result.REFUSED, 4)))
                .isPresent();
    }

    @Test
    void anUnknownWriteExplainsARefusalThoughNobodyReadIt() {
        Operation unknown = Operation.write("c", "r", Optional.of("y"), 2);
        Operation refused = swap("x", "z", 3).answered(Result.REFUSED, 4);
        assertThat(check(write("x", 1, 1), unknown, refused, write("v", 5, 6), read("v", 7, 8)))
                .isEmpty();
    }

    /** As a register would answer that does everything at a moment between beginning and end. */
    @SeededTest(runs = 50)
    void whatARegisterAnsweredIsExplainedAndWhatItDidNotIsFound(RandomGenerator random) {
        List<Operation> history = register(random, 200, 6);
        assertThat(Linearizability.check(history)).isEmpty();
        List<Operation> broken = new ArrayList<>(history);
        long begun = -1_000_000;
        long end = 1_000_000;
        broken.add(Operation.write("c", "r", Optional.of("first"), begun).answered(Result.DONE, begun + 1));
        broken.add(Operation.write("c", "r", NOTHING, begun + 2).answered(Result.DONE, begun + 3));
        assertThat(Linearizability.check(broken)).isEmpty();
        broken.add(Operation.read("c", "r", Optional.of("first"), end, end + 1));
        assertThat(Linearizability.check(broken)).isPresent();
    }

    @Test
    @Timeout(60)
    void longHistoriesTakeNoTime() {
        List<Operation> history = register(new SplittableRandom(1), 20_000, 8);
        assertThat(Linearizability.check(history)).isEmpty();
    }

    private static List<Operation> register(RandomGenerator random, int operations, int clients) {
        List<Operation> history = new ArrayList<>();
        Optional<String> value = NOTHING;
        for (int i = 0; i < operations; i++) {
            // It happens at 10 i, around which it lasts for as long as some others.
            long begun = 10L * i - random.nextInt(1, 5 * clients);
            long ended = 10L * i + random.nextInt(1, 5 * clients);
            Optional<String> next = random.nextInt(5) == 0 ? NOTHING : Optional.of("v" + i);
            switch (random.nextInt(4)) {
                case 0 -> history.add(Operation.read("c", "r", value, begun, ended));
                case 1 -> {
                    boolean holds = random.nextBoolean();
                    Operation swap = Operation.swap("c", "r", holds ? value : Optional.of("?"), next, begun);
                    history.add(swap.answered(holds ? Result.DONE : Result.REFUSED, ended));
                    value = holds ? next : value;
                }
                default -> {
                    Operation write = Operation.write("c", "r", next, begun);
                    boolean known = random.nextInt(400) > 0;
                    history.add(write.answered(known ? Result.DONE : Result.UNKNOWN, ended));
                    value = known || random.nextBoolean() ? next : value;
                }
            }
        }
        return history;
    }

    private static Optional<Anomaly> check(Operation... row) {
        return Linearizability.check(List.of(row));
    }

    private static Operation write(String value, long begun, long ended) {
        return Operation.write("c", "r", Optional.of(value), begun).answered(Result.DONE, ended);
    }

    private static Operation delete(long begun, long ended) {
        return Operation.write("c", "r", NOTHING, begun).answered(Result.DONE, ended);
    }

    private static Operation swap(String expected, String value, long begun) {
        return Operation.swap("c", "r", Optional.of(expected), Optional.of(value), begun);
    }

    private static Operation read(@Nullable String value, long begun, long ended) {
        return Operation.read("c", "r", Optional.ofNullable(value), begun, ended);
    }
}
