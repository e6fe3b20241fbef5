package bt.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import bt.testing.SeededTest;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

class OpenNumbersPropertyTest {
    private final OpenNumbers numbers = new OpenNumbers();
    private final TreeSet<Long> model = new TreeSet<>();
    private long last;

    private void open() {
        model.add(++last);
        assertThat(numbers.open()).isEqualTo(last);
    }

    private void close(long number) {
        model.remove(number);
        numbers.close(number);
    }

    private void check() {
        assertThat(numbers.last()).isEqualTo(last);
        assertThat(numbers.lowest()).isEqualTo(model.isEmpty() ? last + 1 : model.first());
    }

    @SeededTest(runs = 100)
    void theLowestIsThatOfASetOfThoseThatAreOpen(RandomGenerator random) {
        int bound = 1 << random.nextInt(12);
        for (int step = 0; step < 3_000; step++) {
            // Sometimes most are open and sometimes few, so that it grows, and goes round at every size.
            boolean fills = random.nextInt(bound) >= model.size();
            if (fills) {
                open();
            } else {
                // Also what was closed before, and what never was opened.
                close(random.nextInt(4) == 0 && !model.isEmpty() ? model.first() : random.nextLong(last + 3));
            }
            check();
        }
        List<Long> rest = new ArrayList<>(model);
        while (!rest.isEmpty()) {
            close(rest.remove(random.nextInt(rest.size())));
            check();
        }
    }

    @SeededTest(runs = 20)
    void aRunIsClosedInOrderBehindAnotherThatIsOpened(RandomGenerator random) {
        int ahead = 1 + random.nextInt(300);
        for (int step = 0; step < 2_000; step++) {
            open();
            if (step >= ahead) {
                close(step + 1 - ahead);
            }
            check();
        }
    }
}
