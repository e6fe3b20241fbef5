package bt.examples.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import bt.examples.chaos.Additions.Addition;
import bt.examples.chaos.Additions.Sight;
import bt.examples.chaos.Additions.Violations;
import bt.examples.chaos.Answers.Outcome;
import bt.testing.SeededTest;
import bt.testing.history.Additions.Seen;
import bt.testing.history.Additions.Total;
import bt.testing.history.Operation.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Violations of each kind are found, and no history is right to this checker and wrong to the simulator's, or the other way round. */
class AdditionsTest {
    private static final List<Outcome> OUTCOMES = List.of(Outcome.APPLIED, Outcome.REFUSED, Outcome.UNKNOWN);
    private static final Addition FIVE = new Addition(5, Outcome.APPLIED, 5, 1, 2);
    private static final Addition SEVEN = new Addition(7, Outcome.APPLIED, 12, 3, 4);

    @Test
    void eachOnceWithTheTotalThatWasToldIsRight() {
        assertThat(all(violations(List.of(FIVE, SEVEN), List.of(5L, 12L)))).isEmpty();
    }

    @Test
    void oneThatWasAcknowledgedAndIsNotThereIsLost() {
        assertThat(violations(List.of(FIVE, SEVEN), List.of(5L)).lost()).hasSize(1);
    }

    @Test
    void oneThatIsThereTwiceOrIsNobodysIsFound() {
        assertThat(violations(List.of(FIVE, SEVEN), List.of(5L, 12L, 17L)).strange())
                .containsExactly("came from 12 to 17, which nobody added, or twice");
        assertThat(violations(List.of(FIVE), List.of(5L, 8L)).strange()).hasSize(1);
    }

    @Test
    void oneOfWhichNothingIsKnownIsThereOnceOrNot() {
        Addition unknown = new Addition(7, Outcome.UNKNOWN, 0, 3, 4);
        assertThat(all(violations(List.of(FIVE, unknown), List.of(5L)))).isEmpty();
        assertThat(all(violations(List.of(FIVE, unknown), List.of(5L, 12L)))).isEmpty();
        assertThat(all(violations(List.of(FIVE, unknown), List.of(5L, 12L, 19L))))
                .hasSize(1);
    }

    @Test
    void oneThatWasRefusedAndIsThereIsFound() {
        Addition refused = new Addition(7, Outcome.REFUSED, 0, 3, 4);
        assertThat(all(violations(List.of(FIVE, refused), List.of(5L)))).isEmpty();
        assertThat(violations(List.of(FIVE, refused), List.of(5L, 12L)).strange())
                .hasSize(1);
    }

    @Test
    void aReadSeesATotalOfItsTime() {
        assertThat(read(0, 0, 1)).isEmpty();
        assertThat(read(5, 1, 4)).isEmpty();
        assertThat(read(12, 3, 9)).isEmpty();
        assertThat(read(6, 1, 9)).isNotEmpty();
        assertThat(read(5, 5, 6)).isNotEmpty();
        assertThat(read(0, 3, 6)).isNotEmpty();
        assertThat(read(12, 1, 2)).isNotEmpty();
    }

    /** Each happens at a moment of its own; then, half the time, one thing is made different, which is often wrong. */
    @SeededTest(runs = 1_000)
    void theSimulatorsCheckerAgrees(RandomGenerator random) {
        List<Addition> additions = new ArrayList<>();
        List<Sight> sights = new ArrayList<>();
        List<Long> totals = new ArrayList<>();
        long total = 0;
        int length = 2 + random.nextInt(10);
        for (int moment = 100; moment < 100 + length; moment++) {
            long begin = 4L * moment - random.nextInt(8);
            long end = 4L * moment + 1 + random.nextInt(8);
            long amount = 1L << (moment - 100);
            Outcome outcome = OUTCOMES.get(random.nextInt(OUTCOMES.size()));
            if (random.nextInt(3) == 0) {
                sights.add(new Sight(total, begin, end));
            } else {
                if (outcome == Outcome.APPLIED || (outcome == Outcome.UNKNOWN && random.nextBoolean())) {
                    total += amount;
                    totals.add(total);
                }
                additions.add(new Addition(amount, outcome, outcome == Outcome.APPLIED ? total : 0, begin, end));
            }
        }
        if (random.nextBoolean()) {
            spoil(additions, sights, totals, random);
        }
        boolean right = all(Additions.violations(additions, sights, totals)).isEmpty();
        assertThat(right)
                .as("%s %s %s", additions, sights, totals)
                .isEqualTo(isRightToTheOther(additions, sights, totals));
    }

    private static void spoil(List<Addition> additions, List<Sight> sights, List<Long> totals, RandomGenerator random) {
        int choice = random.nextInt(4);
        if (choice == 0 && !totals.isEmpty()) {
            totals.remove(random.nextInt(totals.size()));
        } else if (choice == 1 && !totals.isEmpty()) {
            totals.add(totals.get(totals.size() - 1) + (1L << random.nextInt(8)));
        } else if (choice == 2 && !sights.isEmpty()) {
            int at = random.nextInt(sights.size());
            long seen = totals.isEmpty() ? 1 : totals.get(random.nextInt(totals.size()));
            sights.set(
                    at,
                    new Sight(seen, sights.get(at).beginNanos(), sights.get(at).endNanos()));
        } else if (choice == 3 && !additions.isEmpty()) {
            int at = random.nextInt(additions.size());
            Addition moved = additions.get(at);
            long by = random.nextInt(40) - 20L;
            additions.set(
                    at,
                    new Addition(
                            moved.amount(),
                            moved.outcome(),
                            moved.total(),
                            moved.beginNanos() + by,
                            moved.endNanos() + by));
        }
    }

    private static boolean isRightToTheOther(List<Addition> additions, List<Sight> sights, List<Long> totals) {
        List<Total> steps = new ArrayList<>();
        long before = 0;
        for (long total : totals) {
            steps.add(new Total(Long.toString(total - before), total));
            before = total;
        }
        return bt.testing.history.Additions.check(
                        "r",
                        additions.stream().map(AdditionsTest::forTheOther).toList(),
                        sights.stream()
                                .map(each -> new Seen("c", each.total(), each.beginNanos(), each.endNanos()))
                                .toList(),
                        steps)
                .isEmpty();
    }

    private static bt.testing.history.Addition forTheOther(Addition addition) {
        bt.testing.history.Addition begun =
                bt.testing.history.Addition.of("c", Long.toString(addition.amount()), addition.beginNanos());
        return switch (addition.outcome()) {
            case APPLIED -> begun.done(addition.total(), addition.endNanos());
            case REFUSED -> begun.failed(Result.FAILED, addition.endNanos());
            case UNKNOWN -> begun.failed(Result.UNKNOWN, addition.endNanos());
        };
    }

    private static List<String> read(long total, long begin, long end) {
        return all(Additions.violations(List.of(FIVE, SEVEN), List.of(new Sight(total, begin, end)), List.of(5L, 12L)));
    }

    private static Violations violations(List<Addition> additions, List<Long> totals) {
        return Additions.violations(additions, List.of(), totals);
    }

    private static List<String> all(Violations violations) {
        List<String> all = new ArrayList<>(violations.lost());
        all.addAll(violations.strange());
        return all;
    }
}
